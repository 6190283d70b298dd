"""The page of a player, notes about them, and the forms of what may be done: each asks for a reason."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Form, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.admin import audit_log as audit
from app.admin.audit_log import LONGEST_NOTE, Act
from app.admin.auth.dependencies import PREFIX, Administrator, Admitted
from app.admin.errors import PlayerNotFoundError
from app.admin.moderation.actions import ASKED, MEANING, REASONS, WORDS, Reason
from app.admin.moderation.repository import find_players, read_file
from app.admin.moderation.service import Case, ModerationService, Why
from app.admin.moderation.views import ActLine, Option, act_line, person_view
from app.db.engine import Database
from app.errors import MalformedError, NotFoundError
from app.http.dependencies import service_of
from app.http.errors import status_of
from app.http.templates import page

router = APIRouter(prefix=PREFIX, include_in_schema=False)

_LINES: Final = 100
Text = Annotated[str, Form(max_length=LONGEST_NOTE * 2)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActView:
    """The form of an act."""

    title: str
    player_id: str
    name: str
    game_id: str
    meaning: str
    path: str
    reasons: list[Option]
    said: str
    note: str
    longest: int
    is_public: bool
    trouble: str


@dataclass(frozen=True, slots=True)
class AuditView:
    """A page of the audit log; ``older`` leads on."""

    lines: list[ActLine]
    older: str


@router.get("/audit")
async def show_audit(
    request: Request,
    _officer: Administrator,
    before: Annotated[int | None, Query(ge=0, le=2**62)] = None,
) -> Response:
    """What was done, the latest first."""
    database = service_of(request, Database)
    lines = await database.read(partial(audit.read, before=before, most=_LINES + 1))
    older = f"?before={lines[_LINES - 1].seq}" if len(lines) > _LINES else ""
    view = AuditView([act_line(line) for line in lines[:_LINES]], older)
    return page(request, "admin/audit.html", view)


@router.get("/players/{player_id}")
async def show_player(request: Request, player_id: str, officer: Admitted) -> Response:
    """A player by id; by name, the way to their id."""
    database = service_of(request, Database)
    if not player_id.isprintable():
        raise PlayerNotFoundError("No player is called like that.")
    file = await database.read(partial(read_file, player_id=player_id))
    if file is None:
        meant = await database.read(partial(find_players, q=player_id))
        if not meant:
            raise PlayerNotFoundError("No player has this id or name.")
        target = f"players/{meant[0]}" if len(meant) == 1 else f"games?q={quote(player_id)}"
        return RedirectResponse(f"{PREFIX}/{target}", HTTPStatus.SEE_OTHER)
    return page(request, "admin/player.html", person_view(file, officer))


@router.post("/players/{player_id}/notes")
async def note(request: Request, player_id: str, officer: Admitted, text: Text = "") -> Response:
    """Leave a note for the others who look after the site."""
    acts = service_of(request, ModerationService)
    await acts.note(officer, player_id, text)
    return RedirectResponse(f"{PREFIX}/players/{player_id}#acts", HTTPStatus.SEE_OTHER)


@router.get("/acts/{word}/{subject}")
async def ask(request: Request, word: str, subject: str, officer: Admitted) -> Response:
    """The form of an act: what it means, and why it is to be done."""
    acts = service_of(request, ModerationService)
    case = await acts.case(officer, _act(word), subject)
    return page(request, "admin/act.html", _form(case))


@router.post("/acts/{word}/{subject}")
async def act(  # noqa: PLR0917 - a form
    request: Request,
    word: str,
    subject: str,
    officer: Admitted,
    reason: Text = "",
    note: Text = "",
) -> Response:
    """Do it."""
    acts = service_of(request, ModerationService)
    wanted = _act(word)
    try:
        why = Why(Reason(reason), note)
    except ValueError:
        why = Why(Reason.OTHER, "")
    try:
        case = await acts.act(officer, wanted, subject, why)
    except MalformedError as error:
        view = _form(await acts.case(officer, wanted, subject), reason, note, error.detail)
        return page(request, "admin/act.html", view, status_of(type(error)))
    return RedirectResponse(f"{PREFIX}/players/{case.person.id}#acts", HTTPStatus.SEE_OTHER)


def _act(word: str) -> Act:
    known = next((act for act in REASONS if act == word), None)
    if known is None:
        raise NotFoundError("Nothing is known under this address.")
    return known


def _form(case: Case, said: str = "", note: str = "", trouble: str = "") -> ActView:
    return ActView(
        title=ASKED[case.act],
        player_id=case.person.id,
        name=case.person.name,
        game_id=case.subject if case.act.is_of_game else "",
        meaning=MEANING[case.act],
        path=f"{PREFIX}/acts/{case.act}/{quote(case.subject)}",
        reasons=[Option(reason, WORDS[reason]) for reason in REASONS[case.act]],
        said=said,
        note=note,
        longest=LONGEST_NOTE,
        is_public=case.act is not Act.END_SESSIONS,
        trouble=trouble,
    )
