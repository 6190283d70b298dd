"""What people see while a seed runs, and what must be true of it at once."""

from __future__ import annotations

from typing import Any

from simulation import invariants
from simulation.client import Client
from simulation.explored import check_closed
from simulation.leagues import check_blind
from simulation.ledger import Acknowledged
from simulation.network import Answer
from simulation.trace import Violation
from simulation.world import World


def check_acknowledged(
    world: World, game_id: str, version: int, entry: Acknowledged, answer: Any
) -> None:
    """An action was answered with 200: put it on record and look whether it is stored."""
    world.ledger.acknowledge(game_id, version, entry, answer)
    with world.reading() as connection:
        invariants.check_game(connection, world.ledger, game_id)


def saw_board(world: World, player_id: str, board: dict[str, Any], day: str, ruleset: str) -> None:
    """Somebody was shown a board."""
    attempt = world.ledger.attempts.get((player_id, day, ruleset))
    world.ledger.see_marks(board["rows"])
    if attempt and attempt.has_resigned and not board["final"]:
        raise Violation(
            "who resigned does not see the board before the day closes",
            f"{player_id} sees {ruleset} of {day}",
        )


def saw_league(world: World, league: dict[str, Any], member: Client) -> None:
    """A member was shown a league."""
    world.ledger.members.append((league["link"], member))
    with world.reading() as connection:
        check_blind(connection, league)


def saw_explored(world: World, day: str, ruleset: str) -> None:
    """Somebody was shown the explorer of a daily deal."""
    with world.reading() as connection:
        check_closed(connection, day, ruleset)


def may_play(world: World, game_id: str, player_id: str) -> bool:
    """Whether a player owns a game or has a seat at it, as the database says."""
    with world.reading() as connection:
        return invariants.may_play(connection, game_id, player_id)


def check_not_theirs(world: World, game_id: str, player_id: str, answer: Answer) -> None:
    """A player who may play, and could before, was told that the game is not theirs."""
    if may_play(world, game_id, player_id):
        raise Violation(
            "a game belongs to its player in every process",
            f"{player_id} gets {answer.code} for {game_id} from process {answer.process}",
        )


def check_refused(world: World, viewer_id: str, path: str, answer: Answer, game_id: str) -> None:
    """A viewer asked for a game that nobody may watch."""
    if answer.is_ok and world.ledger.games.get(game_id) != viewer_id:
        raise Violation("nobody may watch", f"{viewer_id} gets {answer.status} for {path}")
