"""Quick players: no click is lost and none counts twice, whatever the server is doing meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.fast_hands import FastHand, play_together, steps_of
from tests.golden.records import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext

    from tests.browser.game_page import GamePage

pytestmark = pytest.mark.long

WON = {record.ruleset: record for record in RECORDS if record.code and record.end == "won"}
SLOW = 300  # milliseconds an answer
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}


@pytest.mark.parametrize(
    ("ruleset", "begun", "latency"),
    [
        ("bristol", 0, 0),
        ("rouge-et-noir", 70, 0),
        ("falling-star", 150, 0),
        ("bristol", 34, SLOW),
    ],
)
def test_a_game_is_won_at_a_click_every_200_ms(
    new_context: Callable[..., BrowserContext],
    open_game: Callable[..., GamePage],
    ruleset: str,
    begun: int,
    latency: int,
) -> None:
    """By mouse and by touch at the same time, each on a page of its own.

    One game as a whole, of the others what comes after the first moves: still a deal, a drag and a lot of clicks.
    """
    record = WON[ruleset]
    steps = steps_of(record, begun)
    assert any(step.target for step in steps)
    assert any(step.pile == "stock" for step in steps)
    hands = []
    for by_touch in (False, True):
        page = new_context(**(PHONE if by_touch else {})).new_page()
        game_page = open_game(page, ruleset, record.code)
        if begun:
            game_page.play_unseen(record.moves[:begun])
        wire = page.context.new_cdp_session(page)
        if latency:
            wire.send("Network.enable")
            speed = {"downloadThroughput": -1, "uploadThroughput": -1, "offline": False}
            wire.send("Network.emulateNetworkConditions", {"latency": latency, **speed})
        hand = FastHand(page, steps, by_touch, anywhere=ruleset == "bristol", wire=wire)

        def note(request, hand=hand):
            hand.posted += request.url.endswith("/click")

        page.on("request", note)
        hands.append(hand)
    play_together(hands)
    for hand in hands:
        expect(hand.page.locator("#state")).to_have_attribute(
            "data-version", str(len(record.moves))
        )
        expect(hand.page.get_by_role("heading", name="You won!")).to_be_visible()
        assert hand.posted == hand.clicks
        assert hand.held <= hand.clicks // 10
        hand.page.context.close()
