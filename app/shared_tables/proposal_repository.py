"""Proposals and their answers in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, exists, insert, select, update

from app.db.schema import proposal_answers, proposals
from app.shared_tables.model import Proposal, ProposalState

_a, _r = proposals.c, proposal_answers.c


def add(connection: Connection, game_id: str, proposal: Proposal, others: Collection[str]) -> None:
    """Store a proposal and whom it asks."""
    connection.execute(
        insert(proposals).values(
            game_id=game_id,
            number=proposal.number,
            word=proposal.word,
            proposer_id=proposal.proposer_id,
            version=proposal.version,
            until_ms=proposal.until_ms,
        )
    )
    rows = [{"game_id": game_id, "number": proposal.number, "player_id": other} for other in others]
    if rows:
        connection.execute(insert(proposal_answers), rows)


def find_last(connection: Connection, game_id: str) -> Proposal | None:
    """The last proposal at a table, with the answers so far."""
    query = select(_a.number, _a.word, _a.proposer_id, _a.version, _a.until_ms, _a.ended)
    row = connection.execute(
        query.where(_a.game_id == game_id).order_by(_a.number.desc()).limit(1)
    ).one_or_none()
    if row is None:
        return None
    answers = connection.execute(
        select(_r.player_id, _r.agrees).where(_r.game_id == game_id, _r.number == row.number)
    )
    return Proposal(
        *row,
        {player_id: None if agrees is None else bool(agrees) for player_id, agrees in answers},
    )


def set_answer(
    connection: Connection, game_id: str, number: int, player_id: str, *, agrees: bool
) -> bool:
    """Note a first answer; ``False`` for a closed proposal, and for players who were not asked or have answered."""
    is_open = exists().where(_a.game_id == game_id, _a.number == number, _a.ended.is_(None))
    noted = connection.execute(
        update(proposal_answers)
        .where(_r.game_id == game_id, _r.number == number, _r.player_id == player_id)
        .where(_r.agrees.is_(None), is_open)
        .values(agrees=agrees)
    )
    return noted.rowcount == 1


def end(connection: Connection, game_id: str, number: int, result: ProposalState) -> bool:
    """Close a proposal; ``False`` when it is closed already."""
    closed = connection.execute(
        update(proposals)
        .where(_a.game_id == game_id, _a.number == number, _a.ended.is_(None))
        .values(ended=result)
    )
    return closed.rowcount == 1
