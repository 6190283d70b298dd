"""View models of the challenge pages and of the strip beside an attempt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.challenges.board import ChallengeStanding, Matchup
from app.challenges.comparison import ComparedGame, Comparison, compare
from app.challenges.model import Help, MadeChallenge, ended_after
from app.challenges.service import ChallengeState
from app.games.catalog import GameOffer, find_offer
from app.games.lookup import get_ruleset, stored_rules
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.games.model import Status
from app.games.pictures import opening_picture
from app.http.charts import LineChart, Point, TimeAxes, line_chart_axes
from app.i18n.formats import cards_home_of, clock_duration, count_of, help_words
from app.text import gettext, listing, ngettext, pgettext, sentences

_MAX_LINES: Final = 12


class BoardRow(NamedTuple):
    """A row of the leaderboard. ``replay`` is empty until the viewer may see it."""

    rank: str
    player: str
    is_you: bool
    notes: str
    result: str
    home: int
    time: str
    moves: int
    help: str
    replay: str


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """The viewer's attempt beside the result to beat."""

    attempt: BoardRow
    target: BoardRow
    path: str
    cards: int
    counts: bool
    comparison: Comparison


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
    offer: GameOffer
    """The game that is dealt."""
    drawing: MiniTable
    """The deal as it began; every card face down for those who have seen none of it."""
    has_ranked_rules: bool
    """Whether attempts follow the rules of ranked play, as the game to beat did."""
    to_beat: str
    """The result to beat."""
    help_to_beat: str
    """What help its player had; empty without any."""
    attempt_path: str
    is_practice: bool
    days: int
    """How long the challenge is open."""
    ended: str
    """Says that it has ended; empty while it is open."""
    attempts: int
    compared: ComparisonView | None
    chart: LineChart | None
    board: Sequence[BoardRow] | None

    @property
    def has_others(self) -> bool:
        """Whether the chart has lines of other players."""
        return bool(self.chart and any(line.css_class == "other" for line in self.chart.lines))


class MadeLine(NamedTuple):
    """A challenge that the viewer has made, on the page of ways to play together."""

    path: str
    title: str
    note: str


@dataclass(frozen=True, slots=True)
class StripView:
    """The strip beside an attempt: the lines of both games, and a dot where each of them is now.

    The line of the result to beat appears with the first move: it shows how that game ended.
    """

    game_id: str
    path: str
    host: str
    """Empty if the viewer is who is to be beaten."""
    player: str
    """The player of the attempt; empty if it is the viewer."""
    counts: bool
    has_begun: bool
    comparison: Comparison | None
    home: int
    host_home: int
    to_beat: str
    """The figures of the result to beat, the deciding one first."""
    width: int
    height: int
    foot: float
    target_path: str
    attempt_path: str
    target: Point
    attempt: Point


def made_lines(made: Sequence[MadeChallenge]) -> list[MadeLine]:
    """The challenges that a player has made."""
    return [
        MadeLine(
            f"/challenge/{one.token}",
            stored_rules(one.ruleset, one.revision).title,
            ngettext("%(n)s has played it", "%(n)s have played it", one.attempts)
            if one.attempts
            else gettext("no one has played it yet"),
        )
        for one in made
    ]


def challenge_view(state: ChallengeState, viewer_id: str | None, site: str) -> ChallengeView:
    """The page of a challenge; ``site`` is the start of its full address."""
    challenge = state.challenge
    path = f"/challenge/{challenge.token}"
    board = chart = None
    if state.board is not None:
        board = [_board_row(one, viewer_id, state.replayable) for one in state.board]
        chart = _chart(state, viewer_id)
    compared = None
    if state.matchup:
        attempt, target = state.matchup.attempt, state.matchup.target
        compared = ComparisonView(
            attempt=_board_row(attempt, viewer_id, state.replayable),
            target=_board_row(target, viewer_id, state.replayable),
            path=f"/games/{attempt.game_id}",
            cards=target.game.cards,
            counts=state.matchup.counts,
            comparison=compare(attempt.game, target.game, challenge.player),
        )
    offer = find_offer(state.ruleset)
    return ChallengeView(
        path=path,
        title=state.title,
        ruleset=state.ruleset,
        host=challenge.player,
        is_host=state.is_host,
        is_own=viewer_id == challenge.player_id,
        url=site + path,
        sentence=gettext(
            "Can you beat this result at %(title)s with the same cards?", title=state.title
        ),
        offer=offer,
        drawing=mini_table(state.opening.rules, state.opening.position)
        if state.opening
        else opening_picture(get_ruleset(state.ruleset)).drawing.face_down(),
        has_ranked_rules=state.has_ranked_rules,
        to_beat=to_beat(state.target),
        help_to_beat=_help_had(state.target_help),
        attempt_path=f"/games/{state.mine.game_id}" if state.mine else "",
        is_practice=state.is_practice,
        days=challenge.days,
        ended=ended_after(challenge.days) if state.is_past else "",
        attempts=state.attempts,
        compared=compared,
        chart=chart,
        board=board,
    )


def strip_view(path: str, matchup: Matchup, now_ms: int, viewer_id: str | None) -> StripView:
    """The strip as a viewer reads it, ``now_ms`` after the start of the attempt."""
    target, attempt = matchup.target.game, matchup.attempt.game
    longest = max(target.elapsed_ms, attempt.elapsed_ms)
    if not attempt.has_ended:
        longest = max(longest, min(now_ms, 2 * target.elapsed_ms))
    axes = TimeAxes(332, 60, 6, 326, 6, 54, max(1, longest), target.cards)
    has_begun = attempt.actions > 0
    host_home = target.home_at(now_ms)
    here = axes.point(attempt.elapsed_ms if attempt.has_ended else now_ms, attempt.home)
    host, player = (
        "" if one.player_id == viewer_id else one.player
        for one in (matchup.target, matchup.attempt)
    )
    return StripView(
        game_id=matchup.attempt.game_id,
        path=path,
        host=host,
        player=player,
        counts=matchup.counts,
        has_begun=has_begun,
        comparison=compare(attempt, target, host, player) if attempt.has_ended else None,
        home=attempt.home,
        to_beat=to_beat_in_short(target),
        host_home=host_home if has_begun else 0,
        width=axes.width,
        height=axes.height,
        foot=axes.bottom,
        target_path=axes.path(target) if has_begun else "",
        attempt_path=f"{axes.path(attempt)}H{here.x}",
        target=axes.point(min(now_ms, target.elapsed_ms), host_home) if has_begun else Point(0, 0),
        attempt=here,
    )


def to_beat(game: ComparedGame) -> str:
    """The result to beat, in words."""
    if game.status is Status.WON:
        return pgettext(
            "the result to beat",
            "won in %(time)s with %(moves)s",
            time=clock_duration(game.seconds),
            moves=count_of(game.moves, "move"),
        )
    return pgettext(
        "the result to beat",
        "%(cards_home)s in %(time)s",
        cards_home=cards_home_of(game.home, game.cards),
        time=clock_duration(game.reached),
    )


def to_beat_in_short(game: ComparedGame) -> str:
    """The same in a few characters, for the table of a phone."""
    if game.status is not Status.WON:
        return to_beat(game)
    time, moves = clock_duration(game.seconds), count_of(game.moves, "move")
    return pgettext("the result to beat, in short", "%(time)s · %(moves)s", time=time, moves=moves)


def _help_had(had: Help) -> str:
    """What help a player had, in sentences; empty without any."""
    hints = ngettext("Played with %(n)s hint.", "Played with %(n)s hints.", had.hints)
    return sentences(gettext("Assisted.") if had.is_assisted else "", hints if had.hints else "")


def _chart(state: ChallengeState, viewer_id: str | None) -> LineChart:
    board = state.board or ()
    shown = [one for one in board if one.is_target or one.player_id == viewer_id]
    if state.matchup and state.matchup.attempt not in shown:
        shown.append(state.matchup.attempt)
    others = [one for one in board if one not in shown]
    drawn = [*others[: _MAX_LINES - len(shown)], *shown]
    axes = line_chart_axes([one.game for one in drawn], drawn[0].game.cards)
    lines = [axes.line(_css_class(one, viewer_id), one.game) for one in drawn]
    return LineChart(gettext("Cards home over time. The table below has the numbers."), axes, lines)


def _css_class(one: ChallengeStanding, viewer_id: str | None) -> str:
    if one.player_id == viewer_id:
        return "me"
    return "them" if one.is_target else "other"


def _board_row(
    one: ChallengeStanding, viewer_id: str | None, replayable: Collection[str]
) -> BoardRow:
    game = one.game
    held = (
        (pgettext("note", "you"), one.player_id == viewer_id),
        (pgettext("note", "the result to beat"), one.is_target),
    )
    notes = [note for note, holds in held if holds]
    notes += help_words(is_assisted=one.help.is_assisted, hints=one.help.hints)
    match game.status:
        case Status.WON:
            result = pgettext("result", "won")
        case Status.LOST | Status.RESIGNED if one.has_ended:
            result = pgettext("result", "not won")
        case Status.PLAYING | Status.LOST | Status.RESIGNED:
            result = pgettext("result", "playing")
    return BoardRow(
        rank=str(one.rank or "–"),
        player=one.player,
        is_you=one.player_id == viewer_id,
        notes=listing(notes, "comma") if notes else "",
        result=result,
        home=game.home,
        time=clock_duration(game.seconds),
        moves=game.moves,
        help=_help_had(one.help),
        replay=f"/games/{one.game_id}/replay" if one.game_id in replayable else "",
    )
