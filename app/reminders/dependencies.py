"""The FastAPI dependency of reminders: the service."""

from __future__ import annotations

from starlette.requests import Request

from app.http.dependencies import service_of
from app.reminders.service import ReminderService


def reminders_of(request: Request) -> ReminderService:
    """The reminder service."""
    return service_of(request, ReminderService)
