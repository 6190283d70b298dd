"""What moderators can do: the actions, the reasons allowed for each, and all texts about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.admin.audit_log import AuditAction
from app.identity.moderators_reasons import Reason
from app.text import gettext

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
        "The result leaves the leaderboard and no longer counts toward ranks, comparisons or streaks."
        " The player sees that it is hidden, and why. You can restore it later."
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
