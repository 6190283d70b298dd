"""Pictures of every kind of page at five sizes, light and dark, so that a change can be looked at as a whole.

    python -m tools.shots --out /tmp/shots
    python -m tools.shots --pages home,table --sizes 390x844 --schemes dark

It starts a site of its own in a temporary folder and fills it. ``index.html`` in the folder shows all the pictures.
Each page is also checked: it must not be wider than the screen, nor log an error. If a page fails, the exit status
is 1. The layout shift (CLS) of each page is printed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench import servers
from bench.browser import chromium
from tools.shots_scene import PageKind, Scene

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

SIZES: Final = ("390x844", "844x390", "1024x768", "1440x900", "2560x1440")
SCHEMES: Final = ("light", "dark")
_VIEWERS: Final = ("new", "guest", "anna", "vera")
_AT_REST: Final = 700  # milliseconds until what comes late has come
_SHIFTS: Final = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
_IS_WIDE: Final = "document.documentElement.scrollWidth > innerWidth"
_EXPECTED_ERRORS: Final = {"not-found": "404"}


@dataclass(frozen=True, slots=True)
class Shot:
    """A page at one size. ``files`` are its pictures, one per scheme; ``faults`` lists what is wrong with it."""

    page: str
    size: str
    files: list[str]
    shift: float
    faults: list[str]

    def __str__(self) -> str:
        said = "; ".join(self.faults) or "fine"
        return f"{self.page:20} {self.size:>9}  shift {self.shift:.4f}  {said}"


@dataclass
class Photographer:
    """Takes the pictures of a filled site into a folder."""

    address: str
    folder: Path
    schemes: Sequence[str]
    browsers: dict[str, BrowserContext] = field(default_factory=dict)

    def take(self, kind: PageKind, size: str) -> Shot:
        """Open the page at a size and take a picture in each scheme."""
        width, height = map(int, size.split("x"))
        page = self.browsers[kind.viewer].new_page()
        page.set_viewport_size({"width": width, "height": height})
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("console", lambda said: _note(kind, said, faults))
        page.add_init_script(_SHIFTS)
        page.emulate_media(color_scheme="dark" if self.schemes[0] == "dark" else "light")
        page.goto(self.address + kind.path)
        page.wait_for_timeout(_AT_REST)
        shift = float(page.evaluate("window.shift"))
        if page.evaluate(_IS_WIDE):
            faults.append("wider than the screen")
        files = [self._picture(page, kind, size, scheme) for scheme in self.schemes]
        page.close()
        return Shot(kind.name, size, files, shift, faults)

    def _picture(self, page: Page, kind: PageKind, size: str, scheme: str) -> str:
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        name = f"{kind.name}-{size}-{scheme}.png"
        page.screenshot(path=self.folder / name, full_page=True)
        return name


def _note(kind: PageKind, said: ConsoleMessage, faults: list[str]) -> None:
    expected = _EXPECTED_ERRORS.get(kind.name)
    if said.type == "error" and not (expected and expected in said.text):
        faults.append(f"console: {said.text}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 1 if a page is too wide or logs an error, and 2 for an unknown page, size or scheme."""
    chosen = _parser().parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        servers.site(Path(folder)) as port,
        chromium() as browser,
    ):
        address = f"http://127.0.0.1:{port}"
        photographer = Photographer(address, chosen.out, chosen.schemes, _open(browser))
        database = f"sqlite:///{Path(folder) / 'fairdeal.db'}"
        kinds = Scene(address, database, photographer.browsers).fill(chosen.pages)
        unknown = set(chosen.pages) - {kind.name for kind in kinds}
        if unknown:
            known = ", ".join(kind.name for kind in kinds)
            print(f"Unknown page: {', '.join(sorted(unknown))}. Pages: {known}.", file=sys.stderr)
            return 2
        shots = []
        for kind in kinds:
            for size in chosen.sizes if not chosen.pages or kind.name in chosen.pages else ():
                shots.append(photographer.take(kind, size))
                print(shots[-1], flush=True)
    (chosen.out / "index.html").write_text(contact_sheets(shots), encoding="utf-8")
    return int(any(shot.faults for shot in shots))


def contact_sheets(shots: Sequence[Shot]) -> str:
    """A page with a sheet for each kind of page."""
    parts = ["<!DOCTYPE html><meta charset=utf-8><title>Pages</title>"]
    parts.append("<style>img{height:30rem;margin:4px;border:1px solid gray}</style>")
    for name, group in groupby(shots, key=lambda shot: shot.page):
        parts.append(f"<h2 id={escape(name)}>{escape(name)}</h2>")
        for shot in group:
            parts.append(f"<p>{escape(str(shot))}</p>")
            parts += [f'<a href="{file}"><img src="{file}" alt=""></a>' for file in shot.files]
    return "\n".join(parts)


def _open(browser: Browser) -> dict[str, BrowserContext]:
    """A browser for each viewer. Service workers would answer instead of the site."""
    return {name: browser.new_context(service_workers="block") for name in _VIEWERS}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.shots",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--out", type=Path, default=Path("test-results/shots"), help="folder for the pictures")
    add("--pages", type=_names, default=[], help="such as home,games; without it all pages")
    add("--sizes", type=_some_of(SIZES), default=SIZES, help=f"some of {','.join(SIZES)}")
    add("--schemes", type=_some_of(SCHEMES), default=SCHEMES, help="light, dark or light,dark")
    return parser


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _some_of(known: Sequence[str]) -> Callable[[str], list[str]]:
    """A parser of lists of names that all have to be known."""

    def read(text: str) -> list[str]:
        names = _names(text)
        if not names or set(names) - set(known):
            raise argparse.ArgumentTypeError(f"not some of {', '.join(known)}: {text}")
        return names

    return read


if __name__ == "__main__":
    sys.exit(main())
