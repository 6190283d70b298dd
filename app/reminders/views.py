"""View models of reminders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.identity.device_labels import shown_label
from app.reminders.model import HOURS, Reminder
from app.text import gettext

DEFAULT_HOUR = 18


@dataclass(frozen=True, slots=True)
class HourChoice:
    hour: int
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ReminderLine:
    """A reminder in a list: when, on which device, and where to stop it."""

    when: str
    device: str
    stop: str


@dataclass(frozen=True, slots=True)
class ReminderView:
    """The page of a player's reminders. Without a ``key`` none can be turned on."""

    path: str
    key: str
    lines: Sequence[ReminderLine]
    hours: Sequence[HourChoice]
    message: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class StopView:
    """The page behind the link in a notification; ``line`` is ``None`` once the reminder has been stopped."""

    path: str
    line: ReminderLine | None


def reminder_view(
    key: str, reminders: Sequence[Reminder], hour: int, message: str = "", error: str = ""
) -> ReminderView:
    """The page; ``hour`` is the one to suggest."""
    return ReminderView(
        path="/reminder",
        key=key,
        lines=[reminder_line(reminder) for reminder in reminders],
        hours=[HourChoice(each, _full_hour(each), each == hour) for each in HOURS],
        message=message,
        error=error,
    )


def reminder_line(reminder: Reminder) -> ReminderLine:
    """A reminder as its player sees it."""
    zone = reminder.zone.replace("_", " ")
    return ReminderLine(
        gettext("Every day at %(time)s (%(zone)s)", time=_full_hour(reminder.hour), zone=zone),
        shown_label(reminder.device),
        f"/reminder/stop/{reminder.id}",
    )


def _full_hour(hour: int) -> str:
    return f"{hour:02}:00"
