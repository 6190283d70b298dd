"""What a player is told before the next move: that they only deal, or go in circles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.engine.cards import fresh_deck
from app.engine.history import History
from app.engine.notation import parse_position
from app.engine.ruleset import Ruleset
from app.games.model import Game, Kind
from app.games.moments import GameEvent
from app.games.view_models import NoticeLine
from app.games.warnings import before_next_move, with_ways_back
from app.rulesets import RULESETS
from app.rulesets.klondike import KLONDIKE, ONE_PASS, THREE_PASSES

CANNOT_MOVE = "stock: [7C 6S]\nt1: KH\nt2: KD\nt3: KS\nt4: KC\nt5: 2H\nt6: 2D\nt7: 3H\n"
CAN_MOVE = CANNOT_MOVE.replace("t6: 2D", "t6: AS")
TWICE = ("deal", "deal", "deal", "deal", "deal")
SAID = "You have been through the stock twice without playing a card."


def game_at(
    text: str, actions: tuple[str, ...], kind: Kind = Kind.OPEN, rules: Ruleset = KLONDIKE
) -> Game:
    """A game, usually of Klondike, from a position on."""
    opening = History.from_position(rules, parse_position(rules, text))
    game = Game.start(game_id="g", history=opening, code=None, owner_id="p", at_ms=0, kind=kind)
    for action in actions:
        game = game.after(GameEvent(action, 1000, "p", None))
    return game


def test_two_passes_of_the_stock_without_a_play_are_said_once_and_whether_a_card_can_move():
    notice = before_next_move(game_at(CAN_MOVE, TWICE))
    assert (notice.text, notice.ask) == (SAID, "")
    assert notice.second == "Some cards can still move: a hint shows you which."
    for others in (TWICE[:2], TWICE[:4], (*TWICE, "deal", "deal", "deal")):
        assert before_next_move(game_at(CAN_MOVE, others)).text != SAID


def test_where_no_card_can_move_undo_and_the_last_winnable_position_are_offered():
    notice = before_next_move(game_at(CANNOT_MOVE, TWICE))
    assert notice.text == SAID
    assert notice.second == "No card can move any more, so undo to try another way."
    assert notice.ask == "/games/g/help/winnable?last=true"
    assert notice.undo == "/games/g/undo"


def test_what_may_not_be_taken_back_is_not_offered():
    table = game_at(CANNOT_MOVE, TWICE)
    assert with_ways_back(NoticeLine(SAID), table).undo
    for other in (game_at(CANNOT_MOVE, ()), table.after(GameEvent("resign", 2000, "p", None))):
        assert not with_ways_back(NoticeLine(SAID), other).undo


def test_in_ranked_play_two_passes_are_said_without_advice():
    for text in (CAN_MOVE, CANNOT_MOVE):
        notice = before_next_move(game_at(text, TWICE, Kind.DAILY))
        assert (notice.text, notice.second, notice.ask) == (SAID, "", "")


def test_a_card_played_between_two_passes_begins_the_count_anew():
    game = game_at(CAN_MOVE, ("deal", "deal", "t6-t5", "deal", "deal", "deal"))
    assert before_next_move(game).text != SAID


# --- the stock


OUT = "The stock is empty: no more cards come."
LAST_PASS = "This is your last time through the stock."
ONCE = "You went through the stock without a play."


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (CAN_MOVE, "Look at the columns: a card there can still move."),
        (
            CANNOT_MOVE.replace("t5: 2H", "t5: 8D"),
            "Look again: a card from the stock can be played.",
        ),
        (CAN_MOVE.replace("t5: 2H", "t5: 8D"), "Look again: some cards can still move."),
        (CANNOT_MOVE, "No card can move any more, so undo to try another way."),
    ],
)
def test_a_pass_of_the_stock_without_a_play_is_said_and_where_to_look(text: str, where: str):
    notice = before_next_move(game_at(text, ("deal", "deal")))
    assert (notice.text, notice.second) == (ONCE, where)
    for others in (("deal",), ("deal", "deal", "deal"), ("deal", "deal", "undo")):
        assert ONCE not in before_next_move(game_at(text, others)).text


def test_in_ranked_play_a_pass_is_said_without_advice():
    notice = before_next_move(game_at(CAN_MOVE, ("deal", "deal"), Kind.DAILY))
    assert (notice.text, notice.second) == (ONCE, "")


def test_a_stock_of_one_pass_is_said_to_be_out_with_its_last_card():
    said = [
        before_next_move(game_at(CAN_MOVE, actions, rules=ONE_PASS)).text
        for actions in (("deal",), ("deal", "deal"), ("deal", "deal", "t6-t5"))
    ]
    assert [OUT in text for text in said] == [False, True, False]


def test_the_last_pass_of_a_stock_is_said_as_it_begins():
    rules = replace(THREE_PASSES, stock=replace(THREE_PASSES.stock, draws=1))
    said = [
        before_next_move(game_at(CAN_MOVE, ("deal",) * n, rules=rules)).text for n in range(1, 9)
    ]
    assert [LAST_PASS in text for text in said] == [False] * 5 + [True, False, False]
    assert [OUT in text for text in said] == [False] * 7 + [True]


def test_what_was_said_of_the_stock_is_not_said_again_after_an_undo():
    game = game_at(CAN_MOVE, ("deal", "deal", "t6-t5", "undo"), rules=ONE_PASS)
    assert OUT not in before_next_move(game).text


@pytest.mark.parametrize(
    "rules", [rules for rules in RULESETS if rules.can_deal], ids=lambda rules: rules.id
)
def test_in_every_game_the_end_of_the_stock_is_said_unless_it_comes_back(rules: Ruleset):
    history = History.start(rules, fresh_deck(rules.decks))
    game = Game.start(
        game_id="g", history=history, code=None, owner_id="p", at_ms=0, kind=Kind.DAILY
    )
    said = 0
    for _ in range(rules.cards):
        actions = game.legal_actions
        if not actions or (game.version and not game.position.piles[rules.layout.stock].cards):
            break
        action = next((each for each in actions if str(each) == "deal"), actions[0])
        game = game.after(GameEvent(str(action), 1000, "p", None))
        said += OUT in before_next_move(game).text
    assert not game.position.piles[rules.layout.stock].cards
    assert said == (rules.stock.redeals == 0)
