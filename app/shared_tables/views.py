"""What the pages of a shared table print."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.engine.ruleset import Ruleset
from app.games import descriptions
from app.games.clicks import parse_grip
from app.games.mini_table import MiniTable
from app.games.model import Game, stored_rules
from app.rulesets import find_ruleset
from app.shared_tables.proposal_repository import Question, Sign
from app.shared_tables.repository import MOST_SEATS, State, Waiting
from app.shared_tables.service import WAITS_MS, Company
from app.shared_tables.signals import SAYINGS
from app.shared_tables.vote import Verdict


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
    sign: SignView | None


@dataclass(frozen=True, slots=True)
class SignView:
    """What somebody shows now: ``text`` says it, ``place`` is where they point, or empty."""

    number: int
    place: str
    text: str


@dataclass(frozen=True, slots=True)
class QuestionView:
    """What is being asked, or was just now: ``left_ms`` until it is settled, nothing when it is."""

    number: int
    text: str
    left_ms: int
    is_mine_to_answer: bool


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
    question: QuestionView | None
    sayings: Mapping[str, str]
    places: Sequence[tuple[str, str]]
    is_left: bool


@dataclass(frozen=True, slots=True)
class InvitationView:
    """What somebody invited is shown."""

    path: str
    title: str
    ruleset: str
    game_path: str
    host: str
    names: Sequence[str]
    opening: MiniTable
    """The game in miniature, by other cards."""
    is_full: bool
    is_removed: bool


@dataclass(frozen=True, slots=True)
class TableLine:
    """A shared table that waits for its company."""

    game_id: str
    title: str
    note: str


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known of a shared table just now."""

    company: Company
    table: Game
    here: Collection[str]
    question: Question | None
    signs: Sequence[Sign]
    now_ms: int


def company_view(moment: Moment, viewer_id: str | None, site: str) -> CompanyView:
    """``site`` is the beginning of every address."""
    company, shared, rules = moment.company, moment.company.table, moment.table.rules
    signs = {sign.player_id: sign for sign in moment.signs}
    people = [
        Person(
            id=seat.player_id,
            name=seat.name,
            color=number % MOST_SEATS + 1,
            is_me=seat.player_id == viewer_id,
            is_owner=seat.player_id == shared.owner_id,
            is_seated=seat.state is State.SEATED,
            is_here=seat.player_id in moment.here or seat.player_id == viewer_id,
            sign=_sign_view(rules, signs[seat.player_id]) if seat.player_id in signs else None,
        )
        for number, seat in enumerate(company.seats)
    ]
    seated = [person for person in people if person.is_seated]
    is_seated = company.is_seated(viewer_id)
    may_invite = is_seated and len(seated) < MOST_SEATS
    touched_ms = max(moment.table.updated_ms, shared.stirred_ms)
    return CompanyView(
        game_id=shared.game_id,
        stir=shared.stir,
        people=seated,
        gone=[person for person in people if not person.is_seated],
        is_seated=is_seated,
        is_owner=viewer_id == shared.owner_id,
        invitation=f"{site}/together/{shared.token}" if may_invite else "",
        next_path=f"/games/{shared.next_id}" if shared.next_id else "",
        question=_question_view(moment, viewer_id) if moment.question else None,
        sayings=SAYINGS,
        places=[
            (pile, descriptions.pile_name(rules, pile).capitalize()) for pile in rules.layout.ids
        ],
        is_left=not moment.table.is_over and moment.now_ms - touched_ms > WAITS_MS,
    )


def _question_view(moment: Moment, viewer_id: str | None) -> QuestionView | None:
    question = moment.question
    if question is None:
        return None
    names = {seat.player_id: seat.name for seat in moment.company.seats}
    who = "You" if question.asker_id == viewer_id else names.get(question.asker_id, "Somebody")
    wish = _WISHES.get(question.word, question.word)
    if question.ended is None:
        return QuestionView(
            number=question.number,
            text=f"{who} would like to {wish}.",
            left_ms=max(0, question.until_ms - moment.now_ms),
            is_mine_to_answer=question.answers.get(viewer_id or "", True) is None,
        )
    is_fresh = moment.now_ms - question.until_ms < _TOLD_MS
    if not is_fresh or question.ended != Verdict.REFUSED:
        return None
    return QuestionView(question.number, f"Not agreed: {wish}.", 0, is_mine_to_answer=False)


def _sign_view(rules: Ruleset, sign: Sign) -> SignView:
    if not sign.place:
        return SignView(sign.number, "", SAYINGS.get(sign.saying, ""))
    pile = parse_grip(rules.layout, sign.place).pile
    return SignView(sign.number, sign.place, f"points at {descriptions.pile_name(rules, pile)}")


_TOLD_MS: Final = 5000
_WISHES: Final[Mapping[str, str]] = {
    "undo": "take the last move back",
    "redo": "play the move again",
    "restart": "start this deal over",
    "resign": "give this game up",
    "next": "deal another game",
}


def title_of(ruleset: str) -> str:
    """What a game is called."""
    rules = find_ruleset(ruleset)
    return rules.title if rules else ruleset


def table_line(waiting: Waiting) -> TableLine:
    """A line in the list of somebody's shared tables."""
    count = waiting.version
    actions = "just dealt" if not count else f"{count} action{'' if count == 1 else 's'} so far"
    title = stored_rules(waiting.ruleset, waiting.revision).title
    return TableLine(waiting.game_id, title, actions)
