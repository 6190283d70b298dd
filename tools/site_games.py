"""``python -m tools.site_games GAME ...``: have the site play games to watch, for ``app/games/site_games.txt``.

Of the deals with consecutive codes from WATCH-00000 on, it plays the gentle ones, and takes the best win. Its player
sees only what you would see. The same command always plays the same games.

Those that are shown first were looked for among more codes: ``klondike --tries 2000``, ``freecell --tries 300``,
``spider-one-suit --tries 100``. Bristol has the best of ``--tries 20``.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final

from app.engine.actions import Action, Move
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import apply, is_won
from app.games.site_games import as_line
from app.rulesets import RULESETS
from app.solver.auto_finish import safe_moves
from app.solver.difficulty import LEAST_GENTLE, difficulty
from app.solver.self_play import play_out
from bench.solver import codes_from

FIRST: Final = "WATCH-00000"


def won_game(rules: Ruleset, tries: int, budget: int) -> str | None:
    """The line of the best game of the gentle deals among so many; ``None`` if none of them is won.

    The best one never leaves a card that could safely go home, then takes the fewest moves: that is good to look at.
    """
    won = []
    for code in codes_from(parse_code(FIRST), tries):
        deck = deck_of_code(code, rules.decks)
        if difficulty(rules, deck, at_least=LEAST_GENTLE).wins < LEAST_GENTLE:
            continue
        played = play_out(deck, rules, code, budget)
        if played.won:
            actions = home_first(rules, deck, played.actions)
            won.append((left_lying(rules, deck, actions), len(actions), code, actions))
    if not won:
        return None
    *_, code, actions = min(won, key=itemgetter(0, 1))
    return as_line(rules, code, actions)


def home_first(rules: Ruleset, deck: Sequence[Card], actions: Sequence[Action]) -> Sequence[Action]:
    """The same win, with each safe card taken home as soon as it can be, and its later moves left out.

    Whether a card is safe depends only on what lies open. With several decks, cards are not told apart: the win stays
    as it is, as it does where this one leads to no win.
    """
    if rules.decks > 1:
        return actions
    was = now = opening(rules, deck)
    better: list[Action] = []
    gone: set[Card] = set()
    for action in (*actions, None):
        while safe := safe_moves(rules, now):
            gone.add(now.piles[rules.layout.index[safe[0].source]].cards[-1])
            better.append(safe[0])
            now = apply(rules, now, safe[0])
        if action is None:
            break
        here = _without(rules, was, action, gone)
        was = apply(rules, was, action)
        if here is None:
            continue
        same = next(
            (legal for legal in legal_actions(rules, now) if _is_same(rules, legal, here)), None
        )
        if same is None:
            return actions
        better.append(same)
        now = apply(rules, now, same)
    return better if is_won(rules, now) else actions


def left_lying(rules: Ruleset, deck: Sequence[Card], actions: Sequence[Action]) -> int:
    """How often something else was done while a safe card could go home."""
    position, often = opening(rules, deck), 0
    for action in actions:
        safe = safe_moves(rules, position)
        often += bool(safe) and action not in safe
        position = apply(rules, position, action)
    return often


def _without(
    rules: Ruleset, position: Position, action: Action, gone: Collection[Card]
) -> Action | None:
    if not isinstance(action, Move):
        return action
    moved = position.piles[rules.layout.index[action.source]].cards[-action.count :]
    left = sum(card not in gone for card in moved)
    return replace(action, count=left) if left else None


def _is_same(rules: Ruleset, one: Action, other: Action) -> bool:
    """Whether two actions differ at most in the foundation that they lead to."""
    if not (isinstance(one, Move) and isinstance(other, Move)):
        return one == other
    index, homes = rules.layout.index, rules.layout.foundations
    if index[one.target] in homes and index[other.target] in homes:
        return replace(one, target=other.target) == other
    return one == other


def main() -> None:
    """Play, and print the lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[rules.id for rules in RULESETS])
    parser.add_argument("--tries", type=int, default=400, help="codes to try (400)")
    parser.add_argument("--budget", type=int, default=4_000, help="positions for a turn (4000)")
    asked = parser.parse_args()
    for rules in RULESETS:
        if rules.id in asked.games and (line := won_game(rules, asked.tries, asked.budget)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
