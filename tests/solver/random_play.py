"""Games by chance that come far enough to show what a heuristic counts."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from app.engine.deal import opening
from app.engine.rules import legal_actions
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.engine.position import Position
    from app.engine.ruleset import Ruleset


def games_towards_home(rules: Ruleset, games: int, actions: int) -> Iterator[Position]:
    """The positions of games of so many actions, which prefer moves home, and often deal."""
    for seed in range(games):
        rng = random.Random(seed)
        position = opening(rules, deck_of_seed(seed.to_bytes(32), rules.decks))
        for _ in range(actions):
            legal = legal_actions(rules, position)
            if not legal:
                break
            home = [action for action in legal if "-f" in str(action)]
            position = apply(rules, position, rng.choice(home or legal))
            yield position
