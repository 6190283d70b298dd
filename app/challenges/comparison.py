"""A game as the progress of its cards, and the comparison of two games."""

from __future__ import annotations

from typing import Literal, NamedTuple

from app.games.model import Game, Status
from app.games.replay import ProgressPoint, progress_of
from app.text import gettext, ngettext

Result = Literal["open", "ahead", "behind", "even"]


class ComparedGame(NamedTuple):
    """A game up to its end, or up to now: the numbers that are compared, and the cards home over time.

    The time is that of the table: in an open game without long breaks. ``has_help``: the player was given hints, or
    help from hidden cards.
    """

    status: Status
    has_ended: bool
    actions: int
    moves: int
    elapsed_ms: int
    home: int
    cards: int
    points: tuple[ProgressPoint, ...]
    has_help: bool = False

    @property
    def seconds(self) -> int:
        """The time, in whole seconds."""
        return self.elapsed_ms // 1000

    @property
    def reached(self) -> int:
        """The second at which the final number of cards was home."""
        return self.points[-1].after_ms // 1000

    @property
    def rank_key(self) -> tuple[int, int, int, int]:
        """Less is better: a win without help, a win, then time, then moves; else more cards home, then how soon.

        Moves do not count without a win: resigning at once takes the fewest.
        """
        if self.status is Status.WON:
            return (0, int(self.has_help), self.seconds, self.moves)
        return (1, -self.home, self.reached, 0)

    def home_at(self, after_ms: int) -> int:
        """How many cards were home at a time."""
        points = (point.home for point in reversed(self.points) if point.after_ms <= after_ms)
        return next(points, self.points[0].home)


def compared_game(game: Game) -> ComparedGame:
    """A game up to its version, for comparison."""
    points = progress_of(game)
    return ComparedGame(
        status=game.status,
        has_ended=game.has_ended,
        actions=game.actions,
        moves=game.moves,
        elapsed_ms=game.clock_ms,
        home=points[-1].home,
        cards=game.rules.cards,
        points=points,
    )


class Comparison(NamedTuple):
    """An attempt compared with the result to beat: the result, a heading, and the reason."""

    result: Result
    title: str
    why: str


def compare(attempt: ComparedGame, target: ComparedGame, host: str, player: str = "") -> Comparison:
    """Compare an attempt with the game of ``host``. ``player`` is empty if the reader made the attempt.

    ``host`` is empty for the reader who is to be beaten.
    """
    if not attempt.has_ended:
        you = gettext("You are still playing.")
        other = gettext("%(name)s is still playing.", name=player)
        return Comparison("open", gettext("Still playing"), _by(player, you, other))
    why = _why(attempt, target, host, player)
    if attempt.rank_key < target.rank_key:
        you = gettext("You beat %(host)s", host=host)
        other = gettext("%(name)s beat %(host)s", name=player, host=host)
        if not host:
            other = gettext("%(name)s beat you", name=player)
        return Comparison("ahead", _by(player, you, other), why)
    if attempt.rank_key > target.rank_key:
        title = _by(host, gettext("You stay ahead"), gettext("%(host)s stays ahead", host=host))
        return Comparison("behind", title, why)
    return Comparison("even", gettext("It's a draw"), why)


def _by(name: str, you: str, other: str) -> str:
    """A sentence about a player: the reader if ``name`` is empty."""
    return other if name else you


def _why(attempt: ComparedGame, target: ComparedGame, host: str, player: str) -> str:
    is_won, was_won = attempt.status is Status.WON, target.status is Status.WON
    if is_won != was_won:
        return _only(player, host) if is_won else _only(host, player)
    if is_won and attempt.has_help != target.has_help:
        return _unaided(host, player) if attempt.has_help else _unaided(player, host)
    if is_won:
        return _faster(attempt, target, host, player) or _fewer(attempt, target, host, player)
    difference = attempt.home - target.home
    if not difference:
        return _sooner(attempt, target, host, player)
    winner, n = player if difference > 0 else host, abs(difference)
    you = ngettext(
        "Neither won. You got %(n)s more card home.",
        "Neither won. You got %(n)s more cards home.",
        n,
    )
    other = ngettext(
        "Neither won. %(name)s got %(n)s more card home.",
        "Neither won. %(name)s got %(n)s more cards home.",
        n,
        name=winner,
    )
    return _by(winner, you, other)


def _only(winner: str, loser: str) -> str:
    """Who won and who did not; either may be the reader."""
    you = gettext("You won, %(name)s didn't.", name=loser)
    not_you = gettext("%(name)s won, you didn't.", name=winner)
    others = gettext("%(name)s won, %(loser)s didn't.", name=winner, loser=loser)
    return _by(winner, you, _by(loser, not_you, others))


def _unaided(winner: str, loser: str) -> str:
    """Who of two who won had no help, and who had; either may be the reader."""
    you = gettext("You won without help, %(name)s with help.", name=loser)
    not_you = gettext("%(name)s won without help, you with help.", name=winner)
    others = gettext("%(name)s won without help, %(loser)s with help.", name=winner, loser=loser)
    return _by(winner, you, _by(loser, not_you, others))


def _faster(attempt: ComparedGame, target: ComparedGame, host: str, player: str) -> str:
    """Who won faster; empty if neither did."""
    difference = attempt.seconds - target.seconds
    if not difference:
        return ""
    winner, n = player if difference < 0 else host, abs(difference)
    you = ngettext("You won %(n)s second faster.", "You won %(n)s seconds faster.", n)
    other = ngettext(
        "%(name)s won %(n)s second faster.", "%(name)s won %(n)s seconds faster.", n, name=winner
    )
    return _by(winner, you, other)


def _sooner(attempt: ComparedGame, target: ComparedGame, host: str, player: str) -> str:
    """Which of two players who did not win had their cards home sooner."""
    difference = attempt.reached - target.reached
    if not difference:
        return gettext("Neither won. Both got the same number of cards home in the same time.")
    winner, n = player if difference < 0 else host, abs(difference)
    you = ngettext(
        "Neither won. You got as many cards home, %(n)s second faster.",
        "Neither won. You got as many cards home, %(n)s seconds faster.",
        n,
    )
    other = ngettext(
        "Neither won. %(name)s got as many cards home, %(n)s second faster.",
        "Neither won. %(name)s got as many cards home, %(n)s seconds faster.",
        n,
        name=winner,
    )
    return _by(winner, you, other)


def _fewer(attempt: ComparedGame, target: ComparedGame, host: str, player: str) -> str:
    difference = attempt.moves - target.moves
    if not difference:
        return gettext("The same time and the same number of moves.")
    winner, n = player if difference < 0 else host, abs(difference)
    you = ngettext(
        "The same time, but you took %(n)s fewer move.",
        "The same time, but you took %(n)s fewer moves.",
        n,
    )
    other = ngettext(
        "The same time, but %(name)s took %(n)s fewer move.",
        "The same time, but %(name)s took %(n)s fewer moves.",
        n,
        name=winner,
    )
    return _by(winner, you, other)
