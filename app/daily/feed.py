"""The Atom feed of closed days (RFC 4287), for readers who prefer a feed to reminders."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from fastapi import APIRouter, Depends
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from app.daily import repository
from app.daily.closed_counts import Counts
from app.daily.dependencies import Daily, wake_if_due
from app.daily.model import DailyDeal
from app.db.engine import Database
from app.http.dependencies import origin_of, service_of, sharing_of_links
from app.i18n.formats import long_date
from app.rulesets import ruleset_title
from app.text import gettext, ngettext

router = APIRouter(include_in_schema=False, dependencies=[Depends(wake_if_due)])

PATH: Final = "/daily/feed.atom"
_DAYS: Final = 30
_NAMESPACE: Final = "http://www.w3.org/2005/Atom"
_TYPE: Final = "application/atom+xml; charset=utf-8"
_MAX_AGE: Final = "max-age=900"


@router.get(PATH)
async def feed(request: Request, daily: Daily) -> Response:
    """The last days whose results are final, newest first."""
    first = daily.day - timedelta(days=_DAYS)

    def read(connection: Connection) -> tuple[list[DailyDeal], list[DailyDeal]]:
        deals = repository.list_deals(connection, first, daily.day)
        oldest = repository.find_first_day(connection) or first
        return deals, repository.list_deals(connection, oldest, oldest)

    deals, first_deals = await service_of(request, Database).read(read)
    days = _closed_days(deals)
    body = atom_feed(
        origin_of(request),
        days,
        await daily.closed_counts.find([of_day[0].day for of_day in days]),
        sorted(first_deals, key=lambda deal: deal.created_ms),
    )
    etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    headers = {"ETag": etag, "Cache-Control": f"{sharing_of_links(request)}, {_MAX_AGE}"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, headers={**headers, "Content-Type": _TYPE})


def atom_feed(
    origin: str,
    days: Sequence[Sequence[DailyDeal]],
    counts: Counts,
    first_deals: Sequence[DailyDeal],
) -> bytes:
    """The feed as XML: an entry for each day, given by its deals.

    Ids never change, wherever the site is reached: they come from the commitments to its deals.
    """
    root = Element("feed", {"xmlns": _NAMESPACE, "xml:lang": "en"})
    _add(root, "id", _id_of(_commitments(first_deals[:1])))
    _add(root, "title", gettext("Fair Deal: daily deals"))
    _add(root, "subtitle", gettext("The results of each day, once they are final."))
    _add(root, "updated", _moment(max((_closed_ms(deals) for deals in days), default=0)))
    SubElement(SubElement(root, "author"), "name").text = "Fair Deal"
    SubElement(root, "link", {"rel": "self", "href": f"{origin}{PATH}"})
    SubElement(root, "link", {"rel": "alternate", "href": f"{origin}/daily", "type": "text/html"})
    for deals in days:
        root.append(_entry(origin, deals, counts))
    text: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def _entry(origin: str, deals: Sequence[DailyDeal], counts: Counts) -> Element:
    day = deals[0].day
    url = f"{origin}/daily/{day.isoformat()}"
    entry = Element("entry")
    _add(entry, "id", _id_of(f"entry {_commitments(deals)}"))
    _add(entry, "title", gettext("Daily deals of %(day)s", day=long_date(day)))
    _add(entry, "published", _moment(_closed_ms(deals)))
    _add(entry, "updated", _moment(_closed_ms(deals)))
    SubElement(entry, "link", {"rel": "alternate", "href": url, "type": "text/html"})
    lines = [_sentence(deal, *counts.get((day, deal.ruleset), (0, 0))) for deal in deals]
    _add(entry, "content", "\n".join(lines), {"type": "text"})
    return entry


def _sentence(deal: DailyDeal, begun: int, solved: int) -> str:
    title = ruleset_title(deal.ruleset)
    if not begun:
        return gettext("%(title)s: no one played.", title=title)
    if not solved:
        return ngettext(
            "%(title)s: %(n)s player, no wins.",
            "%(title)s: %(n)s players, no wins.",
            begun,
            title=title,
        )
    return ngettext(
        "%(title)s: %(n)s player, %(solved)s won.",
        "%(title)s: %(n)s players, %(solved)s won.",
        begun,
        title=title,
        solved=solved,
    )


def _closed_days(deals: Sequence[DailyDeal]) -> list[list[DailyDeal]]:
    """The deals of each day that is closed, newest day first."""
    days = [list(of_day) for _, of_day in groupby(deals, key=lambda deal: deal.day)]
    return [of_day for of_day in reversed(days) if all(deal.is_closed for deal in of_day)]


def _commitments(deals: Sequence[DailyDeal]) -> str:
    return " ".join(deal.commitment for deal in deals)


def _closed_ms(deals: Sequence[DailyDeal]) -> int:
    return max(deal.closed_ms or 0 for deal in deals)


def _id_of(text: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_OID, f"fairdeal daily {text}").urn


def _moment(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms // 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _add(
    parent: Element, name: str, text: str, attributes: Mapping[str, str] | None = None
) -> None:
    SubElement(parent, name, dict(attributes or {})).text = text
