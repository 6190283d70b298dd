"""Render the icon for home screens with Chromium: `python -m tools.make_icons`.

Run it when the logo changes. The images are committed, since few servers have a browser.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tools.cards.brand import favicon

IMAGES = Path(__file__).parent.parent / "static" / "img"

# Width in pixels, corner radius, size of the card. Some systems crop the icon to their own shape: for them
# the background must fill the corners, and only the central circle of 80 % is safe.
ICONS = {
    "icon-192.png": (192, 14, 1),
    "icon-512.png": (512, 14, 1),
    "icon-maskable-512.png": (512, 0, 0.75),
    "apple-touch-icon.png": (180, 0, 0.95),
}


def main(browser_path: str | None = None) -> None:
    """Render every size with the browser at that path, or with Playwright's own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path)
        for name, (width, corner, size) in ICONS.items():
            page = browser.new_page(viewport={"width": width, "height": width})
            style = "<style>body{margin:0}svg{display:block}</style>"
            page.set_content(style + favicon(corner, size))
            page.screenshot(path=IMAGES / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:2])
