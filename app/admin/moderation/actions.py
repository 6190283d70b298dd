"""What moderators can do and why: the actions, the reasons for each, and all texts about them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from app.admin.audit_log import AuditAction
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


_UNDOING: Final = (Reason.REVIEWED, Reason.MISTAKE, Reason.SERVED, Reason.ASKED, Reason.OTHER)

REASONS: Final[Mapping[AuditAction, tuple[Reason, ...]]] = {
    AuditAction.HIDE: (
        *(Reason.IMPOSSIBLE, Reason.COPIED, Reason.SECOND_LOOK, Reason.PROGRAM),
        *(Reason.ASKED, Reason.OTHER),
    ),
    AuditAction.RESTORE: _UNDOING,
    AuditAction.RENAME: (Reason.OFFENSIVE, Reason.IMPERSONATION, Reason.ASKED, Reason.OTHER),
    AuditAction.RENAME_BACK: _UNDOING,
    AuditAction.SUSPEND: (
        *(Reason.REPEATED, Reason.PROGRAM, Reason.OFFENSIVE, Reason.ATTACK),
        *(Reason.STOLEN, Reason.ASKED, Reason.OTHER),
    ),
    AuditAction.LIFT: _UNDOING,
    AuditAction.END_SESSIONS: (Reason.STOLEN, Reason.ATTACK, Reason.ASKED, Reason.OTHER),
}
"""The moderation actions and the reasons allowed for each, the most likely first."""

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

PUBLIC_TEXTS: Final[Mapping[AuditAction, str]] = {
    AuditAction.HIDE: gettext("A result was hidden"),
    AuditAction.RESTORE: gettext("A result was restored"),
    AuditAction.RENAME: gettext("A name was removed"),
    AuditAction.RENAME_BACK: gettext("A name was given back"),
    AuditAction.SUSPEND: gettext("A player was suspended"),
    AuditAction.LIFT: gettext("A suspension was lifted"),
}
"""The actions on the public page. Ending sessions is not one of them: it removes nothing."""

LABELS: Final[Mapping[AuditAction, str]] = {
    AuditAction.HIDE: gettext("Hide this result"),
    AuditAction.RESTORE: gettext("Restore this result"),
    AuditAction.RENAME: gettext("Remove the name"),
    AuditAction.RENAME_BACK: gettext("Give the name back"),
    AuditAction.SUSPEND: gettext("Suspend"),
    AuditAction.LIFT: gettext("Lift the suspension"),
    AuditAction.END_SESSIONS: gettext("End all sessions"),
}
"""The actions on buttons."""

EFFECTS: Final[Mapping[AuditAction, str]] = {
    AuditAction.HIDE: gettext(
        "The result leaves the leaderboard and no longer counts towards ranks, comparisons or streaks. "
        "The player sees that it is hidden, and why. You can restore it later."
    ),
    AuditAction.RESTORE: gettext("The result returns to the leaderboard, exactly as it was."),
    AuditAction.RENAME: gettext(
        "The player gets a friendly name with a number until they choose a new one. "
        "No one can use the old name. You can give it back later."
    ),
    AuditAction.RENAME_BACK: gettext("The player gets back the name that was removed last."),
    AuditAction.SUSPEND: gettext(
        "The player can view everything and download their data, but can't change anything. "
        "This takes effect everywhere within seconds. They see why. You can lift the suspension later. "
        "A suspended guest can come back as a new guest: a suspension blocks the player, not the person."
    ),
    AuditAction.LIFT: gettext("The player can play again within seconds."),
    AuditAction.END_SESSIONS: gettext(
        "All browsers and programs of this player are signed out. You can't undo this. "
        "A player with a password can sign in again at once: to keep them out, suspend them. "
        "A guest has no password and can't come back as this player."
    ),
}
