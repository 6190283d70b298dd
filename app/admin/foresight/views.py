"""What the pages of foresight show, and the same as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from app.admin.foresight.repository import MeasuredAttempt
from app.i18n.formats import percent
from app.rulesets import ruleset_title
from app.solver.foresight import Foresight
from app.text import decimal_text, gettext, ngettext

THRESHOLD: Final = 3.0
"""From this z-score on an attempt is worth a look: see docs/foresight.md for how often honest attempts reach it."""

FEW: Final = 6  # turns that say little
_TELLING: Final = 5


class AttemptRow(NamedTuple):
    game_id: str
    day: str
    title: str
    player_id: str
    player: str
    z: str
    counts: str
    together: str
    is_high: bool


class TurnRow(NamedTuple):
    """A turn that raised the score; ``step`` is the step of the game log where it began."""

    step: int
    expected: str
    orders: int


@dataclass(frozen=True, slots=True)
class ListView:
    """The attempts with the highest scores."""

    attempts: list[AttemptRow]
    threshold: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptView:
    """An attempt; without ``attempt`` it has not been measured."""

    game_id: str
    attempt: AttemptRow | None
    agreed: int
    choices: int
    expected: str
    turns: list[TurnRow]
    explanations: list[str]
    threshold: str


def build_list_view(attempts: Sequence[MeasuredAttempt]) -> ListView:
    """The page of all measured attempts."""
    return ListView([_row(attempt) for attempt in attempts], decimal_text(THRESHOLD))


def build_attempt_view(
    game_id: str, found: tuple[MeasuredAttempt, Foresight] | None
) -> AttemptView:
    """The page of one attempt."""
    attempt, foresight = found or (None, Foresight(()))
    return AttemptView(
        game_id=game_id,
        attempt=_row(attempt) if attempt else None,
        agreed=foresight.agreed,
        choices=len(foresight.choices),
        expected=decimal_text(foresight.expected),
        turns=[
            TurnRow(choice.version, percent(choice.expected), choice.orders)
            for choice in foresight.most_telling(_TELLING)
        ],
        explanations=_explanations(foresight),
        threshold=decimal_text(THRESHOLD),
    )


def list_json(attempts: Sequence[MeasuredAttempt]) -> dict[str, Any]:
    """The list for a program."""
    return {"threshold": THRESHOLD, "runs": [_json(attempt) for attempt in attempts]}


def attempt_json(game_id: str, found: tuple[MeasuredAttempt, Foresight] | None) -> dict[str, Any]:
    """One attempt for a program, with all its turns."""
    if found is None:
        return {"game_id": game_id, "measured": False}
    attempt, foresight = found
    turns = [choice._asdict() for choice in foresight.choices]
    return {"measured": True, **_json(attempt), "turns": turns}


def _json(attempt: MeasuredAttempt) -> dict[str, Any]:
    rounded = {"z": attempt.z, "expected": attempt.expected, "z_together": attempt.z_together}
    values = attempt._asdict()
    values["runs"] = values.pop("attempts")  # as its readers know it
    return values | {name: round(value, 3) for name, value in rounded.items()}


def _row(attempt: MeasuredAttempt) -> AttemptRow:
    return AttemptRow(
        game_id=attempt.game_id,
        day=attempt.day,
        title=ruleset_title(attempt.ruleset),
        player_id=attempt.player_id,
        player=attempt.player,
        z=decimal_text(attempt.z),
        counts=gettext(
            "%(agreed)s of %(choices)s, %(expected)s expected",
            agreed=attempt.agreed,
            choices=attempt.choices,
            expected=decimal_text(attempt.expected),
        ),
        # Translators: a z-score, and of how many attempts it is.
        together=gettext(
            "%(score)s in %(attempts)s",
            score=decimal_text(attempt.z_together),
            attempts=attempt.attempts,
        )
        if attempt.attempts > 1
        else "",
        is_high=attempt.z >= THRESHOLD,
    )


def _explanations(foresight: Foresight) -> list[str]:
    few = [
        ngettext(
            "Few turns: only %(n)s tells us anything.",
            "Few turns: only %(n)s tell us anything.",
            len(foresight.choices),
        )
    ]
    return [
        *(few if len(foresight.choices) < FEW else []),
        gettext(
            "Luck. Among many honest games, some agree this often, and the list shows the highest"
            " first."
        ),
        gettext(
            "It is among the best games of its day. Honest games that agree more often also win"
            " more often."
        ),
        gettext("The player knew the deal: from a second device, another account, or a friend."),
        gettext("The player asked a solver that was given the cards."),
    ]
