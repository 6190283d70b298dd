"""Pages that one test after another may have, each as good as new.

A page in a new context costs the processor three times as much as one that has shown a table before: the browser
starts a process, which reads and compiles all scripts and styles again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Never

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Browser, Page

_USUAL: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 720},
    "color_scheme": "light",
    "reduced_motion": "no-preference",
}
"""What can be changed in an open page, as Playwright has it in a new one."""

CLEAR = """() => {
  localStorage.clear();
  sessionStorage.clear();
  return !/native code/.test(`${performance.now}`);
}"""
"""Forget what the page stored, and say whether its clock is not that of the browser, which stays in all later pages."""


def _refuse(*_: object, **__: object) -> Never:
    raise AssertionError(
        "this test leaves a script at the start of each page: it needs a page of its own"
    )


class KeptPages:
    """Pages of one browser, which nobody has while they are free.

    Not for tests that leave what cannot be taken back: scripts at the start of each page, or a clock.
    """

    def __init__(self, browser: Browser, site_address: str) -> None:
        self._browser = browser
        self._nowhere = (
            f"{site_address}/robots.txt"  # of the site, whose process stays, but runs nothing
        )
        self._free: dict[str, list[Page]] = {}
        self._lent: list[tuple[str, Page]] = []

    def lend(self, options: Mapping[str, Any]) -> Page:
        """A page like that of a new context with these options."""
        changing = {name: options.get(name, usual) for name, usual in _USUAL.items()}
        cookies = options.get("storage_state", {}).get("cookies", [])
        others = options.keys() - changing.keys() - {"storage_state"}
        lasting = {name: options[name] for name in sorted(others)}
        kind = repr(lasting)
        free = self._free.setdefault(kind, [])
        page = free.pop() if free else self._new_page(lasting)
        self._lent.append((kind, page))
        size = changing.pop("viewport")
        if page.viewport_size != size:
            page.set_viewport_size(size)
        page.emulate_media(media="null", forced_colors="none", **changing)
        if cookies:
            page.context.add_cookies(cookies)
        return page

    def _new_page(self, options: Mapping[str, Any]) -> Page:
        page = self._browser.new_context(service_workers="block", **options).new_page()
        for owner in (page, page.context):
            vars(owner)["add_init_script"] = _refuse
        return page

    def take_back(self, *, is_kept: bool) -> None:
        """Clear the pages that a test had, or close them after a failure."""
        lent, self._lent = self._lent, []
        for kind, page in lent:
            if is_kept and not page.is_closed():
                self._clear(page)
                self._free[kind].append(page)
            else:
                page.context.close()

    def close(self) -> None:
        """Close all pages."""
        for pages in self._free.values():
            for page in pages:
                page.context.close()

    def _clear(self, page: Page) -> None:
        context = page.context
        for other in context.pages:
            if other != page:
                other.close()
        page.unroute_all()
        context.unroute_all()
        page.set_extra_http_headers({})
        page.mouse.move(0, 0)  # where it is in a new page
        page.goto(self._nowhere)
        has_a_clock = page.evaluate(CLEAR)
        assert not has_a_clock, "this test installs a clock: it needs a page of its own"
        context.clear_cookies()
