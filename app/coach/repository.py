"""Questions and the mark of help in the database. Every function runs inside its caller's transaction."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from app.storage.schema import assists, questions

_q = questions.c


class Subject(NamedTuple):
    """What a question is about: a game at a version, and what one wants to know of it."""

    game_id: str
    topic: str
    version: int


class Question(NamedTuple):
    """A question that was asked; ``answer`` is ``None`` while there is none."""

    answer: str | None


def ask(connection: Connection, subject: Subject, at_ms: int) -> None:
    """Note that somebody wants to know; asking twice is asking once."""
    if find_question(connection, subject) is None:
        connection.execute(insert(questions).values(**subject._asdict(), asked_ms=at_ms))


def find_question(connection: Connection, subject: Subject) -> Question | None:
    """How a question stands; ``None`` when nobody asked."""
    row = connection.execute(select(_q.answer).where(_about(subject))).one_or_none()
    return Question(row[0]) if row else None


def answer(connection: Connection, subject: Subject, text: str) -> None:
    """Keep what came out, unless the question was taken back."""
    connection.execute(update(questions).where(_about(subject)).values(answer=text))


def take_back(connection: Connection, subject: Subject) -> None:
    """Forget a question that has no answer."""
    connection.execute(delete(questions).where(_about(subject), _q.answer.is_(None)))


def mark_assisted(connection: Connection, game_id: str, version: int, at_ms: int) -> None:
    """Note that a game had help from hidden cards; the first time counts."""
    if not is_assisted(connection, game_id):
        connection.execute(insert(assists).values(game_id=game_id, version=version, at_ms=at_ms))


def is_assisted(connection: Connection, game_id: str) -> bool:
    """Whether a game had help from hidden cards."""
    found = select(assists.c.game_id).where(assists.c.game_id == game_id)
    return connection.execute(found).first() is not None


def _about(subject: Subject) -> ColumnElement[bool]:
    return (
        (_q.game_id == subject.game_id)
        & (_q.topic == subject.topic)
        & (_q.version == subject.version)
    )
