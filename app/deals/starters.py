"""Shipped deals with their solutions, so that no one waits for a proof on the first day of a site.

Each line of the file has a deal: rule set, revision, code, wins out of games by a player that cannot see hidden cards,
and the solution, which is checked by the rules. Open deals are public, so all sites can begin with the same ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from app.deals import repository
from app.deals.repository import Graded, Kind, Proven, fingerprint_of
from app.engine.actions import parse_action
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import IllegalActionError, apply, is_won
from app.rulesets import find_ruleset
from app.solver.difficulty import Difficulty

FILE: Final = Path(__file__).with_name("starters.txt")


def starters(lines: Iterable[str]) -> Iterator[tuple[Ruleset, Proven]]:
    """The deals of a file whose solutions win by the current rules."""
    for line in lines:
        ruleset, revision, code_text, won, *way = line.split()
        rules = find_ruleset(ruleset)
        if rules is None or rules.revision != int(revision):
            continue
        code = parse_code(code_text)
        deck = deck_of_code(code, rules.decks)
        position = opening(rules, deck)
        try:
            for word in way:
                position = apply(rules, position, parse_action(rules.layout, word))
        except IllegalActionError:
            continue
        if is_won(rules, position):
            wins, games = map(int, won.split("/"))
            grade = Graded(fingerprint_of(deck), ruleset, rules.revision, Difficulty(games, wins))
            yield rules, Proven(code, None, grade)


def read_shipped() -> list[tuple[Ruleset, Proven]]:
    """The shipped deals; takes some tenths of a second."""
    return list(starters(FILE.read_text(encoding="ascii").splitlines()))


def add_starters(
    connection: Connection, deals: Iterable[tuple[Ruleset, Proven]], most: int, at_ms: int
) -> None:
    """Add at most ``most`` deals of each game to the stock, if it never had an open deal of that game."""
    new: dict[str, int] = {}
    for rules, deal in deals:
        if rules.id not in new:
            new[rules.id] = 0 if repository.ever_had(connection, Kind.OPEN, rules) else most
        if new[rules.id] > 0 and repository.add(connection, deal, at_ms):
            new[rules.id] -= 1
