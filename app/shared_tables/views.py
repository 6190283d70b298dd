"""View models of shared tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from app.engine.ruleset import Ruleset
from app.games import descriptions
from app.games.catalog import find_offer
from app.games.clicks import parse_grip
from app.games.lookup import stored_rules
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.games.model import Game
from app.i18n.formats import in_company
from app.rulesets import find_ruleset
from app.shared_tables.gestures import SAYINGS
from app.shared_tables.model import (
    ABANDONED_AFTER_MS,
    OWNER_HAS_NO_ROOM,
    OWNER_HAS_NO_ROOM_FOR_NEXT,
    Gesture,
    OpenTable,
    ProposalState,
    SeatRequest,
    SeatState,
    SharedTable,
    TableOverview,
    TableResults,
)
from app.text import capital, gettext, ngettext

_REFUSAL_SHOWN_MS: Final = 5000
_ASKED_BY_YOU: Final[Mapping[str, str]] = {
    "undo": gettext("You asked to undo the last move."),
    "redo": gettext("You asked to redo the move."),
    "restart": gettext("You asked to restart this deal."),
    "resign": gettext("You asked to resign this game."),
    "next": gettext("You asked to deal another game."),
}
_DECLINED: Final[Mapping[str, str]] = {
    "undo": gettext("Declined: undo the last move."),
    "redo": gettext("Declined: redo the move."),
    "restart": gettext("Declined: restart this deal."),
    "resign": gettext("Declined: resign this game."),
    "next": gettext("Declined: deal another game."),
}


@dataclass(frozen=True, slots=True)
class GestureView:
    """A gesture as text. ``place`` is where the player points, or empty."""

    number: int
    place: str
    text: str


@dataclass(frozen=True, slots=True)
class PersonView:
    """A player at the table. ``color`` is the number of their color, from 1."""

    id: str
    name: str
    color: int
    is_you: bool
    is_owner: bool
    is_seated: bool
    is_here: bool
    gesture: GestureView | None


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal that is open or was just refused. ``left_ms`` is the time to answer; 0 when it is closed."""

    number: int
    text: str
    left_ms: int
    is_mine_to_answer: bool
    is_mine_to_withdraw: bool = False


class ViewerRole(StrEnum):
    """What a viewer is at a table. When it changes, the page is another one and loads again."""

    PLAYING = "playing"
    MAY_ASK = "may-ask"
    ASKED = "asked"
    DECLINED = "declined"
    REMOVED = "removed"
    FULL = "full"
    NOBODY = "nobody"
    """Nobody with a seat could let the viewer in, or the game is over."""


class InviteLink(NamedTuple):
    """The link of an invitation, with what to say beside it."""

    url: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SharedTableView:
    """A shared table for one viewer. ``invitation`` is empty for spectators, and when all seats are taken.

    ``invite`` is the same link as a box to share, shown while ``is_waiting``: nobody else has a seat.
    """

    game_id: str
    revision: int
    people: Sequence[PersonView]
    gone: Sequence[PersonView]
    is_seated: bool
    is_owner: bool
    role: ViewerRole
    how_to_join: str
    """How a viewer who is not playing gets a seat."""
    welcome: str
    """For a viewer with a seat who has not moved yet, and for the owner when the game has just been shared."""
    asker: SeatRequest | None
    """The first who asks for a seat; only for the owner."""
    invitation: str
    invite: InviteLink
    is_waiting: bool
    may_play_alone: bool
    """For the owner, as long as nobody else has ever had a seat."""
    next_path: str
    proposal: ProposalView | None
    sayings: Mapping[str, str]
    places: Sequence[tuple[str, str]]
    is_abandoned: bool


@dataclass(frozen=True, slots=True)
class InvitationView:
    """The page of an invitation. ``drawing`` is the table as it stands for those who may watch it, else other cards."""

    path: str
    title: str
    ruleset: str
    game_path: str
    owner: str
    names: Sequence[str]
    drawing: MiniTable
    may_watch: bool
    is_full: bool
    is_removed: bool


class TableLine(NamedTuple):
    """An open table in a player's list."""

    path: str
    title: str
    note: str


class ResultLine(NamedTuple):
    """A player's results with one rule set."""

    title: str
    played: int
    won: int


def shared_table_view(overview: TableOverview, viewer_id: str | None, site: str) -> SharedTableView:
    """``site`` is the origin of all addresses."""
    table, rules, colors = overview.table, overview.game.rules, overview.table.colors
    gestures = {gesture.player_id: gesture for gesture in overview.gestures}
    people = [
        PersonView(
            id=seat.player_id,
            name=seat.name,
            color=colors[seat.player_id],
            is_you=seat.player_id == viewer_id,
            is_owner=seat.player_id == table.owner_id,
            is_seated=seat.state is SeatState.SEATED,
            is_here=seat.player_id in overview.present or seat.player_id == viewer_id,
            gesture=_gesture_view(rules, gestures[seat.player_id])
            if seat.player_id in gestures
            else None,
        )
        for seat in table.seats
    ]
    seated = [person for person in people if person.is_seated]
    is_seated = table.is_seated(viewer_id)
    may_invite = is_seated and not table.is_full
    role = _role_of(overview, viewer_id)
    invitation = f"{site}/together/{table.token}" if may_invite else ""
    touched_ms = max(overview.game.updated_ms, table.changed_ms)
    return SharedTableView(
        game_id=table.game_id,
        revision=table.revision,
        people=seated,
        gone=[person for person in people if not person.is_seated],
        is_seated=is_seated,
        is_owner=viewer_id == table.owner_id,
        role=role,
        how_to_join=_how_to_join(role, seated),
        welcome=_welcome(overview, viewer_id),
        asker=_asker(overview, viewer_id),
        invitation=invitation,
        invite=InviteLink(
            invitation, gettext("Play %(title)s with me at one table.", title=rules.title)
        ),
        is_waiting=is_seated and len(seated) == 1 and not overview.game.is_over,
        may_play_alone=viewer_id == table.owner_id
        and not (table.had_company or overview.game.is_over),
        next_path=f"/games/{table.next_id}" if table.next_id else "",
        proposal=_proposal_view(overview, viewer_id),
        sayings=SAYINGS,
        places=[(pile, capital(descriptions.pile_name(rules, pile))) for pile in rules.layout.ids],
        is_abandoned=not overview.game.is_over
        and overview.now_ms - touched_ms > ABANDONED_AFTER_MS,
    )


def _role_of(overview: TableOverview, viewer_id: str | None) -> ViewerRole:
    table, request = overview.table, overview.request_of(viewer_id)
    if table.is_seated(viewer_id):
        return ViewerRole.PLAYING
    if overview.game.is_over or not table.is_seated(table.owner_id):
        return ViewerRole.NOBODY
    if table.is_removed(viewer_id):
        return ViewerRole.REMOVED
    if request and request.is_declined:
        return ViewerRole.DECLINED
    if table.is_full:
        return ViewerRole.FULL
    return ViewerRole.ASKED if request else ViewerRole.MAY_ASK


def _welcome(overview: TableOverview, viewer_id: str | None) -> str:
    own = overview.table.seat_of(viewer_id)
    is_owner = viewer_id == overview.table.owner_id
    # A table that begins as a shared one has only its invitation to show.
    if is_owner and overview.is_just_shared and overview.game.version:
        return gettext("This game is now shared.")
    if own is None or own.state is not SeatState.SEATED or own.moved:
        return ""
    if is_owner or overview.game.is_over:
        return ""
    return gettext("You have joined. Anyone can move at any time.")


def _how_to_join(role: ViewerRole, seated: Sequence[PersonView]) -> str:
    owner = next((person.name for person in seated if person.is_owner), "")
    match role:
        case ViewerRole.MAY_ASK:
            return gettext(
                "You are watching. Ask to join, and %(name)s can let you in.", name=owner
            )
        case ViewerRole.ASKED:
            return gettext("You have asked to join. %(name)s can let you in.", name=owner)
        case ViewerRole.DECLINED:
            return gettext("You are watching. %(name)s did not let you in.", name=owner)
        case ViewerRole.REMOVED:
            return gettext("You are watching. The owner removed you from this table.")
        case ViewerRole.FULL:
            return gettext("You are watching. All four seats are taken.")
        case ViewerRole.PLAYING | ViewerRole.NOBODY:
            return ""


def _asker(overview: TableOverview, viewer_id: str | None) -> SeatRequest | None:
    table = overview.table
    may_answer = viewer_id == table.owner_id and not (table.is_full or table.next_id)
    return next(iter(overview.open_requests), None) if may_answer else None


def invitation_view(
    token: str, table: SharedTable, game: Game, viewer_id: str | None, *, may_watch: bool
) -> InvitationView:
    """The page of an invitation for a visitor who has no seat."""
    owner = table.seat_of(table.owner_id)
    return InvitationView(
        path=f"/together/{token}",
        title=game.rules.title,
        ruleset=game.rules.id,
        game_path=f"/games/{game.id}",
        owner=owner.name if owner else "",
        names=[seat.name for seat in table.seated],
        drawing=mini_table(game.rules, game.position)
        if may_watch
        else find_offer(game.rules.id).opening,
        may_watch=may_watch,
        is_full=table.is_full,
        is_removed=table.is_removed(viewer_id),
    )


def table_line(table: OpenTable) -> TableLine:
    """An open table in a player's list."""
    note = (
        ngettext("%(n)s move so far", "%(n)s moves so far", table.moves)
        if table.version
        else gettext("just dealt")
    )
    title = stored_rules(table.ruleset, table.revision).title
    return TableLine(f"/games/{table.game_id}", in_company(title, table.others), note)


def result_line(results: TableResults) -> ResultLine:
    """A player's results with one rule set."""
    rules = find_ruleset(results.ruleset)
    return ResultLine(rules.title if rules else results.ruleset, results.played, results.won)


def _proposal_view(overview: TableOverview, viewer_id: str | None) -> ProposalView | None:
    proposal = overview.proposal
    if proposal is None:
        return None
    if proposal.ended is None:
        names = {seat.player_id: seat.name for seat in overview.table.seats}
        name = names.get(proposal.proposer_id, gettext("A player"))
        is_own = proposal.proposer_id == viewer_id
        said = _ASKED_BY_YOU[proposal.word] if is_own else _asked(proposal.word, name)
        return ProposalView(
            number=proposal.number,
            text=said,
            left_ms=max(0, proposal.until_ms - overview.now_ms),
            is_mine_to_answer=proposal.answers.get(viewer_id or "", True) is None,
            is_mine_to_withdraw=is_own,
        )
    match proposal.ended:
        case ProposalState.REFUSED:
            said = _DECLINED[proposal.word]
        case ProposalState.NO_ROOM:
            said = OWNER_HAS_NO_ROOM_FOR_NEXT if proposal.word == "next" else OWNER_HAS_NO_ROOM
        case _:
            return None
    is_recent = overview.now_ms - proposal.until_ms < _REFUSAL_SHOWN_MS
    return ProposalView(proposal.number, said, 0, is_mine_to_answer=False) if is_recent else None


def _gesture_view(rules: Ruleset, gesture: Gesture) -> GestureView:
    if not gesture.place:
        return GestureView(gesture.number, "", SAYINGS.get(gesture.saying, ""))
    pile = parse_grip(rules.layout, gesture.place).pile
    text = gettext("points at %(pile)s", pile=descriptions.pile_name(rules, pile))
    return GestureView(gesture.number, gesture.place, text)


def _asked(word: str, name: str) -> str:
    match word:
        case "undo":
            return gettext("%(name)s wants to undo the last move.", name=name)
        case "redo":
            return gettext("%(name)s wants to redo the move.", name=name)
        case "restart":
            return gettext("%(name)s wants to restart this deal.", name=name)
        case "resign":
            return gettext("%(name)s wants to resign this game.", name=name)
        case _:
            return gettext("%(name)s wants to deal another game.", name=name)
