"""Requests that a test answers or holds back in a page that is open already."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Pattern

    from playwright.sync_api import Page, Route

_PROBE = "/is-it-intercepted"
_UNTIL_INTERCEPTED = f"""async (status) => {{
    while ((await fetch("{_PROBE}")).status !== status) await new Promise((done) => setTimeout(done, 10));
}}"""


def intercept(page: Page, address: str | Pattern[str], answer: Callable[[Route], object]) -> None:
    """Route requests, and wait until the page's scripts do send them that way.

    The browser says that it does before the open page has heard of it: a key that is pressed at once may be faster.
    """
    page.route(address, lambda route: answer(route))  # noqa: PLW0108  (Playwright marks its handlers)
    page.route(f"**{_PROBE}", lambda route: route.fulfill(status=HTTPStatus.NO_CONTENT))
    page.evaluate(_UNTIL_INTERCEPTED, HTTPStatus.NO_CONTENT)
    page.unroute(f"**{_PROBE}")
