"""What the pages of a race print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.engine.shuffle import deck_of_seed
from app.engine.transition import cards_home
from app.games.model import stored_rules
from app.http.formats import clock_duration
from app.races.charts import Plot, plot
from app.races.log import Ending
from app.races.mini_table import SmallBoard, small_board
from app.races.new_room import Choice, games, minutes
from app.races.replays import Replays
from app.races.room import FEWEST, MOST, Phase, Room
from app.races.snapshot import Doing, Scene, Standing, standings


class Row(NamedTuple):
    """A seat as a line of a table."""

    number: int
    name: str
    has_page: bool
    is_host: bool
    is_you: bool
    doing: Doing
    said: str
    rank: int | None
    home: int | None
    actions: int | None
    time: str
    game_id: str
    look: int


@dataclass(frozen=True, slots=True)
class Secrets:
    """What a race gives away when it is over."""

    seed: str
    deck: str


@dataclass(frozen=True, slots=True)
class Board:
    """One run at one moment."""

    row: Row
    board: SmallBoard
    home: int
    actions: int
    is_over: bool


@dataclass(frozen=True, slots=True)
class ReplaysView:
    """All runs at one moment, and how they went."""

    path: str
    at: int
    last: int
    time: str
    boards: list[Board]
    plot: Plot
    cards: int


class Verdict(NamedTuple):
    """Who was first, and what that says."""

    names: list[str]
    said: str


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room for one viewer."""

    path: str
    url: str
    code: str
    title: str
    ruleset: str
    sentence: str
    minutes: int
    phase: str
    version: int
    rows: list[Row]
    cards: int
    you: Row | None
    is_host: bool
    is_ready: bool
    is_open: bool
    may_choose: bool
    may_join: bool
    why_not: str
    may_start: bool
    starts_in_ms: int
    ends_in_ms: int
    time_left: str
    can_play: bool
    verdict: Verdict | None
    void: str
    is_deserted: bool
    commitment: str
    secrets: Secrets | None
    rematch: str
    previous: str
    games: list[Choice]
    minutes_choice: list[Choice]
    replays: ReplaysView | None


def room_view(
    scene: Scene, viewer_id: str | None, site: str, replays: ReplaysView | None = None
) -> RoomView:
    """A room for one viewer; ``site`` is the beginning of every address."""
    room = scene.room
    rules = stored_rules(room.ruleset, room.revision)
    all_rows = rows(scene, viewer_id)
    you = next((row for row in all_rows if row.is_you), None)
    seat = room.seat_of(viewer_id)
    is_host = you is not None and room.host_id == viewer_id
    in_lobby = room.phase is Phase.LOBBY
    ready = sum(one.is_ready for one in room.present)
    left = max((room.last_call_ms or 0) - scene.at_ms, 0)
    is_run_open = bool(seat and seat.game_id and not seat.run)
    over = room.phase is Phase.ENDED and bool(room.racers)
    return RoomView(
        path=f"/race/{room.code}",
        url=f"{site}/race/{room.code}",
        code=room.code,
        title=rules.title,
        ruleset=rules.id,
        sentence=f"A race at {rules.title}: the same cards for everybody, {room.minutes} minutes at most.",
        minutes=room.minutes,
        phase=room.phase,
        version=room.version,
        rows=all_rows,
        cards=rules.cards,
        you=you,
        is_host=is_host,
        is_ready=bool(seat and seat.is_ready),
        is_open=room.is_open,
        may_choose=is_host and in_lobby and not room.is_frozen,
        may_join=you is None and in_lobby and not _why_not(room, viewer_id),
        why_not=_why_not(room, viewer_id) if you is None else "",
        may_start=is_host and in_lobby and ready >= FEWEST,
        starts_in_ms=max((room.start_ms or 0) - scene.at_ms, 0),
        ends_in_ms=left,
        time_left=clock_duration(left // 1000),
        can_play=is_run_open and room.phase is Phase.RACING,
        verdict=_verdict(all_rows),
        void=room.void.reason if room.void else "",
        is_deserted=bool(room.end and room.end.is_deserted),
        commitment=room.commitment,
        secrets=_secrets(scene) if over else None,
        rematch=scene.rematch or "",
        previous=scene.previous or "",
        games=games(room.ruleset),
        minutes_choice=minutes(room.minutes),
        replays=replays,
    )


def rows(scene: Scene, viewer_id: str | None) -> list[Row]:
    """The seats as lines."""
    looks = {seat.number: look for look, seat in enumerate(scene.room.racers, start=1)}
    return [
        _row(standing, looks.get(standing.number, 0)) for standing in standings(scene, viewer_id)
    ]


def replays_view(scene: Scene, viewer_id: str | None, replays: Replays, at: int) -> ReplaysView:
    """All runs at a moment, which is brought into its bounds."""
    at = min(max(at, 0), replays.last)
    by_number = {row.number: row for row in rows(scene, viewer_id)}
    second = replays.moments[at]
    boards = []
    for run in replays.runs:
        game = run.at(second * 1000)
        boards.append(
            Board(
                row=by_number[run.seat.number],
                board=small_board(game, replays.tall),
                home=cards_home(game.rules, game.position),
                actions=game.actions,
                is_over=game is run.tables[-1],
            )
        )
    boards.sort(key=lambda board: (board.row.rank is None, board.row.rank or 0))
    return ReplaysView(
        path=f"/race/{scene.room.code}",
        at=at,
        last=replays.last,
        time=clock_duration(second),
        boards=boards,
        plot=plot(replays, at),
        cards=replays.runs[0].tables[0].rules.cards,
    )


def _row(standing: Standing, look: int) -> Row:
    return Row(
        number=standing.number,
        name=standing.name.text,
        has_page=standing.name.is_named,
        is_host=standing.is_host,
        is_you=standing.is_you,
        doing=standing.doing,
        said=_said(standing),
        rank=standing.rank,
        home=standing.home,
        actions=standing.actions,
        time=clock_duration(standing.seconds) if standing.seconds is not None else "",
        game_id=standing.game_id or "",
        look=look,
    )


_DOING: Final = {
    Doing.WAITING: "not ready yet",
    Doing.READY: "ready",
    Doing.WATCHING: "watches",
    Doing.PLAYING: "playing",
    Doing.AWAY: "away",
    Doing.FINISHED: "finished",
    Doing.GAVE_UP: "gave up",
}
_ENDED: Final = {
    Ending.WON: "won",
    Ending.STUCK: "no moves left",
    Ending.GAVE_UP: "gave up",
    Ending.IDLE: "went away",
    Ending.TIME: "time was up",
}


def _said(standing: Standing) -> str:
    return _ENDED[standing.ending] if standing.ending else _DOING[standing.doing]


def _verdict(all_rows: Sequence[Row]) -> Verdict | None:
    """The race in one sentence; nothing before its end, and nothing of one that counts for nobody."""
    first = [row for row in all_rows if row.rank == 1]
    if not first:
        return None
    names = [row.name for row in first]
    if first[0].said == _ENDED[Ending.WON]:
        return Verdict(names, f"won in {first[0].time}" if len(first) == 1 else "won together")
    home = f"{first[0].home} cards home"
    if len(first) > 1:
        return Verdict(names, f"came equally far, with {home}")
    return Verdict(names, f"came furthest, with {home}")


def _why_not(room: Room, viewer_id: str | None) -> str:
    """Why somebody without a seat cannot sit down; empty when they can."""
    if viewer_id in room.barred:
        return "The host has sent you away from this race. You can still watch it."
    match room.phase:
        case Phase.ENDED:
            return ""
        case Phase.COUNTDOWN | Phase.RACING:
            return "The race has begun. You can watch, and be there for the next one."
        case Phase.LOBBY:
            if not room.is_open:
                return "The host lets nobody else in. You can watch."
            if len(room.present) >= MOST:
                return f"All {MOST} seats are taken. You can watch."
            return ""


def _secrets(scene: Scene) -> Secrets:
    decks = stored_rules(scene.room.ruleset, scene.room.revision).decks
    deck: Sequence[str] = [card.text for card in deck_of_seed(scene.seed, decks)]
    return Secrets(scene.seed.hex(), " ".join(deck))
