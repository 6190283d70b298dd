"""Deals that come with the program, each with a way to win: nobody waits on the first day of a site.

The file tells, one deal a line: game, revision, code, how often a player without foresight won it, and the way. The way
is played through the rules before a deal is believed. Open deals have codes and are no secret, so it matters to nobody
that every site begins with the same few.
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
    """The deals of a file whose ways win by the rules as they are now."""
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


def from_file() -> list[tuple[Ruleset, Proven]]:
    """Those that come with the program; takes some tenths of a second."""
    return list(starters(FILE.read_text(encoding="ascii").splitlines()))


def lay_out(
    connection: Connection, deals: Iterable[tuple[Ruleset, Proven]], most: int, at_ms: int
) -> None:
    """Put at most ``most`` of each game into the stock, where no open deal of it ever was in there."""
    new: dict[str, int] = {}
    for rules, deal in deals:
        if rules.id not in new:
            new[rules.id] = 0 if repository.ever_had(connection, Kind.OPEN, rules) else most
        if new[rules.id] > 0 and repository.add(connection, deal, at_ms):
            new[rules.id] -= 1
