"""``python -m tools.site_games GAME ...``: have the site play games to watch, for ``app/games/site_games.txt``.

Of the deals with consecutive codes from WATCH-00000 on, it plays the gentle ones, until one is won. Its player sees
only what you would see. The same command always plays the same games.
"""

from __future__ import annotations

import argparse
from typing import Final

from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.games.site_games import as_line
from app.rulesets import RULESETS
from app.solver.difficulty import LEAST_GENTLE, difficulty
from app.solver.self_play import play_out
from bench.solver import codes_from

FIRST: Final = "WATCH-00000"


def won_game(rules: Ruleset, tries: int, budget: int) -> str | None:
    """The line of the first gentle deal that is won; ``None`` if none is among so many."""
    for code in codes_from(parse_code(FIRST), tries):
        deck = deck_of_code(code, rules.decks)
        if difficulty(rules, deck, at_least=LEAST_GENTLE).wins < LEAST_GENTLE:
            continue
        played = play_out(deck, rules, code, budget)
        if played.won:
            return as_line(rules, code, played.actions)
    return None


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
