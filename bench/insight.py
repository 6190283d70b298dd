"""``python -m bench.insight``: how often the player of ``app.solver.insight`` wins, seeing only what a player sees.

It plays deals with consecutive codes by itself. Times are CPU time of this process, so that a busy machine does not
change the result. Methods to compare: ``games`` (the real one: candidates are played on by the fast player), ``fast``
(the fast player alone), ``wide`` (the real one, but its fast player looks at more), ``worlds`` (the candidates of the
real one, judged by solving guessed orders), ``votes`` (the first moves of solved guesses vote) and ``hints`` (the
first hint of each position is followed blindly; the budget is that of one hint, 60,000 for the one that a page waits
for).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Final

from app.engine.actions import Action
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.history import History
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, parse_code
from app.engine.transition import apply, is_won
from app.rulesets import RULESETS
from app.solver import turn
from app.solver.advice import Plan, advise
from app.solver.fast_player import WIDE_LOOK
from app.solver.hints import hints, rank_actions
from app.solver.self_play import PlayedGame, play_out
from app.solver.sight import see
from app.solver.solve import Budget, solve_from
from app.winnability.model import wilson
from bench.json_lines import JsonLines
from bench.solver import codes_from, rulesets_of

WORLDS: Final = 12  # guessed orders that vote
EACH: Final = 3_000  # positions to solve one
MOST_ACTIONS: Final = 600


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one game."""

    ruleset: str
    code: str
    method: str
    budget: int
    seed: str
    won: bool
    seconds: float
    positions: int
    chances: list[float]


def vote(deck: Sequence[Card], rules: Ruleset, seed: str, budget: int) -> PlayedGame:
    """Play by votes: the first moves of solved guesses; ``budget`` is shared by the guesses of a move."""
    position = opening(rules, deck)
    visited = {position}
    actions: list[Action] = []
    positions = 0
    worlds = max(1, budget // EACH)
    while not is_won(rules, position) and len(actions) < MOST_ACTIONS:
        sight = see(position)
        votes: Counter[Action] = Counter()
        for number in range(worlds if sight.hidden() else 1):
            each = EACH if sight.hidden() else budget
            world = sight.world(rules, number, f"{seed}/{len(actions)}")
            found = solve_from(rules, world, Budget(positions=each))
            positions += found.positions
            if found.actions:
                votes[found.actions[0]] += 1
        fresh = [a for a, _ in votes.most_common() if apply(rules, position, a) not in visited]
        if not fresh:  # no guess was solved
            ranked = rank_actions(rules, sight, 1, f"{seed}/{len(actions)}")
            fresh = [a for a in ranked if apply(rules, position, a) not in visited]
        if not fresh:
            break
        position = apply(rules, position, fresh[0])
        visited.add(position)
        actions.append(fresh[0])
    return PlayedGame(tuple(actions), is_won(rules, position), positions, ())


def follow_hints(deck: Sequence[Card], rules: Ruleset, _seed: str, budget: int) -> PlayedGame:
    """Play the first hint of each position, as the page gives it, and stop where there is none."""
    history = History.start(rules, deck)
    plan: Plan | None = None
    while not is_won(rules, history.position) and history.depth < MOST_ACTIONS:
        sight = see(history.position, history.positions() if rules.stock.redeals != 0 else ())
        new = history.unvisited_actions()
        advice = advise(rules, sight, new, budget, plan=plan)
        if advice:
            hinted = [one.action for one in advice.choices]
        else:
            hinted = [one.action for one in hints(rules, sight) if one.action in new]
        if not hinted:
            break
        plan = advice.plan_of(hinted[0]) if advice else None
        plan = plan.after(hinted[:1]) if plan else None
        history = history.apply(hinted[0])
    won = is_won(rules, history.position)
    return PlayedGame(tuple(history.actions()), won, budget * history.depth, ())


METHODS: dict[str, Callable[[Sequence[Card], Ruleset, str, int], PlayedGame]] = {
    "games": play_out,
    "wide": lambda deck, rules, seed, budget: play_out(deck, rules, seed, budget, look=WIDE_LOOK),
    "fast": lambda deck, rules, seed, _: play_out(deck, rules, seed, 0),
    "worlds": lambda deck, rules, seed, budget: play_out(deck, rules, seed, budget, solving=EACH),
    "votes": vote,
    "hints": follow_hints,
}


class Notes:
    """Games played, kept in a file, so that a long benchmark can be continued."""

    def __init__(self, file: Path | None) -> None:
        """Read the file."""
        self._lines = JsonLines(file)
        self._games: dict[tuple[str, str, str, int, str], Played] = {}
        for kept in self._lines.read():
            game = Played(**kept)
            self._games[game.ruleset, game.code, game.method, game.budget, game.seed] = game

    def play(self, rules: Ruleset, code: Code, method: str, budget: int, seed: str) -> Played:
        """Play a deal, unless the file has its result."""
        game = self._games.get((rules.id, code, method, budget, seed))
        if game is None:
            started = process_time()
            played = METHODS[method](deck_of_code(code, rules.decks), rules, seed, budget)
            took = round(process_time() - started, 3)
            chances = [round(chance, 4) for chance in played.chances]
            game = Played(
                rules.id, code, method, budget, seed, played.won, took, played.positions, chances
            )
            self._lines.add(asdict(game))
        return game


def line(games: Sequence[Played]) -> str:
    """Summarize the games of one rule set."""
    won = sum(game.won for game in games)
    low, high = wilson(won, len(games))
    times = [game.seconds for game in games]
    return (
        f"| {games[0].ruleset:<31} | {games[0].method:<6} | {games[0].budget:>7} | {len(games):>5} "
        f"| {won:>4} | {100 * won / len(games):>5.1f} % | {100 * low:>4.1f} to {100 * high:>5.1f} % "
        f"| {sum(times) / len(times):>6.2f} | {max(times):>6.2f} |"
    )


HEAD: Final = (
    f"| {'rule set':<31} | method |  budget | deals |  won |   share | 95 % interval   | s/game | slowest |\n"
    + "|---" * 9
    + "|"
)


def main(words: Iterable[str] | None = None) -> None:
    """Print the table as Markdown, for docs/insight.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="(all)")
    parser.add_argument("--from", dest="first", default="00000-00000", help="the first code")
    parser.add_argument("--deals", type=int, default=40, help="number of deals (40)")
    parser.add_argument(
        "--budget", type=int, nargs="+", default=[20_000], help="positions for each turn (20000)"
    )
    parser.add_argument("--method", choices=METHODS, nargs="+", default=["games"])
    parser.add_argument("--seed", default="insight", help="the seed of the guesses")
    parser.add_argument("--keep", type=Path, help="file that keeps games played, to continue from")
    asked = parser.parse_args(None if words is None else list(words))
    rulesets = rulesets_of(parser, asked.rulesets) or list(RULESETS)
    if (turn.__file__ or "").endswith(".py"):
        print("The solver is not compiled, so this will take far longer.", file=sys.stderr)
    codes = list(codes_from(parse_code(asked.first), asked.deals))
    notes = Notes(asked.keep)
    print(f"One core, codes {codes[0]} to {codes[-1]}\n\n{HEAD}")
    for rules in rulesets:
        for method in asked.method:
            for budget in asked.budget:
                print(
                    line([notes.play(rules, code, method, budget, asked.seed) for code in codes]),
                    flush=True,
                )


if __name__ == "__main__":
    main()
