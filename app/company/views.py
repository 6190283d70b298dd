"""What the pages of a shared table print."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app.company.seats import MOST_SEATS, State, Waiting
from app.company.service import Company
from app.play.table import stored_spec


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the table. ``color`` is the number of theirs, from 1; ``said`` what they said just now."""

    id: str
    name: str
    color: int
    is_me: bool
    is_owner: bool
    is_seated: bool
    is_here: bool
    said: str = ""


@dataclass(frozen=True, slots=True)
class CompanyView:
    """Everybody at a shared table as one of them, or somebody watching, sees it."""

    game_id: str
    stir: int
    people: Sequence[Person]
    gone: Sequence[Person]
    is_seated: bool
    is_owner: bool
    invitation: str
    """Where others can sit down; empty for who only watches, and when all seats are taken."""
    next_path: str


@dataclass(frozen=True, slots=True)
class InvitationView:
    """What somebody invited is shown."""

    path: str
    title: str
    ruleset: str
    game_path: str
    host: str
    names: Sequence[str]
    is_full: bool
    is_removed: bool


@dataclass(frozen=True, slots=True)
class TableLine:
    """A shared table that waits for its company."""

    game_id: str
    title: str
    note: str


def company_view(
    company: Company, viewer_id: str | None, site: str, here: Collection[str]
) -> CompanyView:
    """``site`` is the beginning of every address; ``here`` are the ids of those who look at the table."""
    table = company.table
    people = [
        Person(
            id=seat.player_id,
            name=seat.name,
            color=number % MOST_SEATS + 1,
            is_me=seat.player_id == viewer_id,
            is_owner=seat.player_id == table.owner_id,
            is_seated=seat.state is State.SEATED,
            is_here=seat.player_id in here or seat.player_id == viewer_id,
        )
        for number, seat in enumerate(company.seats)
    ]
    seated = [person for person in people if person.is_seated]
    is_seated = company.is_seated(viewer_id)
    may_invite = is_seated and len(seated) < MOST_SEATS
    return CompanyView(
        game_id=table.game_id,
        stir=table.stir,
        people=seated,
        gone=[person for person in people if not person.is_seated],
        is_seated=is_seated,
        is_owner=viewer_id == table.owner_id,
        invitation=f"{site}/together/{table.token}" if may_invite else "",
        next_path=f"/games/{table.next_id}" if table.next_id else "",
    )


def table_line(waiting: Waiting) -> TableLine:
    """A line in the list of somebody's shared tables."""
    count = waiting.version
    actions = "just dealt" if not count else f"{count} action{'' if count == 1 else 's'} so far"
    title = stored_spec(waiting.ruleset, waiting.revision).title
    return TableLine(waiting.game_id, title, actions)
