"""Builds the services of reminders, which share the key of the site."""

from __future__ import annotations

from app.clock import Clock
from app.db.engine import Database
from app.reminders.keys import SiteKey
from app.reminders.model import PushHosts
from app.reminders.sender import OpenClient, ReminderSender
from app.reminders.service import ReminderService
from app.settings import Settings


def build_reminders(
    database: Database, settings: Settings, clock: Clock, open_client: OpenClient | None
) -> tuple[ReminderService, ReminderSender]:
    """Without ``open_client`` nothing is sent."""
    hosts = PushHosts(settings.push_hosts)
    key = SiteKey(database, clock, settings.secret_key, _contact(settings))
    service = ReminderService(database, clock, key, hosts)
    return service, ReminderSender(database, clock, key, hosts, open_client)


def _contact(settings: Settings) -> str:
    """The contact for push services: the one in the settings, or the site."""
    name = settings.allowed_hosts.split(",")[0].strip().partition(":")[0]
    return settings.push_contact or f"https://{name or settings.passkey_domain}"
