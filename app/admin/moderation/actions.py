"""What moderators can do and why: the actions, their reasons, and every text about them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from app.admin.audit_log import Act


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

ASKED: Final = {
    Act.HIDE: "Hide this result",
    Act.RESTORE: "Restore this result",
    Act.RENAME: "Take the name away",
    Act.RENAME_BACK: "Give the name back",
    Act.SUSPEND: "Suspend",
    Act.LIFT: "Lift the suspension",
    Act.END_SESSIONS: "End all sessions",
}
"""The acts as buttons say them."""

MEANING: Final = {
    Act.HIDE: "The result leaves the board and counts for nothing: no rank, no comparison, no day of a streak. "
    "Its player is told so, with the reason. It can be restored.",
    Act.RESTORE: "The result stands on the board again, as it did before.",
    Act.RENAME: "The player is given a friendly name with a number until they choose another. Nobody can bear "
    "the old name. It can be given back.",
    Act.RENAME_BACK: "The player bears the name again that was taken away last.",
    Act.SUSPEND: "The player can look at everything and take their data along, and change nothing, within seconds "
    "and everywhere. They are told why. It can be lifted. A guest can come back as another guest: nothing here "
    "keeps out a person, only a player.",
    Act.LIFT: "The player can play again, within seconds.",
    Act.END_SESSIONS: "Every browser and program of this player is logged out. This cannot be undone, but somebody "
    "with a password may log in again at once: to keep them out, suspend them. A guest has no password, and cannot "
    "come back as this player.",
}
