"""The fast player: plays a game by turns, each time to the leaf that looks best, in some milliseconds."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from app.engine.ruleset import Ruleset
from app.solver.board import Board
from app.solver.fan_pruning import FanPruning
from app.solver.group_pruning import GroupPruning
from app.solver.heuristic import Heuristic
from app.solver.klondike_pruning import KlondikePruning
from app.solver.player_weights import PLAYERS
from app.solver.pruning import Pruning, ReservePruning
from app.solver.pruning_choice import pruning_for
from app.solver.rule_tables import UNLIMITED, RuleTables
from app.solver.search_weights import Weights
from app.solver.sight import Sight
from app.solver.turn import Turn


class LookAhead(NamedTuple):
    """How far the fast player looks in each turn."""

    limit: int  # positions expanded
    samples: int  # imagined orders by which leaves are told apart


QUICK_LOOK: Final = LookAhead(limit=20, samples=2)
WIDE_LOOK: Final = LookAhead(limit=60, samples=4)  # three times as slow, and in some games stronger
LAST: Final = 1000  # positions expanded once nothing is hidden
CAPACITY: Final = 4_000  # positions listed in a turn at most


def new_turn(
    tables: RuleTables, board: Board, sight: Sight, heuristic: Heuristic, capacity: int
) -> Turn:
    """A turn on the board of a position that agrees with ``sight``."""
    places = [
        (index << 7) + depth
        for index, pile in enumerate(sight.piles)
        for depth, card in enumerate(pile)
        if card is None
    ]
    if tables.redeals == UNLIMITED and None not in sight.piles[tables.rules.layout.stock]:
        board.redeals = 1  # the player has seen the whole stock: none of it is hidden again
    pruning = pruning_for(tables)
    turn = Turn(board, heuristic, pruning, places, capacity)
    turn.face_up = int(tables.rules.stock.face_up)
    turn.sees_deals = _looks_at_hidden_cards(pruning, tables, sight)
    return turn


def _looks_at_hidden_cards(pruning: Pruning, tables: RuleTables, sight: Sight) -> bool:
    """Whether a proof that a position is lost rests on cards that the player cannot see."""
    if isinstance(pruning, ReservePruning):
        return any(None in sight.piles[index] for index in tables.rules.layout.reserves)
    return isinstance(pruning, (FanPruning, GroupPruning, KlondikePruning))


def player_weights(rules: Ruleset) -> Weights | None:
    """The weights of the fast player for a rule set; ``None`` for those of the search."""
    return PLAYERS.get(rules.id)


def derive_seed(seed: str, number: int) -> int:
    """A seed of 62 bits, derived from a text and a number: the same each time."""
    return random.Random(f"{seed}:{number}").getrandbits(62)  # noqa: S311 - guesses guard nothing
