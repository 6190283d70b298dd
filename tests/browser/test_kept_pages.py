"""A page that other tests had is like a new one."""

from __future__ import annotations

import pytest

from tests.browser.conftest import GUIDED
from tests.browser.kept_pages import KeptPages

LEFT = """() => [
  document.cookie, localStorage.length, sessionStorage.length, innerWidth, innerHeight,
  ...["dark", "light"].map((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches),
  matchMedia("(prefers-reduced-motion: reduce)").matches,
  document.querySelectorAll("main:hover").length,
]"""
MARKS = """() => {
  document.cookie = "mark=1";
  localStorage.mark = sessionStorage.mark = 1;
}"""


@pytest.fixture
def pages(browser, site_address):
    pages = KeptPages(browser, site_address)
    yield pages
    pages.close()


def test_nothing_is_left_of_the_test_before(pages, site_address):
    there = f"{site_address}/rules/bristol"
    new = pages.lend({})
    new.goto(there)
    clean = new.evaluate(LEFT)
    pages.take_back(is_kept=True)

    used = pages.lend(
        {
            "viewport": {"width": 390, "height": 844},
            "color_scheme": "dark",
            "reduced_motion": "reduce",
            "storage_state": GUIDED,
        }
    )
    assert used is new
    used.goto(there)
    used.evaluate(MARKS)
    used.locator("main").hover()
    used.route("**/rules/**", lambda route: route.abort())
    used.context.new_page()
    marked = used.evaluate(LEFT)
    assert [one == two for one, two in zip(clean, marked, strict=True)] == [False] * len(clean)
    pages.take_back(is_kept=True)

    again = pages.lend({})
    assert again is new
    assert again.context.cookies() == []
    again.goto(there)
    assert again.evaluate(LEFT) == clean
    assert again.context.pages == [again]


def test_two_people_and_two_kinds_of_browsers_have_pages_of_their_own(pages):
    lent = [pages.lend(options) for options in ({}, {}, {"has_touch": True})]
    assert len({page.context for page in lent}) == 3


def test_no_page_of_a_failed_test_is_lent_again(pages):
    page = pages.lend({})
    pages.take_back(is_kept=False)
    assert page.is_closed()
    assert pages.lend({}) is not page
