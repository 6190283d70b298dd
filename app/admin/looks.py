"""Entries in the audit log for what staff look at, as pages write them."""

from __future__ import annotations

from sqlalchemy import Connection
from starlette.requests import Request

from app.admin import audit_log
from app.admin.audit_log import AuditAction
from app.admin.auth.service import StaffMember
from app.clock import Clock
from app.db.engine import Database
from app.http.dependencies import service_of


async def log_look(
    request: Request, staff: StaffMember, action: AuditAction, subject: str, note: str = ""
) -> None:
    """Log a look."""
    now_ms = service_of(request, Clock)()

    def write(connection: Connection) -> None:
        audit_log.add_entry(connection, now_ms, staff.player.id, action, subject=subject, note=note)

    await service_of(request, Database).write(write)


def is_first_look(
    connection: Connection,
    staff: StaffMember,
    action: AuditAction,
    subject: str,
    note: str | None = None,
) -> bool:
    """Whether there is no such entry since the staff member entered."""
    look = (staff.player.id, action, subject, staff.entered_ms)
    return not audit_log.has_entry(connection, *look, note=note)
