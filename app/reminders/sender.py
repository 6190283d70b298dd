"""Sends the reminders that are due: a periodic task, in one process at a time.

Reminders are taken in portions. In one transaction the process renews its lease and stores that it begins to send each
of them; then it sends them, and notes the outcome of each at once. A process that dies in between leaves reminders that
were begun, and another process sends these once more, and never a third time. Messages of one day have one ``Topic``
and one tag, so that the second replaces the first.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import Connection

from app.clock import HOUR_MS, MINUTE_MS, Clock, day_of
from app.db.engine import Database
from app.db.leases import Lease, new_holder
from app.i18n.languages import find
from app.i18n.speaking import ENGLISH_INFO
from app.i18n.wording import language_of
from app.jobs.scheduler import FirstRun, PeriodicTask
from app.logs import logger_of
from app.reminders import repository
from app.reminders.encryption import BadKeyError, encrypt
from app.reminders.keys import SiteKey
from app.reminders.model import EndpointRefusedError, PushHosts, RemindersOffError, local_time
from app.reminders.push_client import MaybeSentError, NotSentError, PushAnswer, PushClient
from app.reminders.repository import DueReminder
from app.text import gettext

_LEASE: Final = "send reminders"
_LEASE_MS: Final = 120_000  # a portion takes at most a quarter of it
_INTERVAL: Final = 60.0  # seconds
_PORTION: Final = 32  # reminders that are sent at the same time
_FIRST_PAUSE_MS: Final = 5 * MINUTE_MS
_LONGEST_PAUSE_MS: Final = HOUR_MS
_SILENCE: Final = 8  # failures in a row after which a push service is left alone until the next run
_GONE: Final = frozenset({404, 410})
_TRY_AGAIN: Final = frozenset({408, 425, 429})
_SERVER_ERROR: Final = 500
_OK: Final = range(200, 300)

_log: Final = logger_of("reminders")

OpenClient = Callable[[], AbstractAsyncContextManager[PushClient]]


class ReminderSender:
    """Sends what is due, and keeps what the push services say."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        key: SiteKey,
        hosts: PushHosts,
        open_client: OpenClient | None,
    ) -> None:
        """Without ``open_client`` or ``hosts`` nothing is ever sent."""
        self._database = database
        self._clock = clock
        self._key = key
        self._hosts = hosts
        self._open_client = open_client
        self._lease = Lease(database, _LEASE, clock, _LEASE_MS, new_holder())

    def tasks(self) -> list[PeriodicTask]:
        """The task for the scheduler. It takes its lease itself, again for each portion, if there is one."""
        if self._open_client is None or not self._hosts:
            return []
        return [
            PeriodicTask(
                name="send reminders", seconds=_INTERVAL, run=self.run, first=FirstRun.AT_ONCE
            )
        ]

    async def run(self) -> None:
        """Send everything that is due."""
        is_any = partial(repository.is_any_due, now_ms=self._clock())
        if self._open_client is None or not await self._database.read(is_any):
            return
        failures: Counter[str] = Counter()
        outcomes: Counter[str] = Counter()
        try:
            async with self._open_client() as client:
                while True:
                    portion = await self._database.write(self._take)
                    if portion is None:
                        break
                    async with asyncio.TaskGroup() as group:
                        sending = [
                            group.create_task(self._send(client, due, failures)) for due in portion
                        ]
                    outcomes.update(task.result() for task in sending)
        except* RemindersOffError as errors:
            _log.warning("Reminders can't be sent: %s", errors.exceptions[0])
        await self._lease.release()
        if outcomes:
            _log.info("Reminders: %s", dict(sorted(outcomes.items())))

    def _take(self, connection: Connection) -> list[DueReminder] | None:
        """The next portion; ``None`` if nothing is due, or another process sends."""
        if not self._lease.take(connection):
            return None
        taken, is_any = repository.take_due(connection, self._clock(), _PORTION)
        return taken if is_any else None

    async def _send(self, client: PushClient, due: DueReminder, failures: Counter[str]) -> str:
        """Send one reminder and note the outcome; what became of it, for the log."""
        endpoint = due.reminder.subscription.endpoint
        host = urlsplit(endpoint).hostname or ""
        if failures[host] >= _SILENCE:
            retry_ms = self._clock() + _FIRST_PAUSE_MS
            await self._database.write(partial(repository.postpone, due=due, retry_ms=retry_ms))
            return "postponed"
        try:
            self._hosts.check(endpoint)  # the list may have changed since
            body = encrypt(_message(due), due.reminder.subscription)
            headers = _headers(due, self._clock()) | {
                "Authorization": await self._key.authorize(endpoint)
            }
            answer = await client.post(endpoint, headers, body)
        except (EndpointRefusedError, BadKeyError):
            answer = PushAnswer(403)  # as if the push service had refused it
        except NotSentError:
            failures[host] += 1
            return await self._retry(due, PushAnswer(0), is_known=True)
        except MaybeSentError:
            failures[host] += 1
            return await self._retry(due, PushAnswer(0), is_known=False)
        return await self._note(due, answer, failures, host)

    async def _note(
        self, due: DueReminder, answer: PushAnswer, failures: Counter[str], host: str
    ) -> str:
        if answer.status in _TRY_AGAIN or answer.status >= _SERVER_ERROR:
            failures[host] += 1
            return await self._retry(due, answer, is_known=True)
        failures[host] = 0
        now_ms = self._clock()
        if answer.status in _OK:
            await self._database.write(partial(repository.note_sent, due=due, now_ms=now_ms))
            return "sent"
        if answer.status in _GONE:
            await self._database.write(partial(repository.note_gone, due=due))
            return "gone"
        await self._database.write(partial(repository.note_refused, due=due, now_ms=now_ms))
        return f"refused with {answer.status}"

    async def _retry(self, due: DueReminder, answer: PushAnswer, *, is_known: bool) -> str:
        now_ms = self._clock()
        pause_ms = _pause_ms(answer.retry_after, due.refused, now_ms)
        await self._database.write(
            partial(
                repository.note_retry,
                due=due,
                now_ms=now_ms,
                # At the latest when it is too late, so that it then waits for its next day.
                retry_ms=min(now_ms + pause_ms, due.until_ms),
                is_known=is_known,
            )
        )
        return "to try again"


def _message(due: DueReminder) -> bytes:
    """The message for `static/js/push-worker.js`, in the language of the player."""
    until = local_time(due.day_ends_ms, due.reminder.zone)
    texts = {
        "title": gettext("Today's deals are waiting"),
        "body": gettext(
            "One deal for each game, the same for everyone, until %(time)s.", time=until
        ),
        "stop_title": gettext("Stop the reminder"),
        "stopped": gettext("The reminder is off on this device."),
    }
    language = language_of(find(due.language) or ENGLISH_INFO)
    message = {
        **{name: text.in_language(language) for name, text in texts.items()},
        "tag": topic_of(due),
        "open": "/daily",
        "stop": f"/reminder/stop/{due.reminder.id}",
    }
    return json.dumps(message).encode()


def topic_of(due: DueReminder) -> str:
    """The topic of all messages of one day: a newer message replaces an older one."""
    return f"daily-{day_of(due.due_ms):%Y%m%d}"


def _headers(due: DueReminder, now_ms: int) -> dict[str, str]:
    return {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, (due.day_ends_ms - now_ms) // 1000)),
        "Topic": topic_of(due),
        "Urgency": "normal",
    }


def _pause_ms(retry_after: str, refused: int, now_ms: int) -> int:
    """How long to wait: what the push service says, within limits; otherwise twice as long each time."""
    wanted = _read_retry_after(retry_after, now_ms)
    if wanted is None:
        wanted = _FIRST_PAUSE_MS * 2 ** min(refused, 5)
    return max(int(_INTERVAL * 1000), min(wanted, _LONGEST_PAUSE_MS))


def _read_retry_after(text: str, now_ms: int) -> int | None:
    """Milliseconds from now, of a header with seconds or a date; ``None`` if it is neither."""
    if text.isascii() and text.isdigit():
        return min(int(text[:9]), 86_400) * 1000
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # the latter for an endless time zone
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int((aware - datetime.fromtimestamp(now_ms / 1000, UTC)).total_seconds() * 1000)
