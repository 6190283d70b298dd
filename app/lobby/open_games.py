"""The games that a player left unfinished, alone or with others, with what tells two of them apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Final, NamedTuple

from fastapi import Request

from app.db.cursors import ListCursor
from app.db.engine import Database
from app.deals.difficulty import DifficultyService
from app.deals.service import DealStock
from app.engine.shuffle import Code
from app.games.catalog import find_offer
from app.games.event_log import EventLog
from app.games.game_clock import clock_of
from app.games.game_row import GameRow
from app.games.model import Game, Kind, Status
from app.games.pictures import Picture, whole_of
from app.http.dependencies import now_ms_of, service_of
from app.i18n.formats import count_of, in_company, time_ago
from app.lobby.open_now import Meeting, TogetherRow
from app.sharing.repository import find_forked
from app.text import capital, gettext, pgettext

_AT_ONCE: Final = 12
"""Each is read with its log."""
_STUCK: Final = gettext("No moves left")


@dataclass(frozen=True, slots=True)
class OpenGame:
    """An unfinished game of the viewer, or a race that has yet to begin."""

    path: str
    title: str
    """The game, and who else plays."""
    ruleset: str
    occasion: str
    """Which deal it is: its difficulty, or what it is part of."""
    note: str
    when: str
    clock: str
    """What a clock that never stops says, instead of ``when``; empty for all other games."""
    picture: Picture
    """All of the table as it stands."""
    go: str
    """What its button says."""
    is_stuck: bool
    """Whether no move is left, but moves can be taken back."""


class OpenPage(NamedTuple):
    """A page of a player's open games."""

    games: list[OpenGame]
    following: ListCursor | None
    """Where the next page begins."""


class FirstGames(NamedTuple):
    """The first of a player's open games."""

    games: list[OpenGame]
    has_more: bool
    """Whether there are others."""


class _Candidates(NamedTuple):
    """What may go on, the last touched first; whether it does is known once its game is read."""

    rows: list[GameRow | TogetherRow]
    forked: Collection[str]
    """The games that began in a replay."""
    following: ListCursor | None


async def list_page(
    request: Request,
    player_id: str,
    together: Sequence[TogetherRow] = (),
    after: ListCursor | None = None,
) -> OpenPage:
    """A page of a player's games that can go on, the last touched first.

    ``together`` are those with others; a game of a race is not among the rest once more.
    """
    found = await _find_candidates(request, player_id, together, after=after)
    games = await _load_games(request, found.rows, found.forked)
    return OpenPage(games, found.following)


async def list_first(
    request: Request, player_id: str, together: Sequence[TogetherRow], *, besides: str, most: int
) -> FirstGames:
    """At most ``most`` of a player's games that can go on, without the game ``besides``.

    The last touched come first, but those without a move left last. ``together`` are those with others.
    """
    found = await _find_candidates(request, player_id, together, besides=besides)
    left = sorted(found.rows, key=_is_lost)
    games: list[OpenGame] = []
    while left and len(games) < most:
        batch = left[: most - len(games)]
        del left[: len(batch)]
        games += await _load_games(request, batch, found.forked)
    games.sort(key=attrgetter("is_stuck"))
    return FirstGames(games, has_more=bool(left or found.following))


async def _find_candidates(
    request: Request,
    player_id: str,
    together: Sequence[TogetherRow],
    *,
    besides: str = "",
    after: ListCursor | None = None,
) -> _Candidates:
    elsewhere = {besides, *(row.game_id for row in together)}
    unfinished = await service_of(request, EventLog).list_unfinished(player_id, after, _AT_ONCE + 1)
    own = [row for row in unfinished[:_AT_ONCE] if row.id not in elsewhere]
    forked = await service_of(request, Database).read(
        partial(find_forked, game_ids=[row.id for row in own])
    )
    rows: list[GameRow | TogetherRow] = sorted([*own, *together], key=_touched_ms, reverse=True)
    last = unfinished[_AT_ONCE - 1] if len(unfinished) > _AT_ONCE else None
    return _Candidates(rows, forked, ListCursor(last.updated_ms, last.id) if last else None)


async def _load_games(
    request: Request, rows: Sequence[GameRow | TogetherRow], forked: Collection[str]
) -> list[OpenGame]:
    """Those that go on, in the order of their rows."""
    games = await service_of(request, EventLog).load_some(list(filter(None, map(_id_of, rows))))
    proven = await _list_proven(request, games.values())
    loaded = []
    for row in rows:
        game = games.get(_id_of(row))
        if isinstance(row, TogetherRow):
            if game or not row.game_id:
                loaded.append(_shared_game(request, row, game))
        # Not if all were taken back, or can no longer be.
        elif game and (game.moves or game.kind is Kind.DAILY) and not game.has_ended:
            loaded.append(await _open_game(request, game, row, forked, proven))
    return loaded


def _touched_ms(row: GameRow | TogetherRow) -> int:
    return row.at_ms if isinstance(row, TogetherRow) else row.updated_ms


def _id_of(row: GameRow | TogetherRow) -> str:
    return row.game_id if isinstance(row, TogetherRow) else row.id


def _is_lost(row: GameRow | TogetherRow) -> bool:
    return isinstance(row, GameRow) and row.status == Status.LOST


def _shared_game(request: Request, row: TogetherRow, game: Game | None) -> OpenGame:
    is_stuck = game is not None and game.status is Status.LOST and not game.has_ended
    return OpenGame(
        path=row.path,
        title=in_company(row.game, row.people),
        ruleset=row.ruleset,
        occasion=gettext("Race") if row.meeting is Meeting.RACE else gettext("Shared table"),
        note=_STUCK if is_stuck else row.note,
        when=time_ago(now_ms_of(request) - row.at_ms),
        clock="",  # the note says how much time a race has left
        picture=whole_of(game.rules, game.position) if game else find_offer(row.ruleset).picture,
        go=gettext("Join") if row.is_invitation else _go_on(is_stuck=is_stuck),
        is_stuck=is_stuck,
    )


async def _open_game(
    request: Request, game: Game, row: GameRow, forked: Collection[str], proven: Collection[str]
) -> OpenGame:
    is_stuck = game.status is Status.LOST
    occasion = (
        gettext("from a replay")
        if game.id in forked
        else await _occasion(request, game, is_proven=game.id in proven)
    )
    return OpenGame(
        path=f"/games/{game.id}",
        title=game.rules.title,
        ruleset=game.rules.id,
        occasion=capital(occasion),
        note=_note(game),
        when=time_ago(now_ms_of(request) - row.updated_ms),
        clock=_running_clock(game, now_ms_of(request)),
        picture=whole_of(game.rules, game.position),
        go=_go_on(is_stuck=is_stuck),
        is_stuck=is_stuck,
    )


async def occasion_of(request: Request, game: Game) -> str:
    """Which deal a game is: its difficulty, or what it is part of."""
    proven = await _list_proven(request, [game])
    return await _occasion(request, game, is_proven=game.id in proven)


async def _list_proven(request: Request, games: Collection[Game]) -> Collection[str]:
    """Those of some games whose deals were proven winnable before they were dealt."""
    coded = {
        game.id: (game.rules, Code(game.code))
        for game in games
        if game.code and not game.kind.is_challenge_attempt
    }
    proven = await service_of(request, DealStock).list_proven_codes(coded.values())
    return {game_id for game_id, (rules, code) in coded.items() if (rules.id, code) in proven}


async def _occasion(request: Request, game: Game, *, is_proven: bool) -> str:
    if game.kind is Kind.DAILY:
        return gettext("Daily deal")
    if game.kind is Kind.RACE:
        return gettext("Race")
    if game.kind.is_challenge_attempt or not game.code:
        return pgettext("a game", "Challenge")
    grades = service_of(request, DifficultyService)
    if is_proven and (found := await grades.of_code(game.rules, Code(game.code), wanted=False)):
        return found.grade.words
    return pgettext("a deal", "winnable") if is_proven else pgettext("a deal", "random")


def _note(game: Game) -> str:
    if game.status is Status.LOST:
        return _STUCK
    return count_of(game.moves, "move") if game.version else capital(gettext("in progress"))


def _running_clock(game: Game, now_ms: int) -> str:
    """Without the time, which would stand still on this page."""
    return gettext("clock running") if clock_of(game, now_ms).runs else ""


def _go_on(*, is_stuck: bool) -> str:
    """What the button of a game says; one without a move goes on by taking moves back."""
    return gettext("Look again") if is_stuck else gettext("Continue")
