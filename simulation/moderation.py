"""What a simulated moderator does, through the service of a process."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from app.admin.audit_log import AuditAction
from app.admin.auth.repository import Role
from app.admin.auth.service import StaffMember
from app.admin.moderation.service import Justification
from app.errors import AppError
from app.identity.model import Player
from app.identity.moderators_reasons import Reason
from app.services import Services
from simulation.ledger import Ledger
from simulation.template import MODERATOR


async def decide(services: Services, ledger: Ledger, chance: Random, path: Path) -> None:
    """Hide the result of an attempt, or restore one that is hidden."""
    with closing(sqlite3.connect(path)) as connection:
        games = [
            row[0]
            for row in connection.execute(
                "SELECT game_id FROM daily_attempts WHERE verdict <> 'open' ORDER BY game_id"
            )
        ]
    if not games:
        return
    game_id = chance.choice(games)
    hide = not ledger.hidden.get(game_id, False)
    staff = StaffMember(Player(MODERATOR, "Moderator", is_named=True), Role.MODERATOR, 0)
    why = Justification(Reason.PROGRAM if hide else Reason.MISTAKE, "simulated")
    # Until the answer is known, either may hold.
    known = ledger.hidden.pop(game_id, None)
    action = AuditAction.HIDE if hide else AuditAction.RESTORE
    try:
        await services.moderation.apply(staff, action, game_id, why)
    except AppError:
        if known is not None:
            ledger.hidden[game_id] = known
        return
    ledger.hidden[game_id] = hide
