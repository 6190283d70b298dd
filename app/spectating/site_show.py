"""A game that the site played, which plays by itself where no player shows one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.clock import DAY_MS
from app.games import board
from app.games.board import PileView
from app.games.site_games import middle_of, played, site_game_of
from app.games.table_layout import table_classes


@dataclass(frozen=True, slots=True)
class SiteShow:
    """Its table at step ``at`` of ``last``: a picture of its middle, from which a script plays it on.

    ``path`` is the address of its replay, which has every step.
    """

    path: str
    ruleset: str
    title: str
    kind: str
    zones: Sequence[tuple[str, tuple[PileView, ...]]]
    at: int
    last: int


def show_at(now_ms: int) -> SiteShow | None:
    """The game of the day; ``None`` where the site has played none."""
    site_game = site_game_of(now_ms // DAY_MS)
    if site_game is None:
        return None
    game, rules = played(site_game), site_game.rules
    at = middle_of(game)
    return SiteShow(
        path=site_game.path,
        ruleset=rules.id,
        title=rules.title,
        kind=table_classes(rules),
        zones=board.still_zones(rules, game.at(at).position),
        at=at,
        last=game.version,
    )
