"""Questions to a company, and its signs, in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update

from app.db.schema import ask_answers, asks, signs

_a, _r, _s = asks.c, ask_answers.c, signs.c


class Question(NamedTuple):
    """What somebody asked the others for, and what they said so far."""

    number: int
    word: str
    asker_id: str
    version: int
    until_ms: int
    ended: str | None
    answers: Mapping[str, bool | None]


class Sign(NamedTuple):
    """What a player points at or says; one of the two is empty."""

    player_id: str
    number: int
    place: str
    saying: str


def ask(connection: Connection, game_id: str, question: Question, asked: Collection[str]) -> None:
    """Put a question to some players."""
    connection.execute(
        insert(asks).values(
            game_id=game_id,
            number=question.number,
            word=question.word,
            asker_id=question.asker_id,
            version=question.version,
            until_ms=question.until_ms,
        )
    )
    rows = [
        {"game_id": game_id, "number": question.number, "player_id": player} for player in asked
    ]
    if rows:
        connection.execute(insert(ask_answers), rows)


def last_question(connection: Connection, game_id: str) -> Question | None:
    """The question asked last, open or not."""
    query = select(_a.number, _a.word, _a.asker_id, _a.version, _a.until_ms, _a.ended)
    row = connection.execute(
        query.where(_a.game_id == game_id).order_by(_a.number.desc()).limit(1)
    ).one_or_none()
    if row is None:
        return None
    said = connection.execute(
        select(_r.player_id, _r.agrees).where(_r.game_id == game_id, _r.number == row.number)
    )
    return Question(*row, {who: None if agrees is None else bool(agrees) for who, agrees in said})


def answer(
    connection: Connection, game_id: str, number: int, player_id: str, *, agrees: bool
) -> bool:
    """Note what somebody says, the first time; ``False`` for who was not asked."""
    noted = connection.execute(
        update(ask_answers)
        .where(_r.game_id == game_id, _r.number == number, _r.player_id == player_id)
        .where(_r.agrees.is_(None))
        .values(agrees=agrees)
    )
    return noted.rowcount == 1


def end(connection: Connection, game_id: str, number: int, how: str) -> bool:
    """Close a question; ``False`` when somebody has closed it already."""
    closed = connection.execute(
        update(asks)
        .where(_a.game_id == game_id, _a.number == number, _a.ended.is_(None))
        .values(ended=how)
    )
    return closed.rowcount == 1


def give_sign(connection: Connection, game_id: str, sign: Sign, at_ms: int) -> None:
    """Show something to the others; what the player showed before is over."""
    values = {
        "number": sign.number,
        "place": sign.place,
        "saying": sign.saying,
        "at_ms": at_ms,
    }
    known = connection.execute(
        update(signs).where(_s.game_id == game_id, _s.player_id == sign.player_id).values(**values)
    )
    if known.rowcount == 0:
        connection.execute(
            insert(signs).values(game_id=game_id, player_id=sign.player_id, **values)
        )


def signs_since(connection: Connection, game_id: str, since_ms: int) -> Sequence[Sign]:
    """What was shown since a moment."""
    rows = connection.execute(
        select(_s.player_id, _s.number, _s.place, _s.saying).where(
            _s.game_id == game_id, _s.at_ms >= since_ms
        )
    )
    return [Sign(*row) for row in rows]
