"""Gentle deals that come with the program, so that a player's first deals of a game are gentle on a new site, too.

Each line of ``first_deals.txt`` has one: rule set, revision, code, and how computer players who cannot see hidden cards
did (wins, games, cards home). Their wins are the proof that it can be won. ``python -m tools.first_deals`` finds them.
Unlike a deal from the stock, one of these may go to many players, each in an order of their own; nobody gets one twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, parse_code
from app.rulesets import find_ruleset
from app.rulesets.families import family_of
from app.solver.difficulty import Difficulty
from app.text import gettext

FILE: Final = Path(__file__).with_name("first_deals.txt")


def first_deals(rules: Ruleset) -> Mapping[Code, Difficulty]:
    """The deals of a game, the gentlest first; none where few deals are gentle."""
    return _by_game().get(rules.id, {})


def gentler_relative(rules: Ruleset) -> Ruleset | None:
    """For a game without such deals: the first of its family that has some; else ``None``."""
    if first_deals(rules):
        return None
    return next((other for other in family_of(rules).rulesets if first_deals(other)), None)


def gentler_note(rules: Ruleset, relative: Ruleset) -> str:
    """A sentence that offers newcomers the gentler relative of a game."""
    return gettext(
        "%(game)s is hard to win. %(relative)s is a gentler start.",
        game=rules.title,
        relative=relative.title,
    )


def gentler_start(relative: Ruleset) -> str:
    """The same below the name of the game, beside what it deals."""
    return gettext("%(relative)s is a gentler start", relative=relative.title)


def read(lines: Sequence[str]) -> dict[str, dict[Code, Difficulty]]:
    """The deals of some lines by rule set, without those of former rules."""
    found: dict[str, dict[Code, Difficulty]] = {}
    for line in lines:
        ruleset, revision, code, result = line.split()
        rules = find_ruleset(ruleset)
        if rules and rules.revision == int(revision):
            wins, games, home = map(int, result.split("/"))
            measured = Difficulty(games, wins, home, rules.id)
            found.setdefault(rules.id, {})[parse_code(code)] = measured
    return found


@cache
def _by_game() -> Mapping[str, Mapping[Code, Difficulty]]:
    return read(FILE.read_text(encoding="ascii").splitlines())
