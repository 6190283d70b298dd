"""The reasons that moderators give in public. They are stored in English and read in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from app.text import gettext


class Reason(StrEnum):
    """A public kind of reason. The details are in the note, which only staff see."""

    IMPOSSIBLE = "impossible"
    COPIED = "copied"
    SECOND_LOOK = "second-look"
    PROGRAM = "program"
    OFFENSIVE = "offensive"
    IMPERSONATION = "impersonation"
    ATTACK = "attack"
    REPEATED = "repeated"
    STOLEN = "stolen"
    ASKED = "asked"
    REVIEWED = "reviewed"
    SERVED = "served"
    MISTAKE = "mistake"
    OTHER = "other"


REASON_TEXTS: Final[Mapping[Reason, str]] = {
    Reason.IMPOSSIBLE: gettext("It was faster than anyone can play."),
    Reason.COPIED: gettext("The moves were copied from another player."),
    Reason.SECOND_LOOK: gettext("The player had already seen the cards under another name."),
    Reason.PROGRAM: gettext("It was played by a program."),
    Reason.OFFENSIVE: gettext("It is offensive."),
    Reason.IMPERSONATION: gettext("It impersonates someone else."),
    Reason.ATTACK: gettext("The site was attacked."),
    Reason.REPEATED: gettext("It kept happening."),
    Reason.STOLEN: gettext("Someone else may have had access to the account."),
    Reason.ASKED: gettext("The player asked for it."),
    Reason.REVIEWED: gettext("We reviewed it and changed our decision."),
    Reason.SERVED: gettext("Enough time has passed."),
    Reason.MISTAKE: gettext("We made a mistake."),
    Reason.OTHER: gettext("There was another reason."),
}

_KNOWN: Final = {str(text): text for text in REASON_TEXTS.values()}


def moderators_reason(stored: str | None) -> str:
    """The stored reason as a text for a reader; empty without one, and as it was stored if it is none of these."""
    return _KNOWN.get(stored, stored) if stored else ""
