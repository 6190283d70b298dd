"""Whole games that the site itself played, so that there is something to watch before any player shows a game.

Each line of ``site_games.txt`` has one that was won: rule set, revision, code, and the actions. They are no games of
the database: they have no player, count nowhere, and are in no ranking. ``python -m tools.site_games`` plays them; its
player sees only what you would see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from app.engine.actions import Action, parse_action
from app.engine.history import History
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, parse_code
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.games.model import Game
from app.games.replay import with_actions
from app.rulesets import WELL_KNOWN_RULESETS, find_ruleset

FILE: Final = Path(__file__).with_name("site_games.txt")


@dataclass(frozen=True, slots=True)
class SiteGame:
    """A game that the site won."""

    rules: Ruleset
    code: Code
    actions: tuple[str, ...]

    @property
    def path(self) -> str:
        """The address of its replay."""
        return f"/watch/{self.rules.id}"

    @property
    def deal_path(self) -> str:
        """The address of its deal, which everyone can play."""
        return f"/deal/{self.rules.id}/{self.code}"


def find_site_game(ruleset: str) -> SiteGame | None:
    """The game of a rule set, if the site has played one."""
    return _by_ruleset().get(ruleset)


def site_game_of(day: int) -> SiteGame | None:
    """The game that plays by itself on a day, counted from 1970: each day another one that most visitors know."""
    games = map(find_site_game, (rules.id for rules in WELL_KNOWN_RULESETS))
    found = [game for game in games if game]
    return found[day % len(found)] if found else None


def as_line(rules: Ruleset, code: Code, actions: Sequence[Action]) -> str:
    """A game as the file has it."""
    return " ".join([rules.id, str(rules.revision), code, *map(str, actions)])


@cache
def played(site_game: SiteGame) -> Game:
    """The game as a value, which is stored nowhere."""
    rules = site_game.rules
    history = opening = History.start(rules, deck_of_code(site_game.code, rules.decks))
    histories = []
    for word in site_game.actions:
        history = history.apply(parse_action(rules.layout, word))
        histories.append(history)
    dealt = Game.start(game_id="", history=opening, code=site_game.code, owner_id="", at_ms=0)
    return with_actions(dealt, site_game.actions, histories)


@cache
def picture(site_game: SiteGame) -> MiniTable:
    """How it stood in its middle."""
    game = played(site_game)
    return mini_table(game.rules, game.at(middle_of(game)).position)


def middle_of(game: Game) -> int:
    """The version after not quite half of the moves, where the most is to be seen."""
    return game.version * 9 // 20


@cache
def _by_ruleset() -> Mapping[str, SiteGame]:
    found: dict[str, SiteGame] = {}
    for line in FILE.read_text(encoding="ascii").splitlines():
        ruleset, revision, code, *actions = line.split()
        rules = find_ruleset(ruleset)
        if rules and rules.revision == int(revision):
            found[rules.id] = SiteGame(rules, parse_code(code), tuple(actions))
    return found
