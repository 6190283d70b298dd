"""Whole games and single moves in a browser: by clicks, by dragging, by touch, by keyboard."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.engine.actions import Move, parse_action
from app.games.clicks import Grip
from tests.browser.game_page import keep_runs
from tests.golden.records import RECORDS

pytestmark = pytest.mark.kept_page

BRISTOL = KLONDIKE = "7KQ4M-2XWTP"
WITH_A_CHOICE = "00000-00003"  # Bristol: t3 may go to t4 or t7, and to no foundation
LEFT_BEHIND = ".ghost, .lifted, .dragging, .over, .lit"
WON = {r.ruleset: r for r in RECORDS if r.code and r.end == "won"}


@pytest.mark.long
@pytest.mark.parametrize("ruleset", ["bristol", "scorpion"])
def test_a_whole_game_is_played_to_its_end(page, site_address, deal_on_the_games_page, ruleset):
    keep_runs(page, site_address)  # the record takes them home
    record = WON[ruleset]
    game_page = deal_on_the_games_page(page, ruleset, record.code)
    for move in record.moves:
        game_page.play(move)
    expect(page.get_by_role("heading", name="You won!")).to_be_visible()
    expect(page.locator(".ghost")).to_have_count(0)  # the short moment is over
    assert game_page.page_errors == []


def test_a_complete_run_leaves_the_table_and_undo_brings_it_back(page, open_game):
    record = WON["spider-one-suit"]
    taken = next(number for number, move in enumerate(record.moves) if move.endswith("-f1:13"))
    game_page = open_game(page, record.ruleset, record.code)
    game_page.play_unseen(record.moves[: taken - 1])
    page.wait_for_load_state()
    move = parse_action(game_page.history.rules.layout, record.moves[taken - 1])
    assert isinstance(move, Move)
    game_page.drag(str(Grip(move.source, move.count)), move.target)
    game_page.expect_version(taken + 1)
    assert record.moves[taken] not in game_page.moves
    page.get_by_role("button", name="Undo").click()
    game_page.expect_version(taken + 2)
    assert record.moves[taken] in game_page.moves
    expect(game_page.notice).to_contain_text("A run is complete")


def test_a_card_with_a_choice_lights_its_targets_and_escape_lets_go(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    game_page.click("t3")
    expect(page.locator(".pile.lit")).to_have_count(2)
    choice = "choose the five of diamonds or the five of hearts"
    expect(game_page.notice).to_contain_text(choice)
    expect(page.locator(".toast")).to_contain_text(choice)  # which lies at the card, for all to see
    page.keyboard.press("Escape")
    expect(page.locator(".pile.lit")).to_have_count(0)
    expect(page.locator(".toast")).to_have_count(0)
    game_page.click("t3")
    game_page.click("t7")
    game_page.expect_version(1)


def test_a_click_anywhere_in_a_column_is_a_click_on_its_last_card(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    column = page.locator("#t3").bounding_box()
    page.mouse.click(column["x"] + 20, column["y"] + column["height"] - 10)
    expect(game_page.card("t3")).to_have_attribute("aria-pressed", "true")


def test_a_dragged_card_goes_where_it_is_dropped(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    game_page.drag("t3", "t4")
    game_page.expect_version(1)
    expect(page.locator(LEFT_BEHIND)).to_have_count(0)
    expect(game_page.notice).to_contain_text("on the five of diamonds.")


def test_a_card_picked_up_while_it_is_still_under_way_is_dropped_where_the_hand_is(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    game_page.drag("t3", "t4")
    game_page.expect_version(1)
    _slow_down(page)
    page.keyboard.press("u")
    game_page.expect_version(2)
    game_page.drag("t3", "t7")
    game_page.expect_version(3)
    expect(game_page.notice).to_contain_text("on the five of hearts.")


def test_a_card_dropped_on_an_illegal_target_returns_and_the_page_says_why(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    game_page.drag("t3", "f1")
    expect(game_page.notice).to_have_text("An empty foundation starts with an ace.")
    expect(page.locator(LEFT_BEHIND)).to_have_count(0)
    game_page.expect_version(0)


def test_under_the_mouse_no_card_lights_up_where_a_drop_was_refused(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    target = next(f"t{n}" for n in range(1, 9) if n != 3 and f"t3-t{n}" not in game_page.moves)
    card = game_page.card(target).locator("svg")
    with page.expect_response("**/move"):
        game_page.drag("t3", target)
    page.mouse.move(*_corner(game_page, target))
    expect(card).to_have_css("translate", "none")
    page.mouse.move(1, 1)
    page.mouse.move(*_corner(game_page, target))
    expect(card).to_have_css("translate", "0px -2px")


def _corner(game_page, grip):
    box = game_page.box(grip)
    return box["x"] + 8, box["y"] + 8


def test_a_card_dropped_nowhere_returns_without_a_word(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    card = game_page.box("t3")
    page.mouse.move(card["x"] + 10, card["y"] + 10)
    page.mouse.down()
    page.mouse.move(card["x"] + 30, card["y"] + 420, steps=4)
    expect(page.locator(".pile.lit")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(LEFT_BEHIND)).to_have_count(0)
    page.mouse.up()
    game_page.expect_version(0)


def test_a_whole_run_is_dragged_by_its_first_card(page, open_game):
    record = WON["rouge-et-noir"]
    game_page = open_game(page, "rouge-et-noir", record.code)
    long = next(i for i, move in enumerate(record.moves) if ":" in move)
    game_page.play_unseen(record.moves[:long])
    run, target = record.moves[long].split("-")
    target, count = target.split(":")
    game_page.drag(f"{run}:{count}", target)
    game_page.expect_version(long + 1)


def test_a_finger_taps_and_drags(page_with, open_game):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    game_page.card("t3").tap()
    expect(page.locator(".pile.lit")).to_have_count(2)
    page.locator("#stock button").tap()
    game_page.expect_version(1)
    page.locator(".rail .undo").tap()
    game_page.expect_version(2)
    start, end = game_page.box("t3"), game_page.box("t7")
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, x: float, y: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start["x"] + 20, start["y"] + 20)
    for step in range(1, 6):
        x = start["x"] + 20 + (end["x"] - start["x"]) * step / 5
        y = start["y"] + 20 + (end["y"] - start["y"]) * step / 5
        touch("touchMove", x, y)
    touch("touchEnd", 0, 0)
    game_page.expect_version(3)
    expect(game_page.notice).to_contain_text("on the five of hearts.")


def test_the_keyboard_alone_plays(page, open_game):
    record = WON["bristol"]
    game_page = open_game(page, "bristol", record.code)
    for version, move in enumerate(record.moves[:12]):
        if move == "deal":
            page.keyboard.press("d")
        else:
            source, target = move.split("-")
            _tab_to(page, source)
            page.keyboard.press("Enter" if version % 2 else "Space")
            game_page.page.wait_for_load_state()
            if _is_held_at(page, source, version):
                _tab_to(page, target)
                page.keyboard.press("Enter")
        game_page.expect_version(version + 1)
    page.keyboard.press("u")
    game_page.expect_version(13)
    page.keyboard.press("r")
    game_page.expect_version(14)


def _slow_down(page) -> None:
    """Let every animation take a hundred times as long."""
    wire = page.context.new_cdp_session(page)
    wire.send("Animation.enable")
    wire.send("Animation.setPlaybackRate", {"playbackRate": 0.01})


def _tab_to(page, value: str) -> None:
    """Press Tab until the button of a place has the focus."""
    wanted = page.locator(f'#table button[value="{value}"]')
    if page.locator("#table button:focus").count() == 0:
        page.keyboard.press("ArrowRight")
    for _ in range(60):
        if wanted.evaluate("button => button === document.activeElement"):
            return
        page.keyboard.press("Tab")
        if page.locator("#table button:focus").count() == 0:
            page.locator("#table button").first.focus()
    raise AssertionError(value)


def _is_held_at(page: Page, pile: str, version: int) -> bool:
    """Whether what was pressed is held now, and not played at once."""
    held = page.locator(f"#{pile} [aria-pressed=true]")
    played = page.locator(f'#state[data-version="{version + 1}"]')
    expect(held.or_(played)).to_be_attached()
    return held.count() > 0


def test_arrows_walk_from_pile_to_pile(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    game_page.card("t4").focus()
    walked = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
        walked.append(page.locator("#table button:focus").get_attribute("value"))
    assert walked == ["t5", "t6", "t5", "r3", "r2", "t4"]
    game_page.card("t8").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#table button:focus").get_attribute("value").startswith("f")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#table button:focus").get_attribute("value") == "t8"


def test_up_and_down_stay_in_their_column_until_they_leave_it_upwards(page, open_game):
    game_page = open_game(page, "klondike", KLONDIKE)
    game_page.card("t3").focus()
    focused = page.locator("#table button:focus")
    page.keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("value", "t3")
    page.keyboard.press("ArrowUp")
    expect(focused).not_to_have_attribute("value", re.compile("^t"))


def test_the_focus_survives_every_answer(page, open_game):
    record = WON["bristol"]
    game_page = open_game(page, "bristol", record.code)
    for move in record.moves[:20]:
        if move != "deal":
            game_page.card(move.split("-")[0]).focus()
        game_page.play(move)
        expect(page.locator("#table button:focus, .rail button:focus")).to_have_count(1)


def test_the_keys_are_shown_and_put_away(page, open_game):
    open_game(page, "bristol", BRISTOL)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(keys.get_by_role("heading")).to_have_text(
        ["Keyboard shortcuts", "Move", "Take back", "Help"]
    )
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.locator(".menu > summary").click()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(keys).to_be_visible()


def test_a_card_is_first_painted_where_it_comes_from(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    page.evaluate("""() => {
        const left = (selector) => document.querySelector(selector).getBoundingClientRect().left;
        window.painted = new Promise((done) => document.addEventListener("htmx:after:swap", () =>
            requestAnimationFrame(() => done([left("#r1 button svg"), left("#stock button"), left("#r1")]))));
    }""")
    page.keyboard.press("d")
    card, stock, pile = page.evaluate("window.painted")
    assert abs(card - stock) < 3 < abs(stock - pile)
    game_page.expect_version(1)


def test_who_wants_calm_gets_no_travel(page_with, open_game):
    page = page_with(reduced_motion="reduce")
    game_page = open_game(page, "bristol", BRISTOL)
    moving = """() => document.getAnimations().filter(
        (a) => a.effect.getKeyframes().some((frame) => "transform" in frame)).length"""
    page.keyboard.press("d")
    game_page.expect_version(1)
    assert page.evaluate(moving) == 0
