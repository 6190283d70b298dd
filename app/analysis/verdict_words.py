"""What is known about whether a game can be won, in words."""

from __future__ import annotations

from typing import Final

from app.analysis.model import WinnabilityVerdict, Winnable
from app.text import gettext, ngettext, sentences

LOOKING_BACK: Final = gettext(
    "No. This position can't be won. Looking for the last one that could…"
)

_YES: Final = gettext("Yes. You can still win from here.")
_NO: Final = gettext("No. This position can't be won.")
_MAYBE_BEFORE: Final = gettext(
    "No. This position can't be won. Undo may take you back to one that can."
)
_NEVER: Final = gettext("No. This deal can't be won, not even from the start.")
_UNKNOWN: Final = gettext(
    "Unknown. The search found neither a win nor a proof that there is none. Ask again a few moves later."
)


def answer_text(verdict: WinnabilityVerdict, now: int) -> str:
    """The answer about a game after move ``now`` and, if that is no, how far back it could be won."""
    match verdict:
        case WinnabilityVerdict(Winnable.YES):
            return _YES
        case WinnabilityVerdict(Winnable.UNKNOWN):
            return _UNKNOWN
        case WinnabilityVerdict(last=None, lost=0):
            return _NEVER
        case WinnabilityVerdict(last=None, lost=int(lost)) if lost < now:
            return gettext(
                "No. After move %(move)s it could no longer be won. What was possible before is unknown.",
                move=lost,
            )
        case WinnabilityVerdict(last=int(last), lost=int(lost)):
            between = gettext(
                "After move %(move)s it couldn't; what was possible in between is unknown.",
                move=lost,
            )
            return sentences(
                _NO, _could_be_won(last, now - last), between if lost > last + 1 else ""
            )
        case _:
            return _MAYBE_BEFORE


def _could_be_won(last: int, ago: int) -> str:
    if last:
        return ngettext(
            "It could still be won after move %(move)s, %(n)s move ago.",
            "It could still be won after move %(move)s, %(n)s moves ago.",
            ago,
            move=last,
        )
    return ngettext(
        "It could still be won at the start, %(n)s move ago.",
        "It could still be won at the start, %(n)s moves ago.",
        ago,
    )


def button_title(last: int) -> str:
    """The words of the button that goes back to the last winnable position."""
    if last:
        return gettext("Go back to move %(move)s", move=last)
    return gettext("Go back to the start")


def returned_text(last: int) -> str:
    """The message at the table once the game is back there."""
    if last:
        return gettext("You are back at move %(move)s, and you can win from here.", move=last)
    return gettext("You are back at the start, and you can win from here.")
