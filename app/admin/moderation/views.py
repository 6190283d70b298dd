"""What the page of a player prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from app.admin.audit_log import Act, Line
from app.admin.auth.service import Officer
from app.admin.integrity.signals import signals_told
from app.admin.moderation.actions import ASKED, WORDS, Reason
from app.admin.moderation.repository import File, Person, Result
from app.admin.moderation.service import FOR_MODERATORS
from app.games.model import Status
from app.http.formats import date_time
from app.rulesets import ruleset_title


class Option(NamedTuple):
    """A choice in a form."""

    value: str
    title: str


class Button(NamedTuple):
    """A way to the form of an act."""

    title: str
    href: str


class ActLine(NamedTuple):
    """Something that was done, as it is printed."""

    when: str
    actor: str
    act: str
    subject: str
    link: str
    note: str


class ResultLine(NamedTuple):
    """A result, and what may be done about it."""

    day: str
    title: str
    game_id: str
    board: str
    told: str
    button: Button | None


class SessionLine(NamedTuple):
    """A way in."""

    label: str
    since: str
    seen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView:
    """The page of a player."""

    id: str
    name: str
    facts: list[tuple[str, str]]
    sessions: list[SessionLine]
    results: list[ResultLine]
    flagged: list[tuple[str, str, str, str]]
    acts: list[ActLine]
    buttons: list[Button]
    held: str
    """Why nobody may do anything to this player from here."""


def person_view(file: File, officer: Officer) -> PersonView:
    """The page of a player, with the buttons of what the officer may do."""
    person = file.person
    held = _held(person, officer)
    return PersonView(
        id=person.id,
        name=person.name,
        facts=_facts(file),
        sessions=[
            SessionLine(
                session.label or "unknown",
                date_time(session.created_ms),
                date_time(session.seen_ms),
            )
            for session in file.sessions
        ],
        results=[_result_line(result, can_act=not held) for result in file.results],
        flagged=[
            (
                game.game_id,
                date_time(game.started_ms),
                ruleset_title(game.ruleset),
                signals_told(game.flags),
            )
            for game in file.flagged
        ],
        acts=[act_line(line) for line in file.acts],
        buttons=_buttons(file, officer),
        held=held,
    )


def act_line(line: Line) -> ActLine:
    """A line of the audit log."""
    words = f"{WORDS[Reason(line.reason)]} " if line.reason else ""
    return ActLine(
        when=date_time(line.at_ms),
        actor=line.actor,
        act=line.act,
        subject=line.subject,
        link=_link(line),
        note=f"{words}{line.note}",
    )


def button(act: Act, subject: str) -> Button:
    """The way to a form."""
    return Button(ASKED[act], f"/admin/acts/{act}/{subject}")


def result_button(result: Result) -> Button | None:
    """The way to hide or to restore a result."""
    if result.is_hidden:
        return button(Act.RESTORE, result.game_id)
    return button(Act.HIDE, result.game_id) if result.can_be_hidden else None


def _link(line: Line) -> str:
    if line.act.is_of_game:
        return f"/admin/games/{line.subject}"
    return "" if line.act is Act.EXPORT else f"/admin/players/{line.subject}"


def _held(person: Person, officer: Officer) -> str:
    if person.id == officer.player.id:
        return "This is you. What is to be done about you is for somebody else to decide."
    if person.role:
        return (
            "Somebody who looks after the site is judged by whoever gave them the role: it is taken away on the "
            "command line."
        )
    return ""


def _facts(file: File) -> list[tuple[str, str]]:
    person = file.person
    played = ", ".join(
        f"{file.games[status]} {status}" for status in Status if file.games.get(status)
    )
    facts = [
        ("Here since", date_time(person.created_ms)),
        ("Name", f"claimed {date_time(person.claimed_ms)}" if person.claimed_ms else "of a guest"),
        *(
            ("Name taken away", f"{old.name}, {date_time(old.withdrawn_ms)}. {old.reason}")
            for old in person.withdrawn
        ),
        ("Role", person.role or ""),
        (
            "Suspended",
            f"since {date_time(person.suspended_ms)}. {person.suspension}"
            if person.suspended_ms is not None
            else "",
        ),
        ("Games", played or "none"),
    ]
    return [(name, fact) for name, fact in facts if fact]


def _result_line(result: Result, *, can_act: bool) -> ResultLine:
    home = f"{result.cards_home or 0} cards home"
    figures = f"{result.actions} actions, {result.seconds} s, {home}"
    told = result.verdict if result.actions is None else f"{result.verdict}: {figures}"
    return ResultLine(
        day=result.day,
        title=ruleset_title(result.ruleset),
        game_id=result.game_id,
        board=f"/daily/{result.day}/{result.ruleset}",
        told=" ".join(filter(None, (f"{told}.", result.reason))),
        button=result_button(result) if can_act else None,
    )


def _buttons(file: File, officer: Officer) -> list[Button]:
    person = file.person
    if person.id == officer.player.id or not officer.is_administrator:
        return []
    possible = {
        Act.LIFT: person.suspension is not None and not person.role,
        Act.SUSPEND: person.suspension is None and not person.role,
        Act.RENAME: person.is_named and not person.role,
        Act.RENAME_BACK: person.is_named and bool(person.withdrawn) and not person.role,
        Act.END_SESSIONS: bool(file.sessions),
    }
    return [
        button(act, person.id)
        for act, holds in possible.items()
        if holds and act not in FOR_MODERATORS
    ]
