"""Fans that a long press spreads, and the cards in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.kept_page

BRISTOL = "7KQ4M-2XWTP"
WITH_A_CHOICE = "00000-00003"  # Bristol: t3 may go to t4 or t7, and to no foundation


def test_a_long_press_spreads_a_fan_and_plays_nothing(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    fan = game_page.history.position.piles[game_page.history.rules.layout.index["t1"]]
    box = game_page.box("t1")
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    expect(page.locator(".spread svg")).to_have_count(len(fan.cards))
    page.mouse.up()
    page.wait_for_timeout(300)
    game_page.expect_version(0)
    expect(page.locator(".pile [aria-pressed=true], .lifted, .ghost")).to_have_count(0)
    page.mouse.click(5, 400)
    expect(page.locator(".spread")).to_have_count(0)
    game_page.card("t1").click(delay=50)  # a short press still plays
    expect(
        page.locator(".pile [aria-pressed=true], #state[data-version='1'], #notice .why")
    ).not_to_have_count(0)


def test_a_fan_that_is_spread_marks_the_card_pressed_and_closes_without_playing(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    game_page.click("t3")
    held = page.locator("#table button[aria-pressed=true]")
    expect(held).to_have_count(1)
    box, other = game_page.box("t5"), game_page.box("t7")
    spread = page.locator(".spread")
    fan = game_page.history.position.piles[game_page.history.rules.layout.index["t5"]].cards
    for put_away in (
        lambda: page.mouse.click(other["x"] + 10, other["y"] + 10),  # where the held card could go
        lambda: page.keyboard.press("Escape"),
    ):
        page.mouse.move(box["x"] + 10, box["y"] + 10)
        page.mouse.down()
        expect(spread).to_be_visible()
        page.mouse.up()
        expect(spread.locator(".pressed use")).to_have_attribute(
            "href", re.compile(f"#{fan[-1].text}$")
        )
        put_away()
        expect(spread).to_have_count(0)
        page.wait_for_timeout(200)
        expect(held).to_have_count(1)
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    expect(spread).to_be_visible()
    page.mouse.up()
    page.get_by_role("button", name="Hint").click()  # what is no pile does what it says
    expect(spread).to_have_count(0)
    expect(game_page.notice).to_contain_text(re.compile("Play|Deal"))
    page.keyboard.press("Escape")
    game_page.click("t3")
    game_page.click("t7")  # the next touch plays again
    game_page.expect_version(1)


def test_a_fan_that_is_spread_closes_when_its_cards_change(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    box = game_page.box("t3")
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    expect(page.locator(".spread")).to_be_visible()
    page.mouse.up()
    page.request.post(f"{page.url}/move", form={"version": 0, "move": "t3-t7"})  # another window
    expect(page.locator("#state[data-version='1']")).to_be_attached()
    expect(page.locator(".spread")).to_have_count(0)


def test_a_hand_that_has_looked_at_a_fan_drags_its_card(page, open_game):
    game_page = open_game(page, "bristol", "00000-00003")
    start, end = game_page.box("t3"), game_page.box("t7")
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    expect(page.locator(".spread")).to_be_visible()
    page.mouse.move(start["x"] + 28, start["y"] + 28)  # a finger that rolls only looks
    expect(page.locator(".spread")).to_be_visible()
    page.mouse.move(end["x"] + 20, end["y"] + 20, steps=4)
    expect(page.locator(".spread")).to_have_count(0)
    page.mouse.up()
    game_page.expect_version(1)
    expect(game_page.notice).to_contain_text("on the five of hearts.")


def test_a_card_of_a_fan_that_was_spread_can_be_picked_up_there(page, open_game):
    game_page = open_game(page, "yukon", "00000-00001")
    move = next(move for move in game_page.moves if re.fullmatch(r"t\d-t\d:\d+", move))
    source, count = move.split("-")[0], int(move.split(":")[1])
    top = game_page.box(source)
    page.mouse.move(top["x"] + 10, top["y"] + 10)
    page.mouse.down()
    copies = page.locator(".spread svg")
    expect(copies.first).to_be_visible()
    page.mouse.up()
    face = copies.nth(-count).locator("use").get_attribute("href")
    copies.nth(-count).click()
    expect(copies).to_have_count(0)
    lifted = page.locator(f'#table button[value="{source}:{count}"][aria-pressed=true]')
    expect(page.locator("#state[data-version='1']").or_(lifted)).to_have_count(1)
    if lifted.count():
        assert lifted.locator("use").first.get_attribute("href") == face
        game_page.click(move.split("-")[1].split(":")[0])
    game_page.expect_version(1)
