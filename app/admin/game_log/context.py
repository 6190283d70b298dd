"""What is known of a game besides its log: its origin, the devices of its player, who has looked under its cards."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, select

from app.admin.game_log.game_view import Around, window_of
from app.admin.game_log.races import find_race
from app.admin.game_log.replay import GameReplay
from app.admin.game_log.shared_tables import movers, seats_at
from app.admin.integrity.access_records import read_sightings
from app.admin.integrity.refusals import read_refused
from app.admin.integrity.scanner import read_findings
from app.admin.moderation import audit
from app.admin.moderation.audit import Act
from app.admin.moderation.repository import find_result
from app.db.schema import origins, sessions
from app.http.formats import moment

_MOST_REFUSED: Final = 500
_MOST_LOOKS: Final = 20
_MOST_DEVICES: Final = 5


def read_around(connection: Connection, story: GameReplay, at: int) -> Around:
    """Everything that the page of a game tells at step ``at``, besides the log."""
    found = story.found
    first, last = window_of(at)
    # What was refused where a page of the timeline ends is on that page, not again at the beginning of the next.
    looked_from = first + 1 if first else 0
    lines = audit.read(connection, None, _MOST_LOOKS, subject=found.id)
    seen = read_sightings(connection, found.id, _MOST_REFUSED)
    present = {entry.actor_id for entry in story.entries} | {s.player_id for s in seen}
    return Around(
        devices=_devices(connection, found.owner_id),
        origin=_origin(connection, found.id),
        refused=read_refused(connection, found.id, looked_from, last, _MOST_REFUSED),
        sightings=seen,
        result=find_result(connection, found.id),
        findings=read_findings(connection, found.id),
        looks=[line for line in lines if line.act is Act.REVEAL],
        movers=movers(connection, {one for one in present if one}),
        seats=seats_at(connection, found.id),
        race=find_race(connection, found.id),
    )


def _devices(connection: Connection, player_id: str) -> list[str]:
    s = sessions.c
    query = select(s.label, s.seen_ms).where(s.player_id == player_id).order_by(s.seen_ms.desc())
    return [
        f"{row.label or 'unknown'}, last seen {moment(row.seen_ms)}"
        for row in connection.execute(query.limit(_MOST_DEVICES))
    ]


def _origin(connection: Connection, game_id: str) -> str:
    o = origins.c
    query = select(o.forked_from, o.forked_at).where(o.game_id == game_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        return ""
    if row.forked_from is None:
        return "brought along as a record"
    return f"played on from step {row.forked_at} of {row.forked_from}"
