"""``python -m bench.winnability``: which deals can be won at all, as a record that anyone can continue and check.

``run`` tries deals and appends a line for each; run it again to continue after an interruption, or with
more seconds to try undecided deals again. Machines share the work by numbers of deals, and ``merge``
joins their files. ``check`` decides deals of a record again, and ``table`` summarizes it.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time

import app.solver
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code
from app.rulesets import RULESETS, find_ruleset
from app.solver import search
from app.solver.build_check import MODULES
from app.solver.solve import HEAD_START, Budget, SearchOutcome, solve
from app.winnability.model import Tally, tally
from app.winnability.record import (
    HEADER,
    MOST_DEALS,
    Trial,
    TrialError,
    code_of,
    merge,
    read_trials,
    write_trials,
)

MOST = 60_000_000  # positions: a limit of memory, not of time
# Modules of the solver on which the course of a search depends: the compiled ones but for the player who does not see
# every card, and six more. Their order is part of the hash.
SOURCES = (
    *(module for module in MODULES if module not in {"hidden_cards", "turn"}),
    *("carrying", "rule_tables", "search_weights", "pruning_choice", "portfolio", "solve"),
)


def solver_revision() -> str:
    """The hash of ``SOURCES``."""
    text = hashlib.sha256()
    folder = Path(app.solver.__file__).parent
    for module in SOURCES:
        text.update((folder / f"{module}.py").read_bytes())
    return text.hexdigest()[:12]


def try_deal(rules: Ruleset, number: int, seconds: float, solver: str) -> Trial:
    """Solve a deal within seconds of processor time, so that a busy machine decides as many as a quiet one."""
    code = code_of(number)
    started = process_time()
    result = solve(
        rules,
        deck_of_code(code, rules.decks),
        Budget(positions=MOST),
        cancelled=lambda: process_time() - started > seconds,
    )
    took = round(process_time() - started, 3)
    return Trial(
        rules.id,
        rules.revision,
        code,
        result.outcome,
        result.positions,
        took,
        seconds,
        solver,
    )


def run(args: argparse.Namespace) -> int:
    """Try deals: the first of each game, then the second, and so on, so that all games are equally far."""
    done = _continue(args.out)
    solver = solver_revision()
    first, last = args.deals
    with args.out.open("a", encoding="ascii", newline="") as lines:
        for number in range(first, last + 1):
            for rules in args.rulesets:
                known = done.get((rules.id, rules.revision, code_of(number)))
                if known and (
                    known.verdict is not SearchOutcome.UNDECIDED or known.limit >= args.seconds
                ):
                    continue
                lines.write(try_deal(rules, number, args.seconds, solver).line)
                lines.flush()
    return 0


def _continue(file: Path) -> dict[tuple[str, int, str], Trial]:
    """What a file has; a last line that was cut off by an interruption is removed."""
    if not file.exists() or b"\n" not in (content := file.read_bytes()):
        file.write_text(HEADER, encoding="ascii")
        return {}
    file.write_bytes(content[: content.rindex(b"\n") + 1])
    return {trial.deal: trial for trial in merge(read_trials(file))}


def join(args: argparse.Namespace) -> int:
    """Merge records into one."""
    trials = merge(trial for file in args.files for trial in read_trials(file))
    write_trials(args.out, trials)
    print(f"{args.out}: {len(trials)} deals, {args.out.stat().st_size:,} bytes")
    return 0


def check(args: argparse.Namespace) -> int:
    """Decide deals again; return 1 unless every verdict is the same.

    A solution is replayed by the rules engine, and an unwinnable deal is searched a second time with positions compared
    whole, as ``solve`` always does. All unwinnable deals are checked, and a random sample of the others.
    """
    trials = merge(trial for file in args.files for trial in read_trials(file))
    rest = [trial for trial in trials if trial.verdict is SearchOutcome.WON]
    chosen = [trial for trial in trials if trial.verdict is SearchOutcome.UNWINNABLE]
    chosen += random.Random(args.seed).sample(rest, min(args.sample, len(rest)))
    solver = solver_revision()
    results: Counter[str] = Counter()
    for trial in chosen:
        said = compare(trial, solver)
        results[said] += 1
        if said != "same":
            print(f"{trial.ruleset} {trial.code}, {trial.verdict}: {said}")
    print(
        ", ".join(f"{count} {said}" for said, count in sorted(results.items()))
        or "nothing to check"
    )
    return 0 if set(results) <= {"same"} else 1


def compare(trial: Trial, solver: str) -> str:
    """Decide a deal again: ``same``, or what is different."""
    rules = find_ruleset(trial.ruleset)
    if rules is None or rules.revision != trial.revision:
        return "other rules"
    # The last time slice may end a little later; another solver may need more positions, too.
    most = trial.positions + HEAD_START if trial.solver == solver else MOST
    found = solve(rules, deck_of_code(trial.code, rules.decks), Budget(positions=most))
    if found.outcome is trial.verdict:
        return "same"
    return "undecided" if found.outcome is SearchOutcome.UNDECIDED else "contradiction"


def table(args: argparse.Namespace) -> int:
    """Print the summary as Markdown."""
    print("| rule set | deals | won | unwinnable | undecided | seconds | winnable (95 %) |")
    print("|---" * 7 + "|")
    for game in tally(merge(trial for file in args.files for trial in read_trials(file))):
        low, high = game.bounds
        print(
            f"| {game.ruleset} | {game.deals:,} | {game.won:,} | {game.unwinnable:,} | {game.undecided:,} "
            f"| {_limits(game)} | {100 * low:.2f} to {100 * high:.2f} % |"
        )
    return 0


def _limits(game: Tally) -> str:
    """The limit of most deals, and the largest if that is another."""
    usual, most = f"{game.usual_seconds:g}", f"{game.seconds:g}"
    return usual if usual == most else f"{usual}, few {most}"


def _ruleset(name: str) -> Ruleset:
    rules = find_ruleset(name)
    if rules is None:
        raise argparse.ArgumentTypeError(f"there is no rule set {name!r}")
    return rules


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    numbers = int(first), int(last or first)
    if not 0 <= numbers[0] <= numbers[1] < MOST_DEALS:
        raise argparse.ArgumentTypeError(f"{text!r} isn't a range of deals, such as 0-9999")
    return numbers


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and run a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)

    def command(name: str, work: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=(work.__doc__ or "").splitlines()[0])
        added.set_defaults(work=work)
        return added

    trying = command("run", run)
    trying.add_argument("--rulesets", nargs="+", type=_ruleset, default=RULESETS, metavar="RULESET")
    trying.add_argument(
        "--deals", type=_range, default=(0, 9999), metavar="FROM-TO", help="(0-9999)"
    )
    trying.add_argument(
        "--seconds", type=float, default=60, help="processor time for each deal (60)"
    )
    trying.add_argument("--out", type=Path, required=True, metavar="FILE")
    joining = command("merge", join)
    joining.add_argument("--out", type=Path, required=True, metavar="FILE")
    checking = command("check", check)
    checking.add_argument("--sample", type=int, default=100, help="won deals to check (100)")
    checking.add_argument("--seed", default="check", help="chooses the sample")
    for added in (joining, checking, command("table", table)):
        added.add_argument("files", nargs="+", type=Path, metavar="FILE")
    args = parser.parse_args(arguments)
    if (search.__file__ or "").endswith(".py"):
        print("The solver is not compiled, so it will decide far fewer deals.", file=sys.stderr)
    try:
        return int(args.work(args))
    except TrialError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
