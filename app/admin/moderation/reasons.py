"""Why those who look after the site act: a word that is kept, and a sentence that everybody may read."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from app.admin.moderation.audit import Act


class Reason(StrEnum):
    """A kind of reason. What exactly it was is in the note, which stays with the staff."""

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


WORDS: Final[Mapping[Reason, str]] = {
    Reason.IMPOSSIBLE: "It was played in a time that no person can play in.",
    Reason.COPIED: "The same moves had been played by somebody else before.",
    Reason.SECOND_LOOK: "The cards had been seen before under another name.",
    Reason.PROGRAM: "It was played by a program.",
    Reason.OFFENSIVE: "It offends people.",
    Reason.IMPERSONATION: "It was made to be taken for somebody else.",
    Reason.ATTACK: "The site was disturbed.",
    Reason.REPEATED: "It had happened before, and went on.",
    Reason.STOLEN: "Somebody else may have had access.",
    Reason.ASKED: "The player asked for it.",
    Reason.REVIEWED: "A second look did not bear it out.",
    Reason.SERVED: "It has lasted long enough.",
    Reason.MISTAKE: "It was our mistake.",
    Reason.OTHER: "There was another reason.",
}

_UNDOING: Final = (Reason.REVIEWED, Reason.MISTAKE, Reason.SERVED, Reason.ASKED, Reason.OTHER)

REASONS: Final[Mapping[Act, tuple[Reason, ...]]] = {
    Act.HIDE: (
        *(Reason.IMPOSSIBLE, Reason.COPIED, Reason.SECOND_LOOK, Reason.PROGRAM),
        *(Reason.ASKED, Reason.OTHER),
    ),
    Act.RESTORE: _UNDOING,
    Act.RENAME: (Reason.OFFENSIVE, Reason.IMPERSONATION, Reason.ASKED, Reason.OTHER),
    Act.RENAME_BACK: _UNDOING,
    Act.SUSPEND: (
        *(Reason.REPEATED, Reason.PROGRAM, Reason.OFFENSIVE, Reason.ATTACK),
        *(Reason.STOLEN, Reason.ASKED, Reason.OTHER),
    ),
    Act.LIFT: _UNDOING,
    Act.END_SESSIONS: (Reason.STOLEN, Reason.ATTACK, Reason.ASKED, Reason.OTHER),
}
"""What may be said of each act, the likeliest first."""

TOLD: Final[Mapping[Act, str]] = {
    Act.HIDE: "A result was hidden",
    Act.RESTORE: "A result was restored",
    Act.RENAME: "A name was taken away",
    Act.RENAME_BACK: "A name was given back",
    Act.SUSPEND: "A player was suspended",
    Act.LIFT: "A suspension was lifted",
}
"""The acts that are made public. Ending sessions takes nothing away from a board."""
