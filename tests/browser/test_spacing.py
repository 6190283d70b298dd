"""Distances on small screens: what is to be clicked lies apart, and nothing lies under something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
GAP = """([above, below]) => document.querySelector(below).getBoundingClientRect().top
  - document.querySelector(above).getBoundingClientRect().bottom"""
MIDDLES = """(parts) => parts.map((part) => {
  const { top, bottom } = document.querySelector(part).getBoundingClientRect();
  return (top + bottom) / 2;
})"""


def test_on_a_phone_a_link_below_a_button_does_not_lie_on_it(
    page_with: Callable[..., Page], site_address: str
) -> None:
    page = page_with(**PHONE)
    page.goto(f"{site_address}/rules/klondike")
    assert page.evaluate(GAP, [".in-short button", ".in-short form + p a"]) >= 12


def test_on_a_phone_a_checkbox_is_in_the_line_of_its_words(
    page_with: Callable[..., Page], site_address: str
) -> None:
    page = page_with(**PHONE)
    page.request.post(f"{site_address}/api/v1/games", data={"ruleset": "klondike"})
    page.goto(f"{site_address}/me/account")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    box, words = page.evaluate(MIDDLES, [".choice input", ".choice span"])
    assert abs(box - words) <= 2


def test_on_its_side_the_menu_has_one_line_for_who_can_watch(
    page_with: Callable[..., Page], site_address: str
) -> None:
    page = page_with(**{**PHONE, "viewport": {"width": 844, "height": 390}})
    page.goto(f"{site_address}/rules/klondike")
    dealt = page.request.post(f"{site_address}/api/v1/games", data={"ruleset": "klondike"})
    page.goto(f"{site_address}/games/{dealt.json()['id']}")
    page.locator(".menu > summary").click()
    page.locator(".sharing > summary").click()
    expect(page.locator(".audience > summary span").first).to_be_visible()
    expect(page.locator(".audience > summary small")).to_be_hidden()  # it has no room there
