"""A game as its row in the database has it: the deal and the status, without the position that the log leads to."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.ruleset import Ruleset
from app.engine.shuffle import ALGORITHM
from app.games.model import Kind, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """A row of the games table. Either ``code`` or ``seed`` is set."""

    id: str
    ruleset: str
    revision: int
    deal_version: int
    kind: str
    code: str | None
    seed: bytes | None
    owner_id: str
    started_ms: int
    updated_ms: int
    version: int
    status: str
    played_ms: int = 0
    moves: int = 0

    @staticmethod
    def dealt(
        *,
        game_id: str,
        rules: Ruleset,
        kind: Kind,
        code: str | None,
        seed: bytes | None,
        owner_id: str,
        at_ms: int,
        status: Status = Status.PLAYING,
    ) -> GameRow:
        """The row of a game that was just dealt."""
        return GameRow(
            id=game_id,
            ruleset=rules.id,
            revision=rules.revision,
            deal_version=ALGORITHM,
            kind=kind,
            code=code,
            seed=seed,
            owner_id=owner_id,
            started_ms=at_ms,
            updated_ms=at_ms,
            version=0,
            status=status,
        )
