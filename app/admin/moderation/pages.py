"""Moderation pages: a player, notes, the form of each action, and the audit log."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Form, Query
from starlette.requests import Request
from starlette.responses import Response

from app.admin import audit_log
from app.admin.audit_log import MAX_NOTE_LENGTH, AuditAction
from app.admin.auth.dependencies import PREFIX, Administrator, Staff, reader_of
from app.admin.conflict_of_interest import list_withheld
from app.admin.moderation.actions import REASONS
from app.admin.moderation.repository import find_player_details, search_players
from app.admin.moderation.service import Justification, ModerationService
from app.admin.moderation.views import build_action_form, build_audit_view, build_player_view
from app.db.engine import Database
from app.errors import MalformedError, NotFoundError, PlayerNotFoundError
from app.http.dependencies import service_of
from app.http.templates import page, see_other
from app.identity.moderators_reasons import Reason
from app.text import gettext

router = APIRouter(prefix=PREFIX, include_in_schema=False)

_ENTRIES_PER_PAGE: Final = 100
Text = Annotated[str, Form(max_length=MAX_NOTE_LENGTH * 2)]


@router.get("/audit")
async def show_audit_log(
    request: Request,
    staff: Administrator,
    before: Annotated[int | None, Query(ge=0, le=2**62)] = None,
) -> Response:
    """The audit log, the latest entries first."""
    database = service_of(request, Database)
    entries = await database.read(
        partial(audit_log.list_entries, before=before, limit=_ENTRIES_PER_PAGE + 1)
    )
    subjects = {entry.subject for entry in entries if entry.action.targets_game}
    withheld = await database.read(
        partial(list_withheld, reader=reader_of(request, staff), game_ids=subjects)
    )
    view = build_audit_view(entries, _ENTRIES_PER_PAGE, withheld)
    return page(request, "admin/audit.html", view)


@router.get("/players/{player_id}")
async def show_player(request: Request, player_id: str, staff: Staff) -> Response:
    """The page of a player by id; a name redirects to it."""
    database = service_of(request, Database)
    if not player_id.isprintable():
        raise PlayerNotFoundError(gettext("No player has this name."))
    details = await database.read(
        partial(find_player_details, player_id=player_id, reader=reader_of(request, staff))
    )
    if details is None:
        found = await database.read(partial(search_players, query=player_id))
        if not found:
            raise PlayerNotFoundError(gettext("No player has this id or name."))
        target = f"players/{found[0]}" if len(found) == 1 else f"games?q={quote(player_id)}"
        return see_other(f"{PREFIX}/{target}")
    return page(request, "admin/player.html", build_player_view(details, staff))


@router.post("/players/{player_id}/notes")
async def add_note(request: Request, player_id: str, staff: Staff, text: Text = "") -> Response:
    """Add a note about a player for other staff."""
    await service_of(request, ModerationService).add_note(staff, player_id, text)
    return see_other(f"{PREFIX}/players/{player_id}#acts")


@router.get("/acts/{word}/{subject}")
async def show_action_form(request: Request, word: str, subject: str, staff: Staff) -> Response:
    """The form of an action: what it does, and why to do it."""
    moderation = service_of(request, ModerationService)
    proposed = await moderation.propose(staff, _parse_action(word), subject)
    return page(request, "admin/action.html", build_action_form(proposed))


@router.post("/acts/{word}/{subject}")
async def apply_action(  # noqa: PLR0917 - a form
    request: Request,
    word: str,
    subject: str,
    staff: Staff,
    reason: Text = "",
    note: Text = "",
) -> Response:
    """Do what the form says."""
    moderation = service_of(request, ModerationService)
    action = _parse_action(word)
    try:
        why = Justification(Reason(reason), note)
    except ValueError:
        why = Justification(Reason.OTHER, "")
    try:
        applied = await moderation.apply(staff, action, subject, why)
    except MalformedError as error:
        proposed = await moderation.propose(staff, action, subject)
        view = build_action_form(proposed, reason, note, error.detail)
        return page(request, "admin/action.html", view, error=error)
    return see_other(f"{PREFIX}/players/{applied.player.id}#acts")


def _parse_action(word: str) -> AuditAction:
    action = next((action for action in REASONS if action == word), None)
    if action is None:
        raise NotFoundError
    return action
