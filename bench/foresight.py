"""``python -m bench.foresight``: how often honest runs and simulated cheats reach a z-score of foresight.

Honest players are the fast player, one with a budget, and the beginner of the hints; none sees a hidden card. A cheat
follows the line of the solver in all, half or a fifth of the turns and plays honestly in the others. All play the same
deals, which the solver can win, as it can every daily deal. ``--keep`` keeps each run, so that it can be continued.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean, pstdev
from time import process_time
from typing import Final, NamedTuple

from app.engine.actions import Action
from app.engine.deal import opening
from app.engine.position import Position, hidden_cards
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, parse_code
from app.engine.transition import apply, is_won
from app.rulesets import find_ruleset
from app.solver.foresight import Foresight, PlayedMove, decisions_of, measure, z_score
from app.solver.hints import rank_actions
from app.solver.sight import see
from app.solver.solve import Budget, solve_from
from app.solver.turn_estimator import TurnEstimator
from bench.json_lines import JsonLines
from bench.solver import codes_from

CHEAP: Final = ("bristol", "signora", "terrace")
THRESHOLDS: Final = (2.0, 2.5, 3.0)
TOGETHER: Final = 5  # runs of one player
SOLVABLE: Final = 60_000  # positions in which a deal, or a cheat's position, must be solved
MOST_TURNS: Final = 300
MOST_ACTIONS: Final = 60  # of the beginner in one turn


class Player(NamedTuple):
    """A simulated player: the share of turns in which it follows the solver, and how it plays the others.

    ``budget`` is in positions for each turn; ``None`` is the beginner.
    """

    share: float
    budget: int | None


PLAYERS: Final = {
    "beginner": Player(0.0, None),
    "fast": Player(0.0, 0),
    "strong": Player(0.0, 8_000),
    "all": Player(1.0, 0),
    "half": Player(0.5, 0),
    "fifth": Player(0.2, 0),
}
HONEST: Final = tuple(name for name, player in PLAYERS.items() if not player.share)


@dataclass(frozen=True, slots=True)
class Run:
    """A simulated run and its score."""

    ruleset: str
    player: str
    code: str
    won: bool
    turns: int
    agreed: int
    expected: float
    variance: float
    seconds: float

    @property
    def z(self) -> float:
        """Its z-score."""
        return z_score(self.agreed - self.expected, self.variance)


def play(
    rules: Ruleset, start: Position, player: Player, seed: str
) -> tuple[list[PlayedMove], bool]:
    """Play a deal until nothing is hidden; the moves, and whether it is won then or can be."""
    rng = random.Random(seed)
    moves: list[PlayedMove] = []
    known: dict[Position, Sequence[Action]] = {}  # the line of the solver from a position
    position = start
    for turn in range(MOST_TURNS):
        if is_won(rules, position) or not hidden_cards(position):
            break
        plan: Sequence[Action] = ()
        if rng.random() < player.share:
            plan = _known_line(rules, position, known)
        plan = plan or _honest_plan(rules, position, player.budget, f"{seed}/{turn}")
        hidden = hidden_cards(position)
        for action in plan:
            moves.append(PlayedMove(position, action, len(moves)))
            position = apply(rules, position, action)
            if hidden_cards(position) < hidden:
                break
        else:
            break
    if hidden_cards(position):
        return moves, is_won(rules, position)
    found = solve_from(rules, position, Budget(positions=SOLVABLE))
    for action in found.actions[:1]:  # so that the last card turned is followed by a move
        moves.append(PlayedMove(position, action, len(moves)))
    return moves, is_won(rules, position) or bool(found.actions)


def _known_line(
    rules: Ruleset, position: Position, known: dict[Position, Sequence[Action]]
) -> Sequence[Action]:
    """The rest of the line that the cheat follows, or a new one if it has left that."""
    if position not in known:
        known.clear()
        line = solve_from(rules, position, Budget(positions=SOLVABLE)).actions
        there = position
        for number, action in enumerate(line):
            known[there] = line[number:]
            there = apply(rules, there, action)
    return known.get(position, ())


def _honest_plan(
    rules: Ruleset, position: Position, budget: int | None, seed: str
) -> Sequence[Action]:
    if budget is not None:
        estimator = TurnEstimator(rules, see(position), seed, every_action=False)
        estimator.run(budget)
        return estimator.plan()
    plan: list[Action] = []
    seen, there = {position}, position
    while hidden_cards(there) == hidden_cards(position) and len(plan) < MOST_ACTIONS:
        ranked = rank_actions(rules, see(there), 1, f"{seed}/{len(plan)}")
        fresh = next((one for one in ranked if apply(rules, there, one) not in seen), None)
        if fresh is None:
            break
        plan.append(fresh)
        there = apply(rules, there, fresh)
        seen.add(there)
    return plan


def score(rules: Ruleset, name: str, code: Code) -> Run:
    """Play a deal as one of ``PLAYERS`` and measure it."""
    moves, won = play(
        rules, opening(rules, deck_of_code(code, rules.decks)), PLAYERS[name], f"{name}/{code}"
    )
    started = process_time()
    found: Foresight = measure(rules, decisions_of(moves), str(code))
    return Run(
        rules.id,
        name,
        str(code),
        won,
        len(found.choices),
        found.agreed,
        round(found.expected, 4),
        round(found.variance, 4),
        round(process_time() - started, 3),
    )


def winnable(rules: Ruleset, first: Code, tries: int) -> Iterator[Code]:
    """Those of the next codes whose deals the solver wins."""
    for code in codes_from(first, tries):
        start = opening(rules, deck_of_code(code, rules.decks))
        if solve_from(rules, start, Budget(positions=SOLVABLE)).actions:
            yield code


def summary(runs: Sequence[Run]) -> str:
    """One line of the table."""
    scores = [run.z for run in runs]
    shares = " | ".join(_percent(scores, least) for least in THRESHOLDS)
    won = [run.z for run in runs if run.won]
    together = [
        z_score(sum(r.agreed - r.expected for r in five), sum(r.variance for r in five))
        for five in (
            runs[at : at + TOGETHER] for at in range(0, len(runs) - TOGETHER + 1, TOGETHER)
        )
    ]
    error = pstdev(scores) / sqrt(len(scores))
    return (
        f"| {len(runs)} | {len(won)} | {fmean(run.turns for run in runs):.1f} "
        f"| {fmean(scores):+.2f} (error {error:.2f}) | {pstdev(scores):.2f} | {shares} "
        f"| {_percent(won, THRESHOLDS[-1])} | {_percent(together, THRESHOLDS[-1])} "
        f"| {fmean(run.seconds for run in runs):.2f} |"
    )


def _percent(scores: Sequence[float], least: float) -> str:
    return f"{100 * sum(z >= least for z in scores) / len(scores):.1f} %" if scores else "-"


HEAD: Final = (
    "| rule set | player | runs | won | turns | mean z | deviation | z of 2 | 2.5 | 3 "
    "| 3, of those won | 3, five runs together | s a run |\n" + "|---" * 13 + "|"
)


def report(runs: Iterable[Run]) -> None:
    """Print the table as Markdown."""
    groups: defaultdict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in runs:
        for ruleset in (run.ruleset, "all"):
            groups[ruleset, run.player].append(run)
            if run.player in HONEST:
                groups[ruleset, "all honest"].append(run)
    print(HEAD)
    for (ruleset, name), found in sorted(groups.items()):
        print(f"| {ruleset} | {name} {summary(found)}")


class Wanted(NamedTuple):
    """How many runs to play: honest ones in all, and of each cheat in each rule set."""

    honest: int
    of_each_cheat: int


def main(words: Iterable[str] | None = None) -> None:
    """Play what is not in the file yet, in turn for all rule sets and players, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rulesets", nargs="+", default=list(CHEAP), metavar="RULESET")
    parser.add_argument("--from", dest="first", default="F0RE0-00000", help="the first code")
    parser.add_argument("--runs", type=int, default=2_000, help="honest runs of all kinds (2000)")
    parser.add_argument(
        "--cheats", type=int, default=200, help="runs of each cheat in each rule set (200)"
    )
    parser.add_argument("--keep", type=Path, help="file that keeps the runs, to continue from")
    parser.add_argument("--report", action="store_true", help="only print the table")
    asked = parser.parse_args(None if words is None else list(words))
    rulesets = [rules for name in asked.rulesets if (rules := find_ruleset(name))]
    if len(rulesets) < len(asked.rulesets):
        parser.error("There is no such rule set.")
    lines = JsonLines(asked.keep)
    runs = [Run(**kept) for kept in lines.read()]
    if not asked.report:
        wanted = Wanted(asked.runs, asked.cheats)
        runs += _play_missing(rulesets, parse_code(asked.first), wanted, runs, lines)
    report(runs)


def _play_missing(
    rulesets: Sequence[Ruleset],
    first: Code,
    wanted: Wanted,
    known: Sequence[Run],
    lines: JsonLines,
) -> list[Run]:
    done = {(run.ruleset, run.player, run.code) for run in known}
    honest = sum(run.player in HONEST for run in known)
    cheats = Counter((run.ruleset, run.player) for run in known if run.player not in HONEST)
    new: list[Run] = []
    deals = {rules: winnable(rules, first, wanted.honest) for rules in rulesets}
    while deals and honest < wanted.honest:
        for rules, codes in list(deals.items()):
            code = next(codes, None)
            if code is None:
                del deals[rules]
                continue
            for name in PLAYERS:
                is_enough = cheats[rules.id, name] >= wanted.of_each_cheat
                if is_enough or (rules.id, name, str(code)) in done:
                    continue
                run = score(rules, name, code)
                new.append(run)
                if name in HONEST:
                    honest += 1
                else:
                    cheats[rules.id, name] += 1
                lines.add(asdict(run))
    return new


if __name__ == "__main__":
    main()
