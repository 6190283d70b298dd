"""Questions about games, and which games were assisted. Every function runs in its caller's transaction.

A worker that searches for an answer holds a lease on the question, and renews it while it works.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, select, update

from app.analysis.model import HintsGiven
from app.db.engine import insert_into, insert_or_ignore
from app.db.schema import REVIEW_TOPICS, assists, hint_plans, hints_given, questions

WINNABLE: Final = "winnable"
JUDGED_REVIEW, *_, REVIEW = REVIEW_TOPICS
"""How well a game was played and where it slipped away; and only the latter, from earlier releases: still shown."""

_q = questions.c


class Subject(NamedTuple):
    """The subject of a question: a game at a version, and the topic."""

    game_id: str
    topic: str
    version: int


class Question(NamedTuple):
    """A stored question. Until it has an answer, a worker may hold its lease until ``until_ms``.

    ``found`` is what its worker has found so far.
    """

    answer: str | None
    percent: int
    until_ms: int
    found: str = ""


class HintPlan(NamedTuple):
    """The plan of a hint: actions from ``version`` of its game on, with their chance, found in so many positions."""

    version: int
    positions: int
    chance: float
    deviation: float
    actions: str


def add_question(connection: Connection, subject: Subject, at_ms: int) -> None:
    """Store a question, once."""
    insertion = insert_or_ignore(connection, questions)
    connection.execute(insertion.values(**subject._asdict(), asked_ms=at_ms))


def find_question(connection: Connection, subject: Subject) -> Question | None:
    """A question, or ``None``."""
    found = select(_q.answer, _q.percent, _q.until_ms, _q.found).where(_is_about(subject))
    row = connection.execute(found).one_or_none()
    return Question(row[0], row[1] or 0, row[2] or 0, row[3] or "") if row else None


def list_answers(
    connection: Connection, game_id: str, topic: str, most: int
) -> list[tuple[int, str]]:
    """The latest answers to a question about a game: each with the version that it is about, the latest first."""
    query = (
        select(_q.version, _q.answer)
        .where(_q.game_id == game_id, _q.topic == topic, _q.answer.is_not(None))
        .order_by(_q.version.desc())
        .limit(most)
    )
    return [(version, answer) for version, answer in connection.execute(query)]


def acquire_lease(
    connection: Connection, subject: Subject, worker: str, now_ms: int, until_ms: int
) -> bool:
    """Take the lease of an open question; false while another worker holds it."""
    is_free = _q.until_ms.is_(None) | (_q.until_ms <= now_ms)
    free = update(questions).where(_is_about(subject), _q.answer.is_(None), is_free)
    values = {"worker": worker, "until_ms": until_ms, "percent": 0, "found": None}
    taken = connection.execute(free.values(values))
    return taken.rowcount > 0


def renew_lease(
    connection: Connection,
    subject: Subject,
    worker: str,
    *,
    percent: int,
    found: str,
    until_ms: int,
) -> bool:
    """Renew a lease and store how far its worker is; false when the question was withdrawn or another worker has it."""
    renewal = update(questions).where(_is_about(subject), _q.worker == worker, _q.answer.is_(None))
    return (
        connection.execute(renewal.values(percent=percent, found=found, until_ms=until_ms)).rowcount
        > 0
    )


def release_lease(connection: Connection, subject: Subject, worker: str) -> None:
    """Leave a question to the next worker."""
    mine = update(questions).where(_is_about(subject), _q.worker == worker)
    connection.execute(mine.values(worker=None, until_ms=None))


def save_answer(connection: Connection, subject: Subject, text: str) -> None:
    """Store the answer unless the question was withdrawn. All workers find the same answer."""
    kept = update(questions).where(_is_about(subject))
    connection.execute(kept.values(answer=text, worker=None, until_ms=None, found=None))


def withdraw(connection: Connection, subject: Subject) -> None:
    """Delete a question that has no answer."""
    connection.execute(delete(questions).where(_is_about(subject), _q.answer.is_(None)))


def mark_assisted(connection: Connection, game_id: str, version: int, at_ms: int) -> None:
    """Mark a game as assisted: its hidden cards were searched while it could go on. The first time counts."""
    insertion = insert_or_ignore(connection, assists)
    connection.execute(insertion.values(game_id=game_id, version=version, at_ms=at_ms))


def note_hint(connection: Connection, game_id: str, version: int) -> None:
    """Count a hint given at a version of a game; more of them at the same version count once."""
    values = {"version": version, "number": 1, "versions": str(version)}
    row = insert_into(connection, hints_given).values(game_id=game_id, **values)
    more = {
        "version": version,
        "number": hints_given.c.number + 1,
        "versions": hints_given.c.versions + f" {version}",
    }
    connection.execute(
        row.on_conflict_do_update(
            index_elements=["game_id"], set_=more, where=hints_given.c.version < version
        )
    )


def find_hints(connection: Connection, game_id: str) -> HintsGiven:
    """The hints that the player of a game was given."""
    g = hints_given.c
    row = connection.execute(select(g.number, g.versions).where(g.game_id == game_id)).first()
    return (
        HintsGiven(row.number, frozenset(map(int, row.versions.split()))) if row else HintsGiven()
    )


def find_hint_plan(connection: Connection, game_id: str) -> HintPlan | None:
    """The plan that the latest hint of a game began, if it was known how to go on."""
    p = hint_plans.c
    query = select(p.version, p.positions, p.chance, p.deviation, p.actions)
    row = connection.execute(query.where(p.game_id == game_id)).one_or_none()
    return HintPlan(*row) if row else None


def keep_hint_plan(connection: Connection, game_id: str, plan: HintPlan) -> None:
    """Store the plan of a hint in place of the one before."""
    row = insert_into(connection, hint_plans).values(game_id=game_id, **plan._asdict())
    connection.execute(row.on_conflict_do_update(index_elements=["game_id"], set_=plan._asdict()))


def find_assisted_version(connection: Connection, game_id: str) -> int | None:
    """The version at which a game was first assisted, or ``None``."""
    found = select(assists.c.version).where(assists.c.game_id == game_id)
    return connection.execute(found).scalar_one_or_none()


def show_chances(connection: Connection, game_id: str, version: int, at_ms: int) -> None:
    """Mark a game as assisted, since its spectators are shown the chance to win from ``version`` on."""
    values = {"game_id": game_id, "version": version, "at_ms": at_ms, "is_shown": True}
    insertion = insert_into(connection, assists).values(values)
    connection.execute(
        insertion.on_conflict_do_update(index_elements=["game_id"], set_={"is_shown": True})
    )


def is_shown(connection: Connection, game_id: str) -> bool:
    """Whether spectators of a game are shown the chance to win."""
    query = select(assists.c.is_shown).where(assists.c.game_id == game_id)
    return bool(connection.execute(query).scalar_one_or_none())


def _is_about(subject: Subject) -> ColumnElement[bool]:
    return (
        (_q.game_id == subject.game_id)
        & (_q.topic == subject.topic)
        & (_q.version == subject.version)
    )
