"""What the pages of foresight show, and the same as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from app.admin.foresight.repository import MeasuredRun
from app.i18n.formats import percent
from app.rulesets import ruleset_title
from app.solver.foresight import Foresight
from app.text import decimal_text, gettext, ngettext

THRESHOLD: Final = 3.0
"""From this z-score on a run is worth a look: see docs/foresight.md for how often honest runs reach it."""

FEW: Final = 6  # turns that say little
_TELLING: Final = 5


class RunRow(NamedTuple):
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
    """The runs with the highest scores."""

    runs: list[RunRow]
    threshold: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run; without ``run`` it has not been measured."""

    game_id: str
    run: RunRow | None
    agreed: int
    choices: int
    expected: str
    turns: list[TurnRow]
    explanations: list[str]
    threshold: str


def build_list_view(runs: Sequence[MeasuredRun]) -> ListView:
    """The page of all measured runs."""
    return ListView([_row(run) for run in runs], decimal_text(THRESHOLD))


def build_run_view(game_id: str, found: tuple[MeasuredRun, Foresight] | None) -> RunView:
    """The page of one run."""
    run, foresight = found or (None, Foresight(()))
    return RunView(
        game_id=game_id,
        run=_row(run) if run else None,
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


def list_json(runs: Sequence[MeasuredRun]) -> dict[str, Any]:
    """The list for a program."""
    return {"threshold": THRESHOLD, "runs": [_json(run) for run in runs]}


def run_json(game_id: str, found: tuple[MeasuredRun, Foresight] | None) -> dict[str, Any]:
    """One run for a program, with all its turns."""
    if found is None:
        return {"game_id": game_id, "measured": False}
    run, foresight = found
    turns = [choice._asdict() for choice in foresight.choices]
    return {"measured": True, **_json(run), "turns": turns}


def _json(run: MeasuredRun) -> dict[str, Any]:
    rounded = {"z": run.z, "expected": run.expected, "z_together": run.z_together}
    return run._asdict() | {name: round(value, 3) for name, value in rounded.items()}


def _row(run: MeasuredRun) -> RunRow:
    return RunRow(
        game_id=run.game_id,
        day=run.day,
        title=ruleset_title(run.ruleset),
        player_id=run.player_id,
        player=run.player,
        z=decimal_text(run.z),
        counts=gettext(
            "%(agreed)s of %(choices)s, %(expected)s expected",
            agreed=run.agreed,
            choices=run.choices,
            expected=decimal_text(run.expected),
        ),
        # Translators: a z-score, and of how many runs it is.
        together=gettext(
            "%(score)s in %(runs)s",
            score=decimal_text(run.z_together),
            runs=run.runs,
        )
        if run.runs > 1
        else "",
        is_high=run.z >= THRESHOLD,
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
