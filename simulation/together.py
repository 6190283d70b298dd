"""Playing together: what an acknowledged action at a shared table has done, as the player who asked for it sees it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from simulation.trace import Violation

_WORDS: Final = frozenset({"undo", "redo", "restart", "resign"})
_SEVERAL: Final = 2


class _Event(NamedTuple):
    action: str
    actor_id: str


def check_together(
    connection: sqlite3.Connection,
    seen: dict[str, Any],
    action: str,
    after: dict[str, Any],
    player_id: str,
) -> None:
    """``seen`` is the state on which a player acted, ``after`` the one with which the action was answered."""
    if action == "undo":
        _check_undo(connection, seen, after, player_id)
    elif action not in _WORDS and action != "deal":
        _check_move(seen, action, after)


def count_actions(connection: sqlite3.Connection, game_id: str, player_id: str, action: str) -> int:
    """How often an action of a player is in the log of a game."""
    found = connection.execute(
        "SELECT count(*) FROM events WHERE game_id = ? AND actor_id = ? AND action = ?",
        (game_id, player_id, action),
    )
    count: int = found.fetchone()[0]
    return count


def _check_move(seen: dict[str, Any], move: str, after: dict[str, Any]) -> None:
    """The cards that lie on the target now are those that the player saw on the source."""
    places, _, count = move.partition(":")
    source, _, target = places.partition("-")
    most = int(count or 1)
    meant = seen["piles"][source]["cards"][-most:]
    moved = after["piles"][target]["cards"][-most:]
    if meant != moved:
        raise Violation(
            "a move takes the cards that the player saw",
            f"{move} on version {seen['version']} of {seen['id']}: {moved} instead of {meant}",
        )


def _check_undo(
    connection: sqlite3.Connection, seen: dict[str, Any], after: dict[str, Any], player_id: str
) -> None:
    """An undo that was done without asking takes back no move of the others."""
    log = [
        _Event(*row)
        for row in connection.execute(
            "SELECT action, actor_id FROM events WHERE game_id = ? AND seq <= ? ORDER BY seq",
            (seen["id"], after["version"]),
        )
    ]
    before, since = log[: seen["version"]], log[seen["version"] :]
    if any(event.action in _WORDS and event.actor_id != player_id for event in since):
        return  # others have taken back something meanwhile
    if [event.action for event in since].count("undo") < _SEVERAL:
        return  # who is alone at a table may take back the last move, whoever made it
    if _moves_of_others(log, player_id) < _moves_of_others(before, player_id):
        raise Violation(
            "an undo takes back one's own move only",
            f"{seen['id']} from version {seen['version']} to {after['version']}: {since}",
        )


def _moves_of_others(log: Sequence[_Event], player_id: str) -> int:
    """How many moves of others are in effect."""
    done: list[str] = []
    undone: list[str] = []
    for action, actor_id in log:
        match action:
            case "undo":
                undone.append(done.pop())
            case "redo":
                done.append(undone.pop())
            case "restart":
                undone += reversed(done)
                done.clear()
            case "resign":
                pass
            case _:
                done.append(actor_id)
                undone.clear()
    return sum(actor_id != player_id for actor_id in done)
