"""Reminders in the JSON API, under ``/api/v1/reminders``."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from app.http.rate_limits import KnownReminderLimit
from app.i18n.speaking import current_language
from app.identity.dependencies import ActingPlayer, ViewerId, client_info
from app.reminders.dependencies import reminders_of
from app.reminders.model import Reminder, Subscription, parse_subscription

router = APIRouter(prefix="/api/v1/reminders", tags=["reminders"])


class SubscriptionKeys(BaseModel):
    """The keys of a `PushSubscription`, in base64url."""

    p256dh: str = Field(max_length=200, description="Public key: an uncompressed point on P-256.")
    auth: str = Field(max_length=100, description="Secret of 16 bytes.")


class SubscriptionBody(BaseModel):
    """A `PushSubscription` as browsers write it in JSON."""

    endpoint: str = Field(max_length=2000, description="URL of the push service, with HTTPS.")
    keys: SubscriptionKeys

    def parse(self) -> Subscription:
        """The same as values; raises ``MalformedError``."""
        return parse_subscription(self.endpoint, self.keys.p256dh, self.keys.auth)


class NewReminderBody(BaseModel):
    """A reminder to turn on."""

    subscription: SubscriptionBody
    hour: int = Field(description="Full hour of the day, 0 to 23.")
    zone: str = Field(max_length=100, description="IANA time zone, such as `Europe/Vienna`.")


class RenewedSubscriptionBody(BaseModel):
    """A subscription in place of one that the browser has ended."""

    old_endpoint: str = Field(max_length=2000, description="The endpoint of the one before.")
    subscription: SubscriptionBody


class ReminderBody(BaseModel):
    """A reminder of one browser."""

    id: str = Field(description="Anyone who knows it can stop the reminder.")
    hour: int
    zone: str
    device: str
    made_ms: int


class RemindersBody(BaseModel):
    """Your reminders, and the key for the next one."""

    public_key: str = Field(description="`applicationServerKey` for `PushManager.subscribe`.")
    reminders: list[ReminderBody]


@router.get("", summary="Your reminders")
async def list_all(request: Request, viewer_id: ViewerId) -> RemindersBody:
    """The reminders of all your browsers. 503 `reminders_off` if there are none on this site."""
    service = reminders_of(request)
    key = await service.public_key()
    reminders = await service.list_of(viewer_id) if viewer_id else []
    return RemindersBody(public_key=key, reminders=[_body(each) for each in reminders])


@router.post("", status_code=201, summary="Turn a reminder on")
async def turn_on(request: Request, body: NewReminderBody, player: ActingPlayer) -> ReminderBody:
    """Once a day, unless you have begun a deal of that day. Replaces the reminder of the same browser.

    422 `push_endpoint_refused` if its push service is not on the list of this site, 409 `too_many_reminders` after ten.
    """
    subscription = body.subscription.parse()
    device, language = client_info(request).label, current_language().info.tag
    return _body(
        await reminders_of(request).turn_on(
            player.id, subscription, body.hour, body.zone, device, language=language
        )
    )


@router.put(
    "/subscription",
    status_code=204,
    response_class=Response,
    dependencies=[KnownReminderLimit],
    summary="Renew a push subscription",
)
async def renew(request: Request, body: RenewedSubscriptionBody) -> Response:
    """For `pushsubscriptionchange`: the reminder stays, and is sent to the new subscription of its browser.

    By the endpoint of the old one alone, which only that browser and its push service know. 404 `not_found` if there is
    no reminder for it.
    """
    await reminders_of(request).renew(body.old_endpoint, body.subscription.parse())
    return Response(status_code=204)


@router.delete(
    "/{token}",
    status_code=204,
    response_class=Response,
    dependencies=[KnownReminderLimit],
    summary="Stop a reminder",
)
async def stop(request: Request, token: str) -> Response:
    """By its id alone."""
    await reminders_of(request).stop(token)
    return Response(status_code=204)


def _body(reminder: Reminder) -> ReminderBody:
    return ReminderBody(
        id=reminder.id,
        hour=reminder.hour,
        zone=reminder.zone,
        device=reminder.device,
        made_ms=reminder.made_ms,
    )
