"""What a move makes way for at once, as a hint says behind "Why?"."""

import pytest

from app.engine.actions import parse_action
from app.engine.notation import parse_position
from app.rulesets import find_ruleset
from app.solver.follow_ups import follow_up_sentence
from app.solver.sight import see


@pytest.mark.parametrize(
    ("ruleset", "text", "move", "said"),
    [
        ("freecell", "t1: AH 9C KD", "t1-c1", ""),
        ("freecell", "t1: 5H AH 9C", "t1-c1", "Then the ace of hearts can go home."),
        ("freecell", "f1: AS\nt1: 9C 2S\nt2: 3S", "t1-f1", "Then the three of spades can go home."),
        (  # the cell becomes free
            *("freecell", "c1: 8H\nt1: 9C KD\nt2: 5H 4S", "t1-c2"),
            "Then the eight of hearts can go on the nine of clubs.",
        ),
        (  # a column becomes empty
            *("freecell", "t1: 9C KD\nt2: 8H\nt3: 5C 5S", "t1-c1"),
            "Then the eight of hearts can go on the nine of clubs.",
        ),
        ("freecell", "t1: 9C KD\nt2: 5C 8H\nt3: 5S", "t1-c1", ""),  # only from column to column
        (
            *("klondike", "waste: 8H\nt1: 9C\nt2: 9S 8D", "t2-t1"),
            "Then the eight of hearts can go on the nine of spades.",
        ),
        ("klondike", "t1: 9C 8H\nt2: [2D] 7S\nt3: 9S", "t1-t3", ""),  # it could do so before
        ("klondike", "t1: [AH] 5S\nt2: 6H", "t1-t2", ""),  # nobody has seen what it turns up
        ("klondike", "stock: [2H 3H]", "deal", ""),
    ],
)
def test_a_move_is_explained_by_what_matters_of_what_can_follow(
    ruleset: str, text: str, move: str, said: str
):
    rules = find_ruleset(ruleset)
    assert rules
    sight = see(parse_position(rules, text))
    assert follow_up_sentence(rules, sight, parse_action(rules.layout, move)) == said
