"""Winning lines that are shown to somebody, without loops and without moves that nothing needs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.tasks import find_turning_point
from app.deals import starters
from app.engine.actions import Action, parse_action
from app.engine.deal import opening
from app.engine.history import History
from app.engine.notation import parse_position
from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import apply, is_won
from app.rulesets import find_revision
from app.rulesets.freecell import FREECELL
from app.rulesets.klondike import KLONDIKE
from app.solver.solve import Budget, solve_from
from app.solver.vain_moves import without_vain_moves
from tests.golden.records import RECORDS

LAST = """
f1: AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS
f2: AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH
f3: AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC
f4: AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD
t1: KS
t2: KD
"""

QUEEN = """
stock: [KS]
f1: AS 2S 3S 4S 5S 6S 7S 8S 9S
f2: AH 2H 3H 4H 5H 6H 7H 8H
f3: AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC
f4: AD 2D 3D 4D 5D 6D 7D 8D 9D TD
waste: 9H
t1: KH QS JD TS
t2: KD
t3: JH
t4: JS TH
t5: QH
t6: QD
"""
"""A queen of spades with two cards on one of two red kings, and a nine that belongs on the black ten."""


def played(rules: Ruleset, position: Position, line: Sequence[Action]) -> Position:
    for action in line:
        position = apply(rules, position, action)
    return position


def actions_of(rules: Ruleset, line: str) -> list[Action]:
    return [parse_action(rules.layout, word) for word in line.split()]


@pytest.mark.parametrize(
    ("line", "shorter"),
    [
        ("t2-f4 t1-f1", "t2-f4 t1-f1"),
        ("t1-t3 t2-f4 t3-f1", "t2-f4 t1-f1"),  # the first one may go, too
        ("t1-c1 c1-t1 t2-f4 t1-f1", "t2-f4 t1-f1"),
        ("t1-t3 t2-t4 t3-t2 t2-f1 t4-f4", "t2-f4 t1-f1"),
    ],
)
def test_a_line_loses_loops_and_moves_that_nothing_needs(line: str, shorter: str) -> None:
    position = parse_position(FREECELL, LAST)
    found = without_vain_moves(FREECELL, position, actions_of(FREECELL, line))
    assert {*map(str, found)} == {*shorter.split()}
    assert len(found) == len(shorter.split())
    assert is_won(FREECELL, played(FREECELL, position, found))


FINISH = "t1-f2 t1-f1 t4-f2 t3-f2 t1-f4 t4-f1 t1-f1 t5-f2 t1-f2 t6-f4 t2-f4 deal waste-f1"


@pytest.mark.parametrize(
    "to_and_fro",
    [
        "t1-t2:3 t2-t1:3 waste-t1",
        "t1-t2:3 t2-t1:3 t1-t2:3 t2-t1:3 waste-t1",
        "t1-t2:3 waste-t2 t2-t1:4",  # what lay on them in between goes to where they stay
        "t1-t2:3 waste-t2 t2-t1:4 t1-t2:4 t2-t1:4",
    ],
)
def test_a_queen_does_not_go_from_king_to_king(to_and_fro: str) -> None:
    position = parse_position(KLONDIKE, QUEEN)
    line = actions_of(KLONDIKE, f"{to_and_fro} {FINISH}")
    assert is_won(KLONDIKE, played(KLONDIKE, position, line))
    found = without_vain_moves(KLONDIKE, position, line)
    assert is_won(KLONDIKE, played(KLONDIKE, position, found))
    assert not {"t1-t2:3", "t2-t1:3", "t2-t1:4", "t1-t2:4"} & {*map(str, found)}
    assert len(found) <= len(FINISH.split()) + 1


@cache
def won_lines() -> list[tuple[Ruleset, Position, list[Action]]]:
    """A recorded win of every game, and of most games a won deal that comes with the program."""
    found = []
    for record in RECORDS:
        if record.name.endswith("won"):
            start = History.start(record.rules, record.cards).position
            found.append((record.rules, start, actions_of(record.rules, " ".join(record.moves))))
    seen: set[str] = set()
    for row in starters.FILE.read_text(encoding="utf-8").splitlines():
        ruleset, revision, code, _, *words = row.split()
        rules = find_revision(ruleset, int(revision))
        if rules and rules.id not in seen:
            seen.add(rules.id)
            start = opening(rules, deck_of_code(parse_code(code), rules.decks))
            found.append((rules, start, actions_of(rules, " ".join(words))))
    return found


def test_a_shorter_line_of_every_game_still_wins() -> None:
    saved = 0
    for rules, start, line in won_lines():
        found = without_vain_moves(rules, start, line, most=20_000)
        assert len(found) <= len(line)
        assert is_won(rules, played(rules, start, found))
        saved += len(line) - len(found)
    assert saved > 100


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_detour_through_legal_moves_is_never_shown_longer(data: st.DataObject) -> None:
    rules, start, line = data.draw(st.sampled_from(won_lines()), label="line")
    at = data.draw(st.integers(0, len(line) - 1), label="at")
    before = played(rules, start, line[:at])
    detour: list[Action] = []
    position = before
    for _ in range(data.draw(st.integers(1, 4), label="detour")):
        legal = [*legal_actions(rules, position)]
        if not legal:  # the detour came to a dead end
            break
        detour.append(data.draw(st.sampled_from(legal)))
        position = apply(rules, position, detour[-1])
        if position == before:  # the line goes on from here
            break
    longer = [*line[:at], *(detour if position == before else ()), *line[at:]]
    found = without_vain_moves(rules, start, longer, most=10_000)
    assert len(found) <= len(line)
    assert is_won(rules, played(rules, start, found))


def test_little_work_leaves_a_line_that_wins() -> None:
    position = parse_position(FREECELL, LAST)
    line = actions_of(FREECELL, "t1-c1 c1-t1 t2-f4 t1-f1")
    for most in range(12):
        found = without_vain_moves(FREECELL, position, line, most=most)
        assert is_won(FREECELL, played(FREECELL, position, found))
    assert without_vain_moves(FREECELL, position, line, most=0) == line


def test_a_review_shows_such_a_line() -> None:
    start = opening(KLONDIKE, deck_of_code(parse_code("1M8H0-00000"), 1))
    line = actions_of(KLONDIKE, " ".join(find_turning_point(KLONDIKE, [start]).line))
    assert is_won(KLONDIKE, played(KLONDIKE, start, line))
    assert without_vain_moves(KLONDIKE, start, line) == line
    solved = solve_from(KLONDIKE, start, Budget(500_000))
    assert len(line) < len(solved.actions)
