"""Moderation: hiding results, renaming and suspending players. Each action has a reason, and most can be undone.

An action and its audit log entry are written in one transaction: neither exists without the other.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, insert
from sqlalchemy.exc import IntegrityError

from app.admin import audit_log
from app.admin.audit_log import AuditAction
from app.admin.audit_notes import RENAMED, RENAMED_BACK, SESSIONS_ENDED
from app.admin.auth.service import AdministratorsOnlyError, StaffMember
from app.admin.conflict_of_interest import Reader, list_withheld
from app.admin.moderation.actions import REASONS
from app.admin.moderation.repository import PlayerAccount, find_player, find_result
from app.clock import Clock, day_of
from app.db.engine import Database
from app.db.schema import suspensions, withdrawn_names
from app.errors import (
    ConflictError,
    ForbiddenError,
    GameNotFoundError,
    MalformedError,
    PlayerNotFoundError,
)
from app.identity import repository
from app.identity.moderators_reasons import REASON_TEXTS, Reason
from app.identity.name_keys import NameKeys, keys_of, name_shape
from app.identity.names import guest_name
from app.identity.sessions import Sessions
from app.text import gettext

FOR_MODERATORS: Final = frozenset({AuditAction.HIDE, AuditAction.RESTORE, AuditAction.NOTE})

HideResult = Callable[[Connection, str, str], bool]
"""Takes the result of a game off the leaderboards, with a reason; ``False`` if it was not on one."""

RestoreResult = Callable[[Connection, str], bool]
"""Puts the result of a game back; ``False`` if it was not hidden."""


class OtherStaffRequiredError(ForbiddenError):
    """Staff cannot act on themselves or on other staff."""

    title = gettext("You can't do this yourself")


class NothingToDoError(ConflictError):
    """The action would change nothing, or there is nothing to apply it to."""

    title = gettext("Nothing to do")


class Justification(NamedTuple):
    """Why an action was taken: a public kind of reason, and a note for staff."""

    reason: Reason
    note: str


@dataclass(frozen=True, slots=True)
class ProposedAction:
    """An action that a staff member may take; ``subject`` is the id of a game or of the player."""

    action: AuditAction
    subject: str
    player: PlayerAccount


class ModerationService:
    """Checks what staff members may do, and does it."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        clock: Clock,
        hide_result: HideResult,
        restore_result: RestoreResult,
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._clock = clock
        self._hide_result = hide_result
        self._restore_result = restore_result

    async def propose(
        self, staff: StaffMember, action: AuditAction, subject: str
    ) -> ProposedAction:
        """Check an action; raises ``ForbiddenError``, ``NotFoundError`` and ``NothingToDoError``.

        A game that is withheld can be hidden; only then does it turn out whether it had ended.
        """
        if action not in FOR_MODERATORS and not staff.is_administrator:
            raise AdministratorsOnlyError(
                gettext("Moderators can only hide and restore results and add notes.")
            )
        reader = Reader(staff.player.id, day_of(self._clock()))
        player = await self._database.read(
            partial(_player_of, action=action, subject=subject, reader=reader)
        )
        if player.id == staff.player.id:
            raise OtherStaffRequiredError(
                gettext("This is about you, so another staff member must decide.")
            )
        if player.role and action not in {AuditAction.END_SESSIONS, AuditAction.NOTE}:
            raise OtherStaffRequiredError(
                gettext(
                    "%(name)s is a staff member. Revoke their role on the command line first.",
                    name=player.name,
                )
            )
        obstacle = _find_obstacle(action, player)
        if obstacle:
            raise NothingToDoError(obstacle)
        return ProposedAction(action, subject, player)

    async def apply(
        self, staff: StaffMember, action: AuditAction, subject: str, why: Justification
    ) -> ProposedAction:
        """Do it and log it; raises as ``propose`` does, and ``MalformedError`` without a valid reason."""
        proposed = await self.propose(staff, action, subject)
        if why.reason not in REASONS[action] or not why.note.strip():
            raise MalformedError(gettext("Choose a reason and describe what happened."))
        now_ms = self._clock()

        def apply(connection: Connection) -> None:
            outcome = self._apply(connection, proposed, why.reason, now_ms)
            audit_log.add_entry(
                connection,
                now_ms,
                staff.player.id,
                action,
                subject=subject,
                note=f"{outcome}{why.note.strip()}",
                reason=why.reason,
            )

        try:
            await self._database.write(apply)
        except IntegrityError as error:
            raise NothingToDoError(gettext("Someone else has just done this.")) from error
        self._sessions.forget(proposed.player.id)
        return proposed

    async def add_note(self, staff: StaffMember, player_id: str, text: str) -> None:
        """Add a note about a player for other staff; raises ``PlayerNotFoundError``."""
        proposed = await self.propose(staff, AuditAction.NOTE, player_id)
        if not text.strip():
            raise MalformedError(gettext("The note is empty."))
        now_ms, note = self._clock(), text.strip()

        def write(connection: Connection) -> None:
            audit_log.add_entry(
                connection,
                now_ms,
                staff.player.id,
                AuditAction.NOTE,
                subject=proposed.subject,
                note=note,
            )

        await self._database.write(write)

    def _apply(
        self, connection: Connection, proposed: ProposedAction, reason: Reason, now_ms: int
    ) -> str:
        """Do it, and return what else to log. Raises ``NothingToDoError`` if it has just been done."""
        player, text = proposed.player, str(REASON_TEXTS[reason])  # stored in English
        match proposed.action:
            case AuditAction.HIDE:
                is_done = self._hide_result(connection, proposed.subject, text)
                _require(is_done, gettext("The result is no longer on a leaderboard."))
            case AuditAction.RESTORE:
                is_done = self._restore_result(connection, proposed.subject)
                _require(is_done, gettext("The result is no longer hidden."))
            case AuditAction.SUSPEND:
                values = {"player_id": player.id, "since_ms": now_ms, "reason": text}
                connection.execute(insert(suspensions).values(values))
            case AuditAction.LIFT:
                lifted = delete(suspensions).where(suspensions.c.player_id == player.id)
                is_done = connection.execute(lifted).rowcount == 1
                _require(is_done, gettext("The player is no longer suspended."))
            case AuditAction.RENAME:
                return _withdraw_name(connection, player, text, now_ms)
            case AuditAction.RENAME_BACK:
                return _give_name_back(connection, player)
            case AuditAction.END_SESSIONS:
                ended = repository.end_sessions(connection, player.id)
                return SESSIONS_ENDED.format(sessions=ended, note="")
            case _:
                message = f"{proposed.action} is not a moderation action"
                raise ValueError(message)
        return ""


def _player_of(
    connection: Connection, action: AuditAction, subject: str, reader: Reader
) -> PlayerAccount:
    player_id = subject
    if action.targets_game:
        result = find_result(connection, subject)
        if result is None:
            raise GameNotFoundError(gettext("No daily game has this id."))
        is_withheld = bool(list_withheld(connection, reader, [subject]))
        if action is AuditAction.HIDE and not (is_withheld or result.can_be_hidden):
            raise NothingToDoError(gettext("This result isn't on a leaderboard."))
        if action is AuditAction.RESTORE and not result.is_hidden:
            raise NothingToDoError(gettext("This result isn't hidden."))
        player_id = result.player_id
    player = find_player(connection, player_id)
    if player is None:
        raise PlayerNotFoundError(gettext("No player has this id."))
    return player


def _find_obstacle(action: AuditAction, player: PlayerAccount) -> str:
    """Why the action would change nothing; empty if it would."""
    match action:
        case AuditAction.SUSPEND if player.suspension is not None:
            return gettext("%(name)s is already suspended.", name=player.name)
        case AuditAction.LIFT if player.suspension is None:
            return gettext("%(name)s isn't suspended.", name=player.name)
        case AuditAction.RENAME if not player.is_named:
            return gettext("The site names guests, so there is no name to remove.")
        case AuditAction.RENAME_BACK if not (player.is_named and player.withdrawn):
            return gettext("There is no removed name to give back.")
    return ""


def _withdraw_name(connection: Connection, player: PlayerAccount, reason: str, now_ms: int) -> str:
    """Block a name for everyone, and give its player another until they choose one."""
    account = repository.find_account_of(connection, player.id, lock=True)
    is_current = account is not None and account.name == player.name
    _require(is_current, gettext("The player has changed their name."))
    keys = keys_of(player.name)
    values = {"name": player.name, "player_id": player.id, "withdrawn_ms": now_ms}
    connection.execute(
        insert(withdrawn_names).values(
            name_key=keys.key, name_shape=keys.shape, reason=reason, **values
        )
    )
    given = _free_name(connection)
    repository.change_name_keys(connection, player.id, keys_of(given))
    repository.rename_player(connection, player.id, given)
    return RENAMED.format(old=player.name, new=given, note="")


def _give_name_back(connection: Connection, player: PlayerAccount) -> str:
    """Give back the name that was withdrawn last."""
    last = player.withdrawn[0]
    w = withdrawn_names.c
    released = delete(withdrawn_names).where(w.name_key == last.name_key, w.player_id == player.id)
    is_released = connection.execute(released).rowcount == 1
    _require(is_released, gettext("The player already has the name back."))
    account = repository.find_account_of(connection, player.id, lock=True)
    _require(account is not None, gettext("The player has deleted their account."))
    keys = NameKeys(last.name_key, name_shape(last.name))
    repository.change_name_keys(connection, player.id, keys)
    repository.rename_player(connection, player.id, last.name)
    return RENAMED_BACK.format(old=player.name, new=last.name, note="")


def _free_name(connection: Connection) -> str:
    """A friendly name with a number, which no guest ever gets."""
    while True:
        name = f"{guest_name()} {secrets.randbelow(9000) + 1000}"
        if not repository.is_name_taken(connection, keys_of(name)):
            return name


def _require(condition: bool, otherwise: str) -> None:  # noqa: FBT001 - an assertion
    if not condition:
        raise NothingToDoError(otherwise)
