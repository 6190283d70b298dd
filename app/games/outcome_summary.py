"""What the end of a game meant to its player.

A win stands against their best, as a streak, and where it is ranked; a loss or a resignation against their
earlier attempts at the same cards. Read once, when the page first shows the end: one query over the player's games, and
what other rooms know of the game's place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from markupsafe import Markup
from starlette.requests import Request

from app.db.engine import Database
from app.games.model import Game, Kind, Status
from app.games.replay import most_home
from app.games.service import GameService
from app.games.shared_result import SharedResult, deal_path
from app.http.dependencies import origin_of, service_of
from app.i18n.formats import clock_duration, help_words
from app.identity.dependencies import player_of
from app.identity.model import Player
from app.profiles.statistics import Finished, finished_games, record_of
from app.rulesets.expectations import EXPECTATIONS
from app.text import joined, ngettext, number_text

_UNCOMPARED: Final = {Kind.SHARED, Kind.CHALLENGE, Kind.RANKED_CHALLENGE}
NO_ASIDE: Final = Markup()
_RECENT: Final = 8  # games among which earlier attempts are looked for


class Measure(NamedTuple):
    """A number of this game against the player's earlier wins, as text; empty where there was none before.

    ``is_best`` is whether it is better than every earlier win: false for the first.
    """

    value: str
    best: str
    is_best: bool


class Attempts(NamedTuple):
    """The most cards home with a deal: in any attempt, and in those before this game, ``None`` if there was none."""

    best: int
    earlier: int | None = None

    @property
    def is_furthest(self) -> bool:
        """Whether this game went further than those before it."""
        return self.earlier is not None and self.best > self.earlier


class Onward(NamedTuple):
    """What leads on best from an end, where that is neither a new deal nor the results."""

    title: str
    path: str


class Finisher(NamedTuple):
    """Who came in when: a rank, whose it is, and a time or how far they got, as text."""

    rank: int
    name: str
    is_you: bool
    result: str


class Place(NamedTuple):
    """Where a result stands among those of others, as far as it may be told yet.

    ``text`` is one or more sentences (``Rank 3 of 12. Better than 78% of players.``), empty until it may be told;
    ``streak`` the days in a row with a solved daily deal, 0 where the game is none; ``result`` what is shared;
    ``next_step`` what there is to play or to know next; ``again_path`` the address that deals the same cards once more;
    ``title`` the heading of the end card, where it is not the usual one: ``next_step`` then says how far it went, too;
    ``next_deal`` the words of the button that deals again, where it can say more than that; ``can_be_won`` whether
    it is known that the deal can be, and may be told, ``is_hard`` likewise; ``has_easier`` whether an easier deal is
    there; ``finishers`` who else came in, the first first; ``aside`` what stands below: how the player's days went.
    """

    text: str
    streak: int
    result: SharedResult | None
    next_step: str = ""
    again_path: str = ""
    title: str = ""
    next_deal: str = ""
    onward: Onward | None = None
    can_be_won: bool = False
    is_hard: bool = False
    has_easier: bool = False
    finishers: tuple[Finisher, ...] = ()
    aside: Markup = NO_ASIDE


FindPlace = Callable[[Request, Game], Awaitable[Place | None]]
"""What another room knows of the place of a game that its player has ended; ``None`` if it is not one of its."""


@dataclass(frozen=True, slots=True)
class OutcomeSummary:
    """What the end card says below "You won!".

    ``wins`` counts this one, ``streak`` the wins in a row at this game up to this one. ``moves`` and ``time`` compare
    with the wins before it, and a first one with the ``usual_moves`` of a win, in steps of five; ``hints`` is how many
    there were, and ``had_help`` whether there was any help.
    ``offers_name`` is whether a guest is told, quietly, what a name is for: after the first win, and after
    a daily deal, which would have counted with one (``would_count``).
    """

    title: str
    moves: Measure
    time: Measure
    wins: int
    streak: int
    place: Place | None
    usual_moves: int
    offers_name: bool = False
    would_count: bool = False
    hints: int = 0
    had_help: bool = False

    @property
    def is_new_best(self) -> bool:
        """Whether no earlier win took so few moves or so little time."""
        return self.moves.is_best or self.time.is_best


class Meaning(NamedTuple):
    """What an end meant: of a win its ``summary``; of another open game the most cards home with this deal so far.

    ``shared`` is the text that shares a win; empty where there is nothing to share.
    ``next_step`` is a sentence about what there is to play next, or empty; it, ``title``, ``again_path``,
    ``onward``, ``can_be_won``, ``is_hard``, ``has_easier``, ``finishers`` and ``aside`` are as in ``Place``.
    ``is_for_challenge`` is whether it was played to challenge a friend with it.
    """

    summary: OutcomeSummary | None = None
    attempts: Attempts | None = None
    next_step: str = ""
    again_path: str = ""
    title: str = ""
    onward: Onward | None = None
    can_be_won: bool = False
    is_hard: bool = False
    has_easier: bool = False
    finishers: tuple[Finisher, ...] = ()
    shared: str = ""
    aside: Markup = NO_ASIDE
    is_for_challenge: bool = False


NO_MEANING: Final = Meaning()
"""For a game that goes on, and for everyone but its player."""


async def meaning_of(request: Request, game: Game, find_places: Sequence[FindPlace]) -> Meaning:
    """What the end of a game meant to the player of this request, if they have played it alone."""
    player = player_of(request)
    if player is None or player.id != game.owner_id or game.kind is Kind.SHARED:
        return NO_MEANING
    # An open game without a move goes on, but nothing is kept from its player.
    is_stuck = game.kind is Kind.OPEN and game.status is Status.LOST
    is_told = game.has_ended or is_stuck
    places = [await find(request, game) for find in find_places] if is_told else []
    place = next((found for found in places if found), None)
    if game.status is Status.WON:
        if place and place.title:
            summary = await _summary_for(request, game, player, None)
            return Meaning(
                summary,
                next_step=place.next_step,
                title=place.title,
                finishers=place.finishers,
            )
        summary = await _summary_for(request, game, player, place)
        shared = (
            place.result.text
            if place and place.result
            else _shared(game, summary, origin_of(request))
        )
        return Meaning(
            summary,
            onward=place.onward if place else None,
            shared=shared,
            aside=place.aside if place else NO_ASIDE,
        )
    attempts = await _attempts(request, game) if game.kind is Kind.OPEN else None
    if place is None:
        return Meaning(attempts=attempts)
    return Meaning(
        None,
        attempts,
        place.next_step,
        place.again_path,
        place.title,
        place.onward,
        place.can_be_won,
        place.is_hard,
        place.has_easier,
        place.finishers,
        aside=place.aside,
    )


def _shared(game: Game, summary: OutcomeSummary | None, origin: str) -> str:
    """What shares the win of an open game: what it took, and where its deal is."""
    if summary is None or game.kind is not Kind.OPEN or not game.public_code:
        return ""
    won = ngettext(
        "won in %(n)s move, %(time)s",
        "won in %(n)s moves, %(time)s",
        game.moves,
        time=summary.time.value,
    )
    is_assisted = summary.had_help and not summary.hints
    said = joined(", ", won, *help_words(is_assisted=is_assisted, hints=summary.hints))
    head = joined(" · ", "Fair Deal", game.rules.title)
    return joined("\n", joined(": ", head, said), origin + deal_path(game))


async def _attempts(request: Request, game: Game) -> Attempts:
    """The most cards home at any moment of this game, undone ones included, and of recent ones with the same deal."""
    earlier: list[Game] = []
    if game.code is not None:
        games = service_of(request, GameService)
        deal = (game.rules.id, game.rules.revision, game.code)
        for row in await games.list_recent(game.owner_id, _RECENT):
            is_same = (row.ruleset, row.revision, row.code) == deal and row.kind == Kind.OPEN
            if is_same and row.id != game.id:
                earlier.append(await games.load(row.id))
    # In a thread: games at the limit of actions are long to replay.
    return await asyncio.to_thread(_attempts_of, game, earlier)


def _attempts_of(game: Game, earlier: Sequence[Game]) -> Attempts:
    best = max(map(most_home, earlier), default=None)
    return Attempts(max(most_home(game), best or 0), best)


async def _summary_for(
    request: Request, game: Game, player: Player, place: Place | None
) -> OutcomeSummary | None:
    """The summary of a game that its player has won, and that counts; else ``None``."""
    if game.kind in _UNCOMPARED:
        return None
    read = partial(finished_games, player_id=player.id, is_own=True)
    database = service_of(request, Database)
    finished = await database.read(partial(read, ruleset=game.rules.id))
    numbers = [number for number, found in enumerate(finished) if found.id == game.id]
    if not numbers and game.kind is Kind.OPEN:
        return None  # forked or imported
    summary = summarize(game, finished[: numbers[0]] if numbers else finished, place)
    if numbers:
        summary = _as_helped(summary, finished[numbers[0]])
    if player.is_named:
        return summary
    is_first = summary.wins == 1 and not any(
        found.is_won and found.id != game.id for found in await database.read(read)
    )
    is_daily = game.kind is Kind.DAILY
    return replace(summary, offers_name=is_first or is_daily, would_count=is_daily)


def _as_helped(summary: OutcomeSummary, found: Finished) -> OutcomeSummary:
    """The summary with the hints of its game; with help, no win is the best."""
    if not found.had_help:
        return summary
    moves, time = (measure._replace(is_best=False) for measure in (summary.moves, summary.time))
    return replace(summary, hints=found.hints, had_help=True, moves=moves, time=time)


def summarize(game: Game, before: Sequence[Finished], place: Place | None) -> OutcomeSummary:
    """A won game against the games that its player finished before, the oldest first."""
    record = record_of(game.rules.id, before)
    seconds = game.clock_ms // 1000
    return OutcomeSummary(
        title=game.rules.title,
        moves=Measure(
            number_text(game.moves),
            _number(record.best_moves),
            record.best_moves is not None and game.moves < record.best_moves,
        ),
        time=Measure(
            clock_duration(seconds),
            _time(record.best_seconds),
            record.best_seconds is not None and seconds < record.best_seconds,
        ),
        wins=record.won + 1,
        streak=record.streak + 1,
        place=place,
        usual_moves=EXPECTATIONS[game.rules.id].usual_moves,
    )


def _number(count: int | None) -> str:
    return "" if count is None else number_text(count)


def _time(seconds: int | None) -> str:
    return "" if seconds is None else clock_duration(seconds)
