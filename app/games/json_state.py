"""A table as plain data: the JSON that programs see."""

from __future__ import annotations

from typing import Any

from app.engine.history import Line
from app.engine.position import Pile, Position
from app.engine.rules import base_rank, legal_actions
from app.engine.ruleset import GameSpec
from app.games.model import Table

JsonObject = dict[str, Any]


def state_of(table: Table) -> JsonObject:
    """What the player may know: a face-down card is ``None``, like every other one."""
    return {
        "id": table.id,
        "ruleset": table.spec.id,
        "revision": table.spec.revision,
        "code": table.told_code,
        "version": table.version,
        "status": table.status.value,
        **_line_state(table.line),
        "actions": table.actions,
        "elapsed_ms": table.elapsed_ms,
        "can_undo": table.can_undo,
        "can_redo": table.can_redo,
        "can_finish": table.can_finish,
        "piles": piles_of(table.spec, table.position, reveal=False),
        "legal_moves": [] if table.is_over else legal_texts(table.spec, table.position),
    }


def piles_of(spec: GameSpec, position: Position, *, reveal: bool) -> JsonObject:
    """Every pile by name, cards bottom first."""
    return {
        name: {"count": len(pile.cards), "cards": _cards(pile, reveal=reveal)}
        for name, pile in zip(spec.layout.ids, position.piles, strict=True)
    }


def legal_texts(spec: GameSpec, position: Position) -> list[str]:
    """Every legal action in text form."""
    return [str(action) for action in legal_actions(spec, position)]


def _line_state(line: Line) -> JsonObject:
    base = base_rank(line.spec, line.position)
    return {
        "base_rank": base.letter if base else None,
        "repetitions": line.repetitions,
        "circling": line.is_circling,
    }


def _cards(pile: Pile, *, reveal: bool) -> list[str | None]:
    down = 0 if reveal else pile.down
    return [None] * down + [card.text for card in pile.cards[down:]]
