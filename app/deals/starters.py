"""Proven deals that come with the program, so that a game can be played at once on a new site, too.

Each line of ``starters.txt`` has one: rule set, revision, code, how players who cannot see hidden cards did (wins,
games, cards home), and the solution, which is checked by the rules. Open deals are public, so all sites can begin with
the same ones. ``python -m tools.starters`` finds them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from app.deals.model import Graded, Proven, fingerprint_of
from app.engine.actions import parse_action
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, parse_code
from app.engine.transition import IllegalActionError, apply, is_won
from app.rulesets import find_ruleset
from app.solver.difficulty import Difficulty

FILE: Final = Path(__file__).with_name("starters.txt")


def starter_deals(rules: Ruleset) -> Mapping[Code, Difficulty]:
    """The deals of a game, without looking at their solutions."""
    return _by_game().get(rules.id, {})


def starters(lines: Iterable[str]) -> Iterator[tuple[Ruleset, Proven]]:
    """The deals of some lines whose solutions win by the current rules."""
    for rules, code, found, solution in _parse(lines):
        deck = deck_of_code(code, rules.decks)
        position = opening(rules, deck)
        try:
            for word in solution.split():
                position = apply(rules, position, parse_action(rules.layout, word))
        except IllegalActionError:
            continue
        if is_won(rules, position):
            grade = Graded(fingerprint_of(deck), rules.id, rules.revision, found)
            yield rules, Proven(code, None, grade)


def read_shipped() -> list[tuple[Ruleset, Proven]]:
    """The shipped deals, checked; takes a moment."""
    return list(starters(FILE.read_text(encoding="ascii").splitlines()))


def _parse(lines: Iterable[str]) -> Iterator[tuple[Ruleset, Code, Difficulty, str]]:
    """The deals of some lines, each with its solution, without those of former rules."""
    for line in lines:
        ruleset, revision, code, won, solution = line.split(maxsplit=4)
        rules = find_ruleset(ruleset)
        if rules and rules.revision == int(revision):
            wins, games, home = map(int, won.split("/"))
            yield rules, parse_code(code), Difficulty(games, wins, home, rules.id), solution


@cache
def _by_game() -> Mapping[str, Mapping[Code, Difficulty]]:
    found: dict[str, dict[Code, Difficulty]] = {}
    for rules, code, measured, _ in _parse(FILE.read_text(encoding="ascii").splitlines()):
        found.setdefault(rules.id, {})[code] = measured
    return found
