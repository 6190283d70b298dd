"""Reminders in the database. Every function runs in the transaction of its caller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, exists, func, or_, select, update

from app.clock import DAY_MS, HOUR_MS, day_begins_ms, day_of
from app.db.engine import insert_into
from app.db.schema import accounts, daily_attempts, push_reminders, suspensions
from app.identity.repository import lock_player
from app.reminders.model import (
    MAX_PER_PLAYER,
    Reminder,
    Subscription,
    TooManyRemindersError,
    next_due_ms,
)
from app.text import ngettext

MAX_BEGUN: Final = 2
"""How often one reminder is sent at most while it is unknown whether it arrived: once, and once again."""
LATE_MS: Final = 4 * HOUR_MS
"""A reminder that could not be sent for that long is dropped: nobody wants the one of the morning at night."""
MAX_FAILING_MS: Final = 5 * DAY_MS
"""A subscription is dropped when nothing could be sent to it for so long."""

_r = push_reminders.c
_COLUMNS: Final = (
    *(_r.id, _r.player_id, _r.endpoint, _r.public_key, _r.auth),
    *(_r.hour, _r.zone, _r.device, _r.made_ms, _r.language),
)


@dataclass(frozen=True, slots=True)
class DueReminder:
    """A reminder to send now, for the daily deals of the day of ``due_ms``."""

    reminder: Reminder
    due_ms: int
    refused: int
    """How often a push service has refused it for now."""
    language: str
    """The tag of the language to send it in: that of the account, otherwise that in which it was turned on."""

    @property
    def day_ends_ms(self) -> int:
        """When the day of the reminder ends; from then on it says nothing true."""
        return day_begins_ms(day_of(self.due_ms)) + DAY_MS

    @property
    def until_ms(self) -> int:
        """When it is too late to send it."""
        return min(self.due_ms + LATE_MS, self.day_ends_ms)


def put(connection: Connection, reminder: Reminder, now_ms: int) -> str:
    """Store a reminder, in place of another one for the same browser; return its id.

    That of the same player keeps its id, by which a notification can stop it; that of someone else who used the
    browser is theirs no more. Raises ``TooManyRemindersError``.
    """
    lock_player(connection, reminder.player_id)  # so that they are counted one after another
    endpoint = reminder.subscription.endpoint
    query = select(_r.id, _r.player_id, _r.reminded_day).where(_r.endpoint == endpoint)
    before = connection.execute(query).one_or_none()
    is_mine = before is not None and before.player_id == reminder.player_id
    others = select(func.count()).where(_r.player_id == reminder.player_id, _r.endpoint != endpoint)
    if (connection.scalar(others) or 0) >= MAX_PER_PLAYER:
        raise TooManyRemindersError(
            ngettext(
                "You can have only %(n)s reminder. Stop it before you set a new one.",
                "You can have only %(n)s reminders. Stop one before you set a new one.",
                MAX_PER_PLAYER,
            )
        )
    due_ms = next_due_ms(reminder.hour, reminder.zone, now_ms)
    values = {
        "id": before.id if before and is_mine else reminder.id,
        "player_id": reminder.player_id,
        "endpoint": endpoint,
        "public_key": reminder.subscription.public_key,
        "auth": reminder.subscription.auth,
        "hour": reminder.hour,
        "zone": reminder.zone,
        "device": reminder.device,
        "language": reminder.language,
        "made_ms": reminder.made_ms,
        "due_ms": due_ms,
        "next_ms": due_ms,
        "begun": 0,
        "refused": 0,
        # A player who chooses a later hour is not reminded twice that day.
        "reminded_day": before.reminded_day if before and is_mine else None,
        "failing_since_ms": None,
    }
    stored = insert_into(connection, push_reminders).values(values)
    replaced = stored.on_conflict_do_update(index_elements=["endpoint"], set_=values)
    stored_id: str = connection.execute(replaced.returning(_r.id)).scalar_one()
    return stored_id


def list_of(connection: Connection, player_id: str) -> list[Reminder]:
    """The reminders of a player, oldest first."""
    query = select(*_COLUMNS).where(_r.player_id == player_id).order_by(_r.made_ms, _r.id)
    return [_reminder(row) for row in connection.execute(query)]


def find(connection: Connection, reminder_id: str) -> Reminder | None:
    """The reminder with an id."""
    row = connection.execute(select(*_COLUMNS).where(_r.id == reminder_id)).one_or_none()
    return _reminder(row) if row else None


def remove(connection: Connection, reminder_id: str) -> bool:
    """Stop a reminder; whether there was one."""
    removed = delete(push_reminders).where(_r.id == reminder_id)
    return connection.execute(removed).rowcount == 1


def renew(connection: Connection, old_endpoint: str, subscription: Subscription) -> bool:
    """Give the reminder of a browser another subscription; whether there was one.

    If the new subscription has a reminder already, someone turned it on meanwhile: then that one stays.
    """
    old = _r.endpoint == old_endpoint
    if old_endpoint == subscription.endpoint:
        taken = False
    else:
        query = select(exists().where(_r.endpoint == subscription.endpoint))
        taken = bool(connection.scalar(query))
    change = (
        delete(push_reminders).where(old)
        if taken
        else update(push_reminders)
        .where(old)
        .values(**subscription._asdict(), failing_since_ms=None)
    )
    return connection.execute(change).rowcount == 1


def is_any_due(connection: Connection, now_ms: int) -> bool:
    """Whether there is anything to do."""
    return bool(connection.scalar(select(exists().where(_r.next_ms <= now_ms))))


def take_due(connection: Connection, now_ms: int, limit: int) -> tuple[list[DueReminder], bool]:
    """Take the next reminders that are due, counting the sending as begun, and whether there were any.

    Of these, none is sent to players who have played a deal of the day, cannot play, were reminded of that day already,
    or could not be reminded in time: they wait for their next day.
    """
    day = day_of(now_ms).isoformat()
    a, s = daily_attempts.c, suspensions.c
    is_unwanted = or_(
        exists().where(a.player_id == _r.player_id, a.day == day),
        exists().where(s.player_id == _r.player_id),
    )
    columns = (
        *(_r.due_ms, _r.begun, _r.refused, _r.reminded_day, is_unwanted.label("is_unwanted")),
        accounts.c.language.label("chosen_language"),
    )
    query = select(*_COLUMNS, *columns).where(_r.next_ms <= now_ms).order_by(_r.next_ms, _r.id)
    query = query.join_from(
        push_reminders, accounts, accounts.c.player_id == _r.player_id, isouter=True
    )
    rows = connection.execute(query.limit(limit)).all()
    taken: list[DueReminder] = []
    for row in rows:
        language = row.chosen_language or row.language
        due = DueReminder(_reminder(row), row.due_ms, row.refused, language)
        is_over = now_ms >= due.until_ms or row.begun >= MAX_BEGUN
        if is_over or row.is_unwanted or row.reminded_day == day:
            _wait_for_next_day(connection, due, now_ms)
        else:
            taken.append(due)
    ids = [due.reminder.id for due in taken]
    connection.execute(update(push_reminders).where(_r.id.in_(ids)).values(begun=_r.begun + 1))
    return taken, bool(rows)


def note_sent(connection: Connection, due: DueReminder, now_ms: int) -> None:
    """A push service has accepted a reminder: the next one is tomorrow's."""
    day = day_of(due.due_ms).isoformat()
    _wait_for_next_day(connection, due, now_ms, reminded_day=day, failing_since_ms=None)


def note_gone(connection: Connection, due: DueReminder) -> None:
    """The subscription has ended: nobody can be reminded there any more."""
    remove(connection, due.reminder.id)


def note_retry(
    connection: Connection, due: DueReminder, now_ms: int, retry_ms: int, *, is_known: bool
) -> None:
    """A reminder did not get through, and is to be tried again at ``retry_ms``.

    ``is_known``: it was certainly not accepted, so trying again is no repeat.
    """
    values: dict[str, Any] = {"next_ms": retry_ms, "refused": _r.refused + 1}
    if is_known:
        values["begun"] = _r.begun - 1
    _fail(connection, due, now_ms, values)


def note_refused(connection: Connection, due: DueReminder, now_ms: int) -> None:
    """A push service refuses a reminder for good; tomorrow it may not."""
    _fail(connection, due, now_ms, _next_day(due, now_ms))


def postpone(connection: Connection, due: DueReminder, retry_ms: int) -> None:
    """A reminder that was taken is not sent yet, because its push service does not answer."""
    _set(connection, due, {"next_ms": retry_ms, "begun": _r.begun - 1})


def _fail(connection: Connection, due: DueReminder, now_ms: int, values: dict[str, Any]) -> None:
    dropped = delete(push_reminders).where(
        _r.id == due.reminder.id, _r.failing_since_ms <= now_ms - MAX_FAILING_MS
    )
    if connection.execute(dropped).rowcount == 0:
        _set(
            connection,
            due,
            values | {"failing_since_ms": func.coalesce(_r.failing_since_ms, now_ms)},
        )


def _wait_for_next_day(
    connection: Connection, due: DueReminder, now_ms: int, **values: str | int | None
) -> None:
    _set(connection, due, _next_day(due, now_ms) | values)


def _next_day(due: DueReminder, now_ms: int) -> dict[str, Any]:
    reminder = due.reminder
    due_ms = next_due_ms(reminder.hour, reminder.zone, max(due.due_ms, now_ms))
    return {"due_ms": due_ms, "next_ms": due_ms, "begun": 0, "refused": 0}


def _set(connection: Connection, due: DueReminder, values: dict[str, Any]) -> None:
    """Change a reminder, unless it is not due any more: its player may have chosen another hour meanwhile."""
    mine = update(push_reminders).where(_r.id == due.reminder.id, _r.due_ms == due.due_ms)
    connection.execute(mine.values(values))


# --- accounts


def move(connection: Connection, guest_id: str, player_id: str) -> None:
    """Account merge: a guest's reminders are the player's from now on, the newest of them if they are too many."""
    mine = update(push_reminders).where(_r.player_id == guest_id).values(player_id=player_id)
    connection.execute(mine)
    newest = select(_r.id).where(_r.player_id == player_id).order_by(_r.made_ms.desc(), _r.id)
    kept: Sequence[str] = connection.scalars(newest.limit(MAX_PER_PLAYER)).all()
    connection.execute(delete(push_reminders).where(_r.player_id == player_id, _r.id.not_in(kept)))


def delete_all(connection: Connection, player_id: str) -> None:
    """Stop the reminders of a player whose account is being deleted."""
    connection.execute(delete(push_reminders).where(_r.player_id == player_id))


def _reminder(row: Row[*tuple[Any, ...]]) -> Reminder:
    return Reminder(
        id=row.id,
        player_id=row.player_id,
        subscription=Subscription(row.endpoint, bytes(row.public_key), bytes(row.auth)),
        hour=row.hour,
        zone=row.zone,
        device=row.device,
        made_ms=row.made_ms,
        language=row.language,
    )
