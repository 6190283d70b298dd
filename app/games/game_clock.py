"""The time of a game as pages show it."""

from __future__ import annotations

from typing import NamedTuple

from app.games.model import Game
from app.i18n.formats import clock_duration


class GameClock(NamedTuple):
    """The time of a game, in milliseconds and as text (``2:57``, ``1:02:03``).

    ``can_pause`` (open and shared games): the time played, without breaks of over a minute. It stands at the last
    action; a page may count on from there, for one minute at most, and must go back if that passes.

    Otherwise (daily, race, challenge) it runs from the deal and never pauses: ``started_ms`` is the deal (Unix time of
    the server) while ``runs``, and ``None`` once the result is final. A whole page says the time now, a fragment that
    of the last action; so a page with a script sets its clock when it loads and needs no fragment to go on.
    """

    ms: int
    text: str
    runs: bool
    can_pause: bool
    started_ms: int | None


def clock_of(game: Game, now_ms: int | None = None) -> GameClock:
    """The time of a game; without ``now_ms``, at its last action."""
    can_pause = game.kind.can_pause
    runs = not can_pause and not game.has_ended
    ms = game.clock_ms
    if runs and now_ms is not None:
        ms = max(now_ms - game.started_ms, ms)
    text = clock_duration(ms // 1000)
    return GameClock(ms, text, runs, can_pause, game.started_ms if runs else None)
