"""Passes of the stock without a play."""

from app.engine.stock_passes import idle_passes
from app.rulesets.klondike import KLONDIKE
from tests.engine.test_history import ROUND, STUCK, history_at, played


def test_whole_passes_without_a_play_are_counted_where_the_stock_is_empty():
    history = history_at(KLONDIKE, STUCK + "t7: 3H\n")
    assert idle_passes(played(history, "deal")) == []
    first = played(history, "deal", "deal")
    assert [len(positions) for positions in idle_passes(first)] == [3]
    assert idle_passes(played(first, "deal")) == []
    second = played(first, *ROUND)
    assert [len(positions) for positions in idle_passes(second)] == [3, 3]
    assert idle_passes(second)[0][0] == second.position


def test_a_pass_in_which_a_card_was_played_does_not_count():
    history = history_at(KLONDIKE, STUCK + "t7: 3H\nf1: AH\n")
    played_once = played(history, "deal", "t5-f1", "deal")
    assert idle_passes(played_once) == []
    assert len(idle_passes(played(played_once, *ROUND))) == 1
