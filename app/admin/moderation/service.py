"""What those who look after the site may do to results and players. Everything has a reason and can be undone.

An act and its line in the audit log are one transaction: there is none without the other.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, insert
from sqlalchemy.exc import IntegrityError

from app.admin import audit_log as audit
from app.admin.audit_log import Act
from app.admin.auth.service import Officer
from app.admin.errors import (
    AdministratorsOnlyError,
    NotForYouError,
    NothingToDoError,
    PlayerNotFoundError,
)
from app.admin.moderation.actions import REASONS, WORDS, Reason
from app.admin.moderation.repository import Person, find_person, find_result
from app.db.engine import Database
from app.db.schema import suspensions, withdrawn_names
from app.errors import GameNotFoundError, MalformedError
from app.identity import repository
from app.identity.names import guest_name, name_key
from app.identity.repository import is_withdrawn
from app.identity.service import PlayerService

FOR_MODERATORS: Final = frozenset({Act.HIDE, Act.RESTORE, Act.NOTE})

Hide = Callable[[Connection, str, str], bool]
"""Takes the result of a game off the boards, with a sentence; whether it stood there."""

Restore = Callable[[Connection, str], bool]
"""Puts it back; whether it was hidden."""


class Why(NamedTuple):
    """A kind of reason, for everybody, and the whole story, for the staff."""

    reason: Reason
    note: str


@dataclass(frozen=True, slots=True)
class Case:
    """Something that may be done: to whom, and to which game of theirs if it is about one."""

    act: Act
    subject: str
    person: Person


class ModerationService:
    """Does what an officer asks for, when they may."""

    def __init__(
        self,
        database: Database,
        players: PlayerService,
        clock: Callable[[], int],
        hide: Hide,
        restore: Restore,
    ) -> None:
        """``hide`` and ``restore`` are of whoever keeps the boards."""
        self._database = database
        self._players = players
        self._clock = clock
        self._hide = hide
        self._restore = restore

    async def case(self, officer: Officer, act: Act, subject: str) -> Case:
        """What may be done; raises ``ForbiddenError``, ``NotFoundError`` and ``NothingToDoError``."""
        if act not in FOR_MODERATORS and not officer.is_administrator:
            raise AdministratorsOnlyError("Moderators hide and restore results, and no more.")
        person = await self._database.read(partial(_person_of, act=act, subject=subject))
        if person.id == officer.player.id:
            raise NotForYouError("This is about yourself: somebody else has to decide.")
        if person.role and act not in {Act.END_SESSIONS, Act.NOTE}:
            raise NotForYouError(
                f"{person.name} looks after the site too. Take the role away first, on the command line."
            )
        trouble = _trouble(act, person)
        if trouble:
            raise NothingToDoError(trouble)
        return Case(act, subject, person)

    async def act(self, officer: Officer, act: Act, subject: str, why: Why) -> Case:
        """Do it, and note it; raises as ``case`` does, and ``MalformedError`` without a reason."""
        case = await self.case(officer, act, subject)
        if why.reason not in REASONS[act] or not why.note.strip():
            raise MalformedError("Please choose a reason and say in a few words what happened.")
        now_ms = self._clock()

        def work(connection: Connection) -> None:
            told = self._do(connection, case, why.reason, now_ms)
            audit.write(
                connection,
                now_ms,
                officer.player.id,
                act,
                subject=subject,
                note=f"{told}{why.note.strip()}",
                reason=why.reason,
            )

        try:
            await self._database.write(work)
        except IntegrityError as error:
            raise NothingToDoError("Somebody was faster: this was done a moment ago.") from error
        self._players.forget(case.person.id)
        return case

    async def note(self, officer: Officer, player_id: str, text: str) -> None:
        """Leave a note about a player for the others; raises ``PlayerNotFoundError``."""
        case = await self.case(officer, Act.NOTE, player_id)
        if not text.strip():
            raise MalformedError("There is nothing in this note.")
        now_ms, note = self._clock(), text.strip()

        def write(connection: Connection) -> None:
            actor_id = officer.player.id
            audit.write(connection, now_ms, actor_id, Act.NOTE, subject=case.subject, note=note)

        await self._database.write(write)

    def _do(self, connection: Connection, case: Case, reason: Reason, now_ms: int) -> str:
        """Do it now; what else the log should say. Raises ``NothingToDoError`` when somebody was faster."""
        person, sentence = case.person, WORDS[reason]
        match case.act:
            case Act.HIDE:
                _must(self._hide(connection, case.subject, sentence), "does not stand on a board")
            case Act.RESTORE:
                _must(self._restore(connection, case.subject), "is not hidden")
            case Act.SUSPEND:
                values = {"player_id": person.id, "since_ms": now_ms, "reason": sentence}
                connection.execute(insert(suspensions).values(values))
            case Act.LIFT:
                lifted = delete(suspensions).where(suspensions.c.player_id == person.id)
                _must(connection.execute(lifted).rowcount == 1, "is not suspended")
            case Act.RENAME:
                return _withdraw(connection, person, sentence, now_ms)
            case Act.RENAME_BACK:
                return _give_back(connection, person)
            case Act.END_SESSIONS:
                ended = repository.end_sessions(connection, person.id)
                return f"{ended} ended. "
            case _:
                message = f"{case.act} is nothing that is done to somebody"
                raise ValueError(message)
        return ""


def _person_of(connection: Connection, act: Act, subject: str) -> Person:
    player_id = subject
    if act.is_of_game:
        result = find_result(connection, subject)
        if result is None:
            raise GameNotFoundError("No game of a daily board has this id.")
        if act is Act.HIDE and not result.can_be_hidden:
            raise NothingToDoError("This result does not stand on a board.")
        if act is Act.RESTORE and not result.is_hidden:
            raise NothingToDoError("This result is not hidden.")
        player_id = result.player_id
    person = find_person(connection, player_id)
    if person is None:
        raise PlayerNotFoundError("No player has this id.")
    return person


def _trouble(act: Act, person: Person) -> str:
    match act:
        case Act.SUSPEND if person.suspension is not None:
            return f"{person.name} is suspended already."
        case Act.LIFT if person.suspension is None:
            return f"{person.name} is not suspended."
        case Act.RENAME if not person.is_named:
            return "The names of guests are given by the site: there is nothing to take away."
        case Act.RENAME_BACK if not (person.is_named and person.withdrawn):
            return "No name was taken away that could be given back."
    return ""


def _withdraw(connection: Connection, person: Person, sentence: str, now_ms: int) -> str:
    """Take a name away for everybody, and give its bearer another until they choose one."""
    account = repository.find_account_of(connection, person.id, lock=True)
    _must(account is not None and account.name == person.name, "bears another name by now")
    values = {"name": person.name, "player_id": person.id, "withdrawn_ms": now_ms}
    connection.execute(
        insert(withdrawn_names).values(name_key=name_key(person.name), reason=sentence, **values)
    )
    given = _free_name(connection)
    repository.change_name_key(connection, person.id, name_key(given))
    repository.rename_player(connection, person.id, given)
    return f"{person.name} is {given} now. "


def _give_back(connection: Connection, person: Person) -> str:
    """Give the name back that was taken away last."""
    back = person.withdrawn[0]
    w = withdrawn_names.c
    given = delete(withdrawn_names).where(w.name_key == back.name_key, w.player_id == person.id)
    _must(connection.execute(given).rowcount == 1, "has the name again")
    _must(repository.find_account_of(connection, person.id, lock=True) is not None, "has left")
    repository.change_name_key(connection, person.id, back.name_key)
    repository.rename_player(connection, person.id, back.name)
    return f"{person.name} is {back.name} again. "


def _free_name(connection: Connection) -> str:
    """A friendly name with a number, which no guest is ever given."""
    while True:
        name = f"{guest_name()} {secrets.randbelow(9000) + 1000}"
        key = name_key(name)
        if not (repository.find_account_by_name(connection, key) or is_withdrawn(connection, key)):
            return name


def _must(holds: bool, otherwise: str) -> None:  # noqa: FBT001 - reads as it is said
    if not holds:
        message = f"Somebody was faster: this {otherwise}."
        raise NothingToDoError(message)
