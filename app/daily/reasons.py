"""Why a run no longer counts, in the reader's language: these reasons are stored and published in English."""

from __future__ import annotations

from app.daily.setting_aside import NOT_REPLAYED, TOO_LONG
from app.text import gettext, stored_text


def reason_text(stored: str | None) -> str:
    """The stored reason as a text for a reader; empty without one."""
    if not stored:
        return ""
    if (actions := _actions(stored, TOO_LONG)) is not None:
        return gettext(
            "It has %(actions)s actions, too many to be replayed when the day closed. It can still be judged.",
            actions=actions,
        )
    if (actions := _actions(stored, NOT_REPLAYED)) is not None:
        return gettext(
            "It could not be replayed when the day closed: it has %(actions)s actions. It can still be judged.",
            actions=actions,
        )
    return stored_text(stored)


def _actions(stored: str, form: str) -> int | None:
    """The number of actions in a reason of this form."""
    before, _, after = form.partition("{actions}")
    digits = stored.removeprefix(before).removesuffix(after).replace(",", "")
    return int(digits) if digits.isascii() and digits.isdigit() else None
