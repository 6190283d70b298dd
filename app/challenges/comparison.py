"""Two runs compared, in words: solved, then whole seconds, then actions; else how many cards came home."""

from __future__ import annotations

from typing import Literal, NamedTuple

from app.challenges.run import Run
from app.games.model import Status

Fate = Literal["open", "ahead", "behind", "even"]


class Verdict(NamedTuple):
    """How a try stands against the run that it is to beat: for a heading, and why."""

    fate: Fate
    title: str
    why: str


def verdict(mine: Run, ghost: Run, host: str, player: str = "") -> Verdict:
    """``player`` names who tried; empty for whoever reads this."""
    me = player or "you"
    if not mine.has_ended:
        are = f"{player} is" if player else "You are"
        return Verdict("open", "Still at it", f"{are} in the middle of this try.")
    why = _why(mine, ghost, host, me)
    if mine.merit < ghost.merit:
        return Verdict("ahead", f"{_first(me)} beat {host}", why)
    if mine.merit > ghost.merit:
        return Verdict("behind", f"{host} stays ahead", why)
    return Verdict("even", "A draw", why)


def _why(mine: Run, ghost: Run, host: str, me: str) -> str:
    is_won, was_won = mine.status is Status.WON, ghost.status is Status.WON
    if is_won != was_won:
        winner, loser = (me, host) if is_won else (host, me)
        return f"{_first(winner)} solved it, {loser} did not."
    if is_won:
        return _sooner(mine.seconds - ghost.seconds, "solved it", host, me) or _fewer(
            mine, ghost, host, me
        )
    if mine.home != ghost.home:
        winner = me if mine.home > ghost.home else host
        count = _count(abs(mine.home - ghost.home), "more card", "more cards")
        return f"Neither solved it. {_first(winner)} brought {count} home."
    told = _sooner(mine.reached - ghost.reached, "had as many cards home", host, me)
    return f"Neither solved it. {told or 'As many cards came home, and as soon.'}"


def _sooner(difference: int, what: str, host: str, me: str) -> str:
    """Who was faster; nothing when neither was."""
    if not difference:
        return ""
    winner = me if difference < 0 else host
    return f"{_first(winner)} {what} {_count(abs(difference), 'second', 'seconds')} sooner."


def _fewer(mine: Run, ghost: Run, host: str, me: str) -> str:
    difference = mine.actions - ghost.actions
    if not difference:
        return "The same seconds, and as many actions."
    winner = me if difference < 0 else host
    count = _count(abs(difference), "action", "actions")
    return f"The same seconds; {winner} took {count} less."


def _count(number: int, one: str, many: str) -> str:
    return f"1 {one}" if number == 1 else f"{number} {many}"


def _first(name: str) -> str:
    return "You" if name == "you" else name
