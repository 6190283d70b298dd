"""What the pages of a challenge print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.challenges.comparison import Verdict, verdict
from app.challenges.service import Challenge, Sides, Standing
from app.games.catalog import find_offer
from app.games.mini_table import MiniTable
from app.games.model import Status
from app.http.charts import LineChart, Point, TimeAxes, line_chart_axes
from app.http.formats import clock_duration

_MAX_LINES: Final = 12


class Line(NamedTuple):
    """A row of the board. The ``replay`` is empty until it may be seen."""

    place: str
    player: str
    is_me: bool
    notes: str
    result: str
    home: int
    time: str
    actions: int
    is_assisted: bool
    replay: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """One's own try beside the run to beat."""

    mine: Line
    ghost: Line
    path: str
    cards: int
    counts: bool
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ChallengeView:
    """The page of a challenge."""

    path: str
    title: str
    ruleset: str
    host: str
    is_host: bool
    is_own: bool
    url: str
    sentence: str
    opening: MiniTable
    """The game in miniature, by other cards."""
    mine_path: str
    is_practice: bool
    is_past: bool
    tries: int
    compared: Comparison | None
    chart: LineChart | None
    board: Sequence[Line] | None

    @property
    def has_others(self) -> bool:
        """Whether the chart has lines of other players."""
        return bool(self.chart and any(line.css_class == "other" for line in self.chart.lines))


@dataclass(frozen=True, slots=True)
class RaceView:
    """The strip at the table: the ghost's line, and two spots for where both stand now.

    Before the first move there is no line: it would tell how the run ended.
    """

    game_id: str
    path: str
    host: str
    counts: bool
    has_begun: bool
    verdict: Verdict | None
    home: int
    host_home: int
    width: int
    height: int
    foot: float
    line: str
    mine_line: str
    ghost: Point
    mine: Point


def challenge_view(challenge: Challenge, viewer_id: str | None, site: str) -> ChallengeView:
    """``site`` is the beginning of every address."""
    ghost = challenge.ghost
    path = f"/ghost/{ghost.token}"
    board = chart = None
    if challenge.board is not None:
        board = [_line(one, viewer_id, challenge.is_done) for one in challenge.board]
        chart = _chart(challenge, viewer_id)
    compared = None
    if challenge.sides:
        mine, theirs = challenge.sides.mine, challenge.sides.ghost
        compared = Comparison(
            mine=_line(mine, viewer_id, challenge.is_done),
            ghost=_line(theirs, viewer_id, challenge.is_done),
            path=f"/games/{mine.game_id}",
            cards=theirs.run.cards,
            counts=challenge.sides.counts,
            verdict=verdict(mine.run, theirs.run, ghost.player),
        )
    return ChallengeView(
        path=path,
        title=challenge.title,
        ruleset=challenge.ruleset,
        host=ghost.player,
        is_host=challenge.is_host,
        is_own=viewer_id == ghost.player_id,
        url=site + path,
        sentence=f"Can you beat this run of {challenge.title}? The same cards, against its line.",
        opening=find_offer(challenge.ruleset).opening,
        mine_path=f"/games/{challenge.mine.game_id}" if challenge.mine else "",
        is_practice=challenge.is_practice,
        is_past=challenge.is_past,
        tries=challenge.tries,
        compared=compared,
        chart=chart,
        board=board,
    )


def race_view(path: str, sides: Sides, now_ms: int, *, is_mine: bool) -> RaceView:
    """``now_ms`` is how long the try has taken so far; ``is_mine``: its player looks at it."""
    ghost, mine = sides.ghost.run, sides.mine.run
    longest = max(ghost.elapsed_ms, mine.elapsed_ms)
    if not mine.has_ended:
        longest = max(longest, min(now_ms, 2 * ghost.elapsed_ms))
    axes = TimeAxes(332, 60, 6, 326, 6, 54, max(1, longest), ghost.cards)
    has_begun = mine.actions > 0
    host_home = ghost.home_at(now_ms)
    here = axes.point(mine.elapsed_ms if mine.has_ended else now_ms, mine.home)
    player = "" if is_mine else sides.mine.player
    return RaceView(
        game_id=sides.mine.game_id,
        path=path,
        host=sides.ghost.player,
        counts=sides.counts,
        has_begun=has_begun,
        verdict=verdict(mine, ghost, sides.ghost.player, player) if mine.has_ended else None,
        home=mine.home,
        host_home=host_home if has_begun else 0,
        width=axes.width,
        height=axes.height,
        foot=axes.bottom,
        line=axes.path(ghost) if has_begun else "",
        mine_line=f"{axes.path(mine)}H{here.x}",
        ghost=axes.point(min(now_ms, ghost.elapsed_ms), host_home) if has_begun else Point(0, 0),
        mine=here,
    )


def _chart(challenge: Challenge, viewer_id: str | None) -> LineChart:
    board = challenge.board or ()
    shown = [one for one in board if one.is_ghost or one.player_id == viewer_id]
    if challenge.sides and challenge.sides.mine not in shown:
        shown.append(challenge.sides.mine)
    others = [one for one in board if one not in shown]
    drawn = [*others[: _MAX_LINES - len(shown)], *shown]
    axes = line_chart_axes([one.run for one in drawn], drawn[0].run.cards)
    lines = [axes.line(_look(one, viewer_id), one.run) for one in drawn]
    return LineChart("Cards home over time. The table below has the numbers.", axes, lines)


def _look(one: Standing, viewer_id: str | None) -> str:
    if one.player_id == viewer_id:
        return "me"
    return "them" if one.is_ghost else "other"


def _line(one: Standing, viewer_id: str | None, may_replay: bool) -> Line:  # noqa: FBT001
    run = one.run
    notes = (
        ("you", one.player_id == viewer_id),
        ("the run to beat", one.is_ghost),
        ("asked about hidden cards", one.is_assisted),
    )
    match run.status:
        case Status.WON:
            result = "solved"
        case Status.PLAYING:
            result = "playing"
        case Status.LOST | Status.RESIGNED:
            result = "not solved" if one.is_over else "playing"
    return Line(
        place=str(one.place or "–"),
        player=one.player,
        is_me=one.player_id == viewer_id,
        notes=", ".join(note for note, holds in notes if holds),
        result=result,
        home=run.home,
        time=clock_duration(run.seconds),
        actions=run.actions,
        is_assisted=one.is_assisted,
        replay=f"/games/{one.game_id}/replay" if may_replay and one.is_over else "",
    )
