"""Actions as text and back."""

import pytest

from app.engine.actions import DEAL, Deal, Move, parse_action
from app.engine.ruleset import PileId
from app.rulesets import RULESETS
from app.rulesets.bristol import BRISTOL
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.signora import SIGNORA


def move(source: str, target: str, count: int = 1) -> Move:
    return Move(PileId(source), PileId(target), count)


def test_one_card_several_cards_and_the_deal():
    """ "A move is SOURCE-TARGET for one card, SOURCE-TARGET:N for N cards as a unit, or deal." """
    layout = ROUGE_ET_NOIR.layout
    assert parse_action(layout, "t3-f1") == move("t3", "f1")
    assert parse_action(layout, "t2-t10:4") == move("t2", "t10", 4)
    assert parse_action(layout, "deal") == DEAL == Deal()
    assert parse_action(SIGNORA.layout, "waste-t1") == move("waste", "t1")
    assert str(move("t3", "f1")) == "t3-f1"
    assert str(move("t2", "t10", 4)) == "t2-t10:4"
    assert str(DEAL) == "deal"


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_parse_is_the_inverse_of_print(rules):
    names = rules.layout.ids
    moves = [Move(a, b, count) for a in names for b in names for count in (1, 2, 13, 104)]
    for action in (DEAL, *moves):
        assert parse_action(rules.layout, str(action)) == action


def test_a_count_of_one_may_be_written():
    assert parse_action(BRISTOL.layout, "t1-t2:1") == move("t1", "t2")


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "-", "t1", "t1-", "-t1", "t1-t2-t3", "t1 t2", "t1-t2:", "t1-t2:0", "t1-t2:-1"),
        *(
            "t1-t2:01",
            "t1-t2:1000",
            "t1-t2:x",
            "t1-t2:4:4",
            "t1–t2",
            "T1-T2",
            "DEAL",
            "deal ",
            "dea",
        ),
        *(
            " deal",
            "deal\n",
            "t1-t2\n",
            "t1-t2 ",
            "\0",
            "t1-t2\0",
            "t\u0661-t2",
            "t1-t2:\uff14",
            "t-t:t",
            "undo",
        ),
        *("x" * 5000, "t1-" * 999, "🂡-🂢"),
    ],
)
def test_text_that_is_not_a_move(text):
    with pytest.raises(ValueError, match="is not a move: write t3-f1, t2-t5:4 or deal") as caught:
        parse_action(BRISTOL.layout, text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text", ["t9-t1", "t1-t9", "t0-t1", "t01-t1", "waste-t1", "stock1-t1", "r-t1"]
)
def test_unknown_piles(text):
    with pytest.raises(ValueError, match=r"This game has no pile \w+\."):
        parse_action(BRISTOL.layout, text)


def test_the_same_text_means_its_own_pile_in_each_game():
    assert parse_action(SIGNORA.layout, "t9-f8") == move("t9", "f8")
    with pytest.raises(ValueError, match="This game has no pile"):
        parse_action(BRISTOL.layout, "t9-f8")
