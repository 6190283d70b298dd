"""A run as the progress of its cards, and the comparison of two runs."""

from __future__ import annotations

from typing import Literal, NamedTuple

from app.games.model import Game, Status
from app.games.replay import ProgressPoint, progress_of

Result = Literal["open", "ahead", "behind", "even"]


class Run(NamedTuple):
    """A game up to its end, or up to now: the numbers that are compared, and the cards home over time."""

    status: Status
    has_ended: bool
    actions: int
    elapsed_ms: int
    home: int
    cards: int
    points: tuple[ProgressPoint, ...]

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
        """Less is better: a win first, then time, then actions; without a win more cards home, then how soon.

        Actions do not count without a win: resigning at once takes the fewest.
        """
        if self.status is Status.WON:
            return (0, 0, self.seconds, self.actions)
        return (1, -self.home, self.reached, 0)

    def home_at(self, after_ms: int) -> int:
        """How many cards were home at a time."""
        points = (point.home for point in reversed(self.points) if point.after_ms <= after_ms)
        return next(points, self.points[0].home)


def run_of(game: Game) -> Run:
    """The run of a game up to its version."""
    points = progress_of(game)
    return Run(
        status=game.status,
        has_ended=game.has_ended,
        actions=game.actions,
        elapsed_ms=game.elapsed_ms,
        home=points[-1].home,
        cards=game.rules.cards,
        points=points,
    )


class Comparison(NamedTuple):
    """An attempt compared with the run to beat: the result, a heading, and the reason."""

    result: Result
    title: str
    why: str


def compare(attempt: Run, target: Run, host: str, player: str = "") -> Comparison:
    """Compare an attempt with the run of ``host``. ``player`` is empty if the reader made the attempt."""
    me = player or "you"
    if not attempt.has_ended:
        are = f"{player} is" if player else "You are"
        return Comparison("open", "Still playing", f"{are} still playing.")
    why = _why(attempt, target, host, me)
    if attempt.rank_key < target.rank_key:
        return Comparison("ahead", f"{_first(me)} beat {host}", why)
    if attempt.rank_key > target.rank_key:
        return Comparison("behind", f"{host} stays ahead", why)
    return Comparison("even", "It's a draw", why)


def _why(attempt: Run, target: Run, host: str, me: str) -> str:
    is_won, was_won = attempt.status is Status.WON, target.status is Status.WON
    if is_won != was_won:
        winner, loser = (me, host) if is_won else (host, me)
        return f"{_first(winner)} won, {loser} didn't."
    if is_won:
        return _faster(attempt.seconds - target.seconds, "won", host, me) or _fewer(
            attempt, target, host, me
        )
    if attempt.home != target.home:
        winner = me if attempt.home > target.home else host
        count = _count(abs(attempt.home - target.home), "more card", "more cards")
        return f"Neither won. {_first(winner)} got {count} home."
    reason = _faster(attempt.reached - target.reached, "got as many cards home", host, me)
    return f"Neither won. {reason or 'Both got the same number of cards home in the same time.'}"


def _faster(difference: int, what: str, host: str, me: str) -> str:
    """Who was faster; empty if neither was."""
    if not difference:
        return ""
    winner = me if difference < 0 else host
    return f"{_first(winner)} {what} {_count(abs(difference), 'second', 'seconds')} faster."


def _fewer(attempt: Run, target: Run, host: str, me: str) -> str:
    difference = attempt.actions - target.actions
    if not difference:
        return "The same time and the same number of moves."
    winner = me if difference < 0 else host
    count = _count(abs(difference), "fewer move", "fewer moves")
    return f"The same time, but {winner} took {count}."


def _count(number: int, one: str, many: str) -> str:
    return f"1 {one}" if number == 1 else f"{number} {many}"


def _first(name: str) -> str:
    return "You" if name == "you" else name
