"""What stands behind "More" in the panel of a game that has ended."""

from __future__ import annotations

import pytest

from app.games.end_card import EndCard, ToldWin
from app.games.end_choices import folded_choices

LOST = EndCard("No moves left", "", may_undo=True, may_look_back=True, may_review=True)
RESIGNED = EndCard("You resigned", "", may_undo=False, may_review=True)
WON = EndCard("You won!", "", may_undo=False, may_review=True, win=ToldWin(shared="Bristol: won"))
LED = EndCard("You won!", "", may_undo=False, may_review=True, win=ToldWin(code_without_hints="A"))


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        (LOST, ("again", "review", "replay", "deal", "games")),
        (RESIGNED, ("replay", "challenge", "deal", "games")),
        (WON, ("deal", "replay", "games")),
        (LED, ("replay", "challenge", "deal", "games")),
    ],
    ids=["lost", "resigned", "won", "led by hints"],
)
def test_a_review_is_in_sight_once_the_game_has_ended(ending: EndCard, expected: tuple[str, ...]):
    assert folded_choices(ending, has_deal_page=True, has_board=False) == expected


@pytest.mark.parametrize("ending", [RESIGNED, WON, LED])
def test_a_game_of_a_race_or_a_daily_deal_leaves_only_its_replay(ending: EndCard):
    assert folded_choices(ending, has_deal_page=False, has_board=True) == ("replay",)


def test_who_wanted_to_challenge_a_friend_has_that_first_and_not_twice():
    wanted = EndCard("You resigned", "", may_undo=False, is_for_challenge=True)
    assert "challenge" not in folded_choices(wanted, has_deal_page=True, has_board=False)
