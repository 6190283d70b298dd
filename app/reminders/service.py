"""Reminders for players: turning one on for a browser, and stopping it."""

from __future__ import annotations

from functools import partial
from typing import Final

from app.clock import Clock
from app.db.engine import Database
from app.db.ids import new_link
from app.errors import MalformedError
from app.reminders import repository
from app.reminders.encryption import BadKeyError, check_public_key
from app.reminders.keys import SiteKey
from app.reminders.model import (
    PushHosts,
    Reminder,
    ReminderNotFoundError,
    RemindersOffError,
    Subscription,
    parse_hour,
    parse_zone,
)
from app.text import gettext

_OFF: Final = gettext("This reminder is off.")


class ReminderService:
    """The reminders of players. They are off until a player turns one on."""

    def __init__(self, database: Database, clock: Clock, key: SiteKey, hosts: PushHosts) -> None:
        self._database = database
        self._clock = clock
        self._key = key
        self._hosts = hosts

    async def public_key(self) -> str:
        """The key with which browsers subscribe, in base64url; raises ``RemindersOffError``."""
        self._check_on()
        return await self._key.public_key()

    async def turn_on(
        self,
        player_id: str,
        subscription: Subscription,
        hour: int,
        zone: str,
        device: str,
        *,
        language: str = "",
    ) -> Reminder:
        """Remind a browser of a player every day at an hour; replaces the reminder that it had.

        Raises ``MalformedError``, ``EndpointRefusedError``, ``TooManyRemindersError`` and ``RemindersOffError``.
        """
        self._check(subscription)
        now_ms = self._clock()
        reminder = Reminder(
            id=new_link(),
            player_id=player_id,
            subscription=subscription,
            hour=parse_hour(hour),
            zone=parse_zone(zone),
            device=device,
            made_ms=now_ms,
            language=language,
        )
        stored = await self._database.write(
            partial(repository.put, reminder=reminder, now_ms=now_ms)
        )
        return await self.find(stored)

    async def list_of(self, player_id: str) -> list[Reminder]:
        """The reminders of a player, oldest first."""
        return await self._database.read(partial(repository.list_of, player_id=player_id))

    async def find(self, reminder_id: str) -> Reminder:
        """A reminder by its secret id; raises ``ReminderNotFoundError``."""
        found = await self._database.read(partial(repository.find, reminder_id=reminder_id))
        if found is None:
            raise ReminderNotFoundError(_OFF)
        return found

    async def stop(self, reminder_id: str) -> None:
        """Stop a reminder for anyone who knows its id; raises ``ReminderNotFoundError``."""
        if not await self._database.write(partial(repository.remove, reminder_id=reminder_id)):
            raise ReminderNotFoundError(_OFF)

    async def renew(self, old_endpoint: str, subscription: Subscription) -> None:
        """Send a reminder to a new subscription of its browser.

        Raises ``ReminderNotFoundError``, ``MalformedError``, ``EndpointRefusedError`` and ``RemindersOffError``.
        """
        self._check(subscription)
        work = partial(repository.renew, old_endpoint=old_endpoint, subscription=subscription)
        if not await self._database.write(work):
            raise ReminderNotFoundError(_OFF)

    def _check(self, subscription: Subscription) -> None:
        self._check_on()
        self._hosts.check(subscription.endpoint)
        try:
            check_public_key(subscription.public_key)
        except BadKeyError as error:
            raise MalformedError(
                gettext("The keys of this subscription are not those of a browser.")
            ) from error

    def _check_on(self) -> None:
        if not self._hosts:
            raise RemindersOffError(gettext("There are no reminders on this site."))
