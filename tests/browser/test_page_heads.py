"""Where pages begin: every heading at one height and of one size, and the places of a phone apart."""

from __future__ import annotations

import pytest

from tests.browser.faults import all_faults, resize

PAGES = (
    *(
        "/games",
        "/daily",
        "/daily/check",
        "/daily/archive",
        "/together",
        "/challenge",
        "/watch",
        "/race",
        "/race/open",
    ),
    *("/leagues", "/ratings", "/settings", "/rules/spider", "/rules/bristol", "/winnability"),
    *("/privacy", "/removals", "/deal/bristol/7KQ4M-2XWTP", "/api/docs", "/no-such-page"),
)
HEAD = """() => {
  const head = document.querySelector("h1");
  const next = head.nextElementSibling;
  const isBeside = next && next.getBoundingClientRect().top < head.getBoundingClientRect().bottom;
  const gap = next && !isBeside ? next.getBoundingClientRect().top - head.getBoundingClientRect().bottom : 99;
  return [Math.round(head.getBoundingClientRect().top), getComputedStyle(head).fontSize, gap >= 4];
}"""


def test_every_page_begins_at_one_height_and_in_one_size(page_with, site_address: str):
    page = page_with(viewport={"width": 1440, "height": 900})
    heads = {}
    for path in PAGES:
        page.goto(site_address + path)
        heads[path] = page.evaluate(HEAD)
    assert len({tuple(head) for head in heads.values()}) == 1, heads


@pytest.mark.parametrize("size", [(1024, 768), (1440, 900), (1920, 1080), (2560, 1440)])
def test_all_places_have_one_width(page_with, site_address: str, size: tuple[int, int]):
    page = page_with(viewport={"width": size[0], "height": size[1]})
    widths = {}
    for path in ("/", "/games", "/daily", "/together", "/watch", "/me"):
        page.goto(site_address + path)
        widths[path] = page.evaluate(
            "[...document.querySelectorAll('main, .foot')].map(part => part.clientWidth)"
        )
    assert len({tuple(width) for width in widths.values()}) == 1, widths


@pytest.mark.parametrize("language", ["en", "de", "fr", "pl"])
def test_on_a_phone_the_words_of_the_places_are_apart(page_with, site_address: str, language: str):
    page = page_with(locale=language)
    page.goto(f"{site_address}/together")
    with all_faults() as at:
        for width in (320, 390):
            with at(f"{language}, {width} pixels"):
                resize(page, width, 700)
                gaps = page.locator(".places a").evaluate_all("""links => links.map(link => {
                  const words = document.createRange();
                  words.selectNodeContents(link);
                  return words.getBoundingClientRect();
                }).map(({ left }, n, all) => n ? left - all[n - 1].right : 99)""")
                assert min(gaps) >= 5.5, gaps


def test_the_numbers_of_the_table_are_level_with_its_parts_under_a_finger(page_with, site_address):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"{site_address}/rules/spider")
    off = page.locator(".parts a").evaluate_all(
        """links => links.map((link) => {
          const text = document.createRange();
          text.selectNodeContents(link);
          const middle = (box) => box.top + box.height / 2;
          return middle(text.getBoundingClientRect()) - middle(link.parentElement.getBoundingClientRect());
        })"""
    )
    assert len(off) == 3
    assert all(abs(by) < 2 for by in off), off
