"""What a won game meant to its player: against their best and average, as a streak, and where it stands.

Read once, when the page first shows the win: one query over the player's finished games of that rule set, and what
other rooms know of the game's place.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from starlette.requests import Request

from app.db.engine import Database
from app.games.model import Game, Kind, Status
from app.http.dependencies import service_of
from app.http.formats import clock_duration
from app.identity.dependencies import player_of
from app.profiles.statistics import Finished, finished_games, record_of

_UNCOMPARED: Final = {Kind.SHARED, Kind.CHALLENGE, Kind.RANKED_CHALLENGE}


class Measure(NamedTuple):
    """A number of this game against the player's earlier wins, as text; empty where there was none before.

    ``is_best`` is whether it is better than every earlier win: false for the first.
    """

    value: str
    best: str
    average: str
    is_best: bool


class Place(NamedTuple):
    """Where a result stands among those of others, as far as it may be told yet.

    ``text`` is one or more sentences (``Rank 3 of 12. Better than 78% of players.``), empty until it may be told;
    ``streak`` the days in a row with a solved daily deal, 0 where the game is none; ``share`` the sentence to share.
    """

    text: str
    streak: int
    share: str


FindPlace = Callable[[Request, Game], Awaitable[Place | None]]
"""What another room knows of the place of a game that its player has just won; ``None`` if it is not one of its."""


@dataclass(frozen=True, slots=True)
class OutcomeSummary:
    """What the end card says below "You won!".

    ``wins`` counts this one, ``streak`` the wins in a row at this game up to this one. ``moves`` and ``time`` compare
    with the wins before it. ``offers_name`` is whether a guest is told, quietly, what a name is for: after the first
    win, and after a daily deal.
    """

    title: str
    moves: Measure
    time: Measure
    wins: int
    streak: int
    place: Place | None
    offers_name: bool = False

    @property
    def is_new_best(self) -> bool:
        """Whether no earlier win took so few moves or so little time."""
        return self.moves.is_best or self.time.is_best


async def summary_for(
    request: Request, game: Game, find_places: Sequence[FindPlace]
) -> OutcomeSummary | None:
    """The summary of a game that the player of this request has won alone, and that counts; else ``None``."""
    player = player_of(request)
    if game.status is not Status.WON or player is None or player.id != game.owner_id:
        return None
    if game.kind in _UNCOMPARED:
        return None
    read = partial(finished_games, player_id=player.id, is_own=True)
    database = service_of(request, Database)
    finished = await database.read(partial(read, ruleset=game.rules.id))
    numbers = [number for number, found in enumerate(finished) if found.id == game.id]
    if not numbers and game.kind is Kind.OPEN:
        return None  # forked or imported
    places = [await find(request, game) for find in find_places]
    place = next((found for found in places if found), None)
    summary = summarize(game, finished[: numbers[0]] if numbers else finished, place)
    if player.is_named:
        return summary
    is_first = summary.wins == 1 and not any(
        found.is_won and found.id != game.id for found in await database.read(read)
    )
    return replace(summary, offers_name=is_first or game.kind is Kind.DAILY)


def summarize(game: Game, before: Sequence[Finished], place: Place | None) -> OutcomeSummary:
    """A won game against the games that its player finished before, the oldest first."""
    record = record_of(game.rules.id, before)
    seconds = game.clock_ms // 1000
    return OutcomeSummary(
        title=game.rules.title,
        moves=Measure(
            f"{game.actions:,}",
            _number(record.best_actions),
            _number(record.average_actions),
            record.best_actions is not None and game.actions < record.best_actions,
        ),
        time=Measure(
            clock_duration(seconds),
            _time(record.best_seconds),
            _time(record.average_seconds),
            record.best_seconds is not None and seconds < record.best_seconds,
        ),
        wins=record.won + 1,
        streak=record.streak + 1,
        place=place,
    )


def _number(count: int | None) -> str:
    return "" if count is None else f"{count:,}"


def _time(seconds: int | None) -> str:
    return "" if seconds is None else clock_duration(seconds)
