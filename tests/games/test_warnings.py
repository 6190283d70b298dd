"""What a player is told before the next move: that they only deal, or go in circles."""

from __future__ import annotations

from app.engine.history import History, _Step
from app.engine.notation import parse_position
from app.games.model import Game, Kind
from app.games.moments import GameEvent
from app.games.warnings import before_next_move
from app.rulesets.klondike import KLONDIKE

CANNOT_MOVE = "stock: [7C 6S]\nt1: KH\nt2: KD\nt3: KS\nt4: KC\nt5: 2H\nt6: 2D\nt7: 3H\n"
CAN_MOVE = CANNOT_MOVE.replace("t6: 2D", "t6: AS")
TWICE = ("deal", "deal", "deal", "deal", "deal")
SAID = "You have been through the stock twice without playing a card."


def game_at(text: str, actions: tuple[str, ...], kind: Kind = Kind.OPEN) -> Game:
    """A game of Klondike from a position on."""
    opening = History(KLONDIKE, _Step(parse_position(KLONDIKE, text), None, None, 0), None)
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


def test_where_no_card_can_move_the_last_winnable_position_is_offered():
    notice = before_next_move(game_at(CANNOT_MOVE, TWICE))
    assert notice.text == SAID
    assert notice.second == "No card can move any more, so undo to try another way."
    assert notice.ask == "/games/g/help/winnable?last=true"


def test_in_ranked_play_two_passes_are_said_without_advice():
    for text in (CAN_MOVE, CANNOT_MOVE):
        notice = before_next_move(game_at(text, TWICE, Kind.DAILY))
        assert (notice.text, notice.second, notice.ask) == (SAID, "", "")


def test_a_card_played_between_two_passes_begins_the_count_anew():
    game = game_at(CAN_MOVE, ("deal", "deal", "t6-t5", "deal", "deal", "deal"))
    assert before_next_move(game).text != SAID
