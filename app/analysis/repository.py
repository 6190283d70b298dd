"""Questions and the mark of help in the database. Every function runs inside its caller's transaction."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, select, update

from app.db.schema import assists, questions
from app.db.statements import insert_or_ignore

_q = questions.c


class Subject(NamedTuple):
    """What a question is about: a game at a version, and what one wants to know of it."""

    game_id: str
    topic: str
    version: int


class Question(NamedTuple):
    """A question that was asked; ``answer`` is ``None`` while there is none.

    Until then somebody who is at work on it has said how far, and that this holds until ``until_ms``.
    """

    answer: str | None
    percent: int
    until_ms: int


def ask(connection: Connection, subject: Subject, at_ms: int) -> None:
    """Note that somebody wants to know; asking twice is asking once."""
    insertion = insert_or_ignore(connection, questions)
    connection.execute(insertion.values(**subject._asdict(), asked_ms=at_ms))


def find_question(connection: Connection, subject: Subject) -> Question | None:
    """How a question stands; ``None`` when nobody asked."""
    found = select(_q.answer, _q.percent, _q.until_ms).where(_about(subject))
    row = connection.execute(found).one_or_none()
    return Question(row[0], row[1] or 0, row[2] or 0) if row else None


def take_on(
    connection: Connection, subject: Subject, worker: str, now_ms: int, until_ms: int
) -> bool:
    """Work on an open question under a mark of one's own; false while somebody else does."""
    is_free = _q.until_ms.is_(None) | (_q.until_ms <= now_ms)
    free = update(questions).where(_about(subject), _q.answer.is_(None), is_free)
    taken = connection.execute(free.values(worker=worker, until_ms=until_ms, percent=0))
    return taken.rowcount > 0


def go_on(
    connection: Connection, subject: Subject, worker: str, percent: int, until_ms: int
) -> bool:
    """Say how far one is; false when nobody wants to know any more, or somebody else has taken it on."""
    told = update(questions).where(_about(subject), _q.worker == worker, _q.answer.is_(None))
    return connection.execute(told.values(percent=percent, until_ms=until_ms)).rowcount > 0


def let_go(connection: Connection, subject: Subject, worker: str) -> None:
    """Leave a question to whoever looks next."""
    mine = update(questions).where(_about(subject), _q.worker == worker)
    connection.execute(mine.values(worker=None, until_ms=None))


def answer(connection: Connection, subject: Subject, text: str) -> None:
    """Keep what came out, unless the question was taken back. Whoever found it: there is one answer only."""
    kept = update(questions).where(_about(subject))
    connection.execute(kept.values(answer=text, worker=None, until_ms=None))


def take_back(connection: Connection, subject: Subject) -> None:
    """Forget a question that has no answer."""
    connection.execute(delete(questions).where(_about(subject), _q.answer.is_(None)))


def mark_assisted(connection: Connection, game_id: str, version: int, at_ms: int) -> None:
    """Note that hidden cards were looked at for a game that can go on from there; the first time counts."""
    insertion = insert_or_ignore(connection, assists)
    connection.execute(insertion.values(game_id=game_id, version=version, at_ms=at_ms))


def assisted_at(connection: Connection, game_id: str) -> int | None:
    """The version at which hidden cards were looked at for a game first; ``None`` when they were not."""
    found = select(assists.c.version).where(assists.c.game_id == game_id)
    return connection.execute(found).scalar_one_or_none()


def _about(subject: Subject) -> ColumnElement[bool]:
    return (
        (_q.game_id == subject.game_id)
        & (_q.topic == subject.topic)
        & (_q.version == subject.version)
    )
