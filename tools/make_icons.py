"""Render the icon for home screens with Chromium: `python -m tools.make_icons`.

Run it when the logo changes. The images are committed, since few servers have a browser.
"""

import struct
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tools.cards.brand import favicon

STATIC = Path(__file__).parent.parent / "static"
IMAGES = STATIC / "img"

# Width in pixels, corner radius, size of the card. Some systems crop the icon to their own shape: for them
# the background must fill the corners, and only the central circle of 80 % is safe.
ICONS = {
    "icon-192.png": (192, 14, 1),
    "icon-512.png": (512, 14, 1),
    "icon-maskable-512.png": (512, 0, 0.75),
    "apple-touch-icon.png": (180, 0, 0.95),
}

# What browsers, bookmarks and feed readers take from /favicon.ico when no page tells them of an icon.
ICO_WIDTHS = (16, 32, 48)


def main(browser_path: str | None = None) -> None:
    """Render every size with the browser at that path, or with Playwright's own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path)
        for name, (width, corner, size) in ICONS.items():
            (IMAGES / name).write_bytes(draw(browser, width, corner, size))
        pictures = {width: draw(browser, width, 14, 1) for width in ICO_WIDTHS}
        (STATIC / "favicon.ico").write_bytes(ico(pictures))
        browser.close()


def draw(browser: Browser, width: int, corner: float, size: float) -> bytes:
    """The icon as a PNG of a width in pixels."""
    page = browser.new_page(viewport={"width": width, "height": width})
    style = "<style>body{margin:0}svg{display:block}</style>"
    page.set_content(style + favicon(corner, size))
    png = page.screenshot(omit_background=True)
    page.close()
    return png


def ico(pictures: dict[int, bytes]) -> bytes:
    """An ICO file of square PNGs by their width: a header, an entry for each, then the pictures."""
    offset = 6 + 16 * len(pictures)
    entries = b""
    for width, png in pictures.items():
        entries += struct.pack("<BBBBHHII", width, width, 0, 0, 1, 32, len(png), offset)
        offset += len(png)
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures.values())


if __name__ == "__main__":
    main(*sys.argv[1:2])
