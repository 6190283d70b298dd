"""The page of reminders, and the link that stops one."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Form, Query
from markupsafe import Markup
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.errors import AppError, MalformedError
from app.http.dependencies import never_stored
from app.http.rate_limits import KnownReminderLimit
from app.http.templates import page, render_markup, see_other
from app.i18n.speaking import current_language
from app.identity.dependencies import ActingPlayer, CurrentPlayer, client_info
from app.identity.model import Player
from app.reminders.api import SubscriptionBody
from app.reminders.dependencies import reminders_of
from app.reminders.model import ReminderNotFoundError, RemindersOffError
from app.reminders.views import (
    DEFAULT_HOUR,
    ReminderView,
    StopView,
    reminder_line,
    reminder_view,
)
from app.text import gettext

router = APIRouter(
    prefix="/reminder", include_in_schema=False, dependencies=[Depends(never_stored)]
)

_MESSAGES: Final = {
    "on": gettext("The reminder is on."),
    "stopped": gettext("The reminder is off."),
}


@router.get("")
async def show(
    request: Request, player: CurrentPlayer, done: Annotated[str, Query(max_length=20)] = ""
) -> HTMLResponse:
    """A player's reminders, and the form for another one."""
    view = await _view(request, player, DEFAULT_HOUR, message=_MESSAGES.get(done, ""))
    return page(request, "reminders/reminder.html", view)


async def section(request: Request, player: Player | None) -> Markup:
    """The same as a part of another page, which loads `static/js/reminder.js`."""
    return render_markup("reminders/_form.html", view=await _view(request, player, DEFAULT_HOUR))


@router.post("")
async def turn_on(
    request: Request,
    player: ActingPlayer,
    subscription: Annotated[str, Form(max_length=8000)] = "",
    hour: Annotated[int, Form()] = DEFAULT_HOUR,
    zone: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Turn a reminder on for this browser."""
    try:
        found = _parse(subscription).parse()
        device = client_info(request).label
        language = current_language().info.tag
        await reminders_of(request).turn_on(player.id, found, hour, zone, device, language=language)
    except AppError as error:
        view = await _view(request, player, hour, error=error.detail)
        return page(request, "reminders/reminder.html", view, error=error)
    return see_other("/reminder?done=on")


@router.get("/stop/{token}")
async def ask_to_stop(request: Request, token: str, _player: CurrentPlayer) -> HTMLResponse:
    """The link in a notification: a page with the button. Only the button stops, since programs follow links."""
    try:
        line = reminder_line(await reminders_of(request).find(token))
    except ReminderNotFoundError as error:
        return _is_off(request, error)
    return page(request, "reminders/stop.html", StopView(f"/reminder/stop/{token}", line))


@router.post("/stop/{token}", dependencies=[KnownReminderLimit])
async def stop(request: Request, token: str, _player: CurrentPlayer) -> Response:
    """Stop a reminder. Anyone with the link can, signed in or not."""
    try:
        await reminders_of(request).stop(token)
    except ReminderNotFoundError as error:
        return _is_off(request, error)
    return see_other("/reminder?done=stopped")


def _is_off(request: Request, error: ReminderNotFoundError) -> HTMLResponse:
    return page(request, "reminders/stop.html", StopView("/reminder", None), error=error)


async def _view(
    request: Request, player: Player | None, hour: int, message: str = "", error: str = ""
) -> ReminderView:
    service = reminders_of(request)
    try:
        key = await service.public_key()
    except RemindersOffError:
        key = ""
    reminders = await service.list_of(player.id) if player else []
    return reminder_view(key, reminders, hour, message, error)


def _parse(subscription: str) -> SubscriptionBody:
    try:
        return SubscriptionBody.model_validate_json(subscription)
    except ValidationError as error:
        raise MalformedError(
            gettext(
                "Your browser sent no subscription. A reminder needs JavaScript and a browser with notifications."
            )
        ) from error
