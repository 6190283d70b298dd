"""``fairdeal pool``: the stock of deals that are proven winnable."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from app.cli import ProgressBar
from app.cli.database import add_database_option, run_with_current_schema, settings_of
from app.clock import now_ms
from app.db.engine import Database
from app.deals.model import DealKind
from app.deals.service import DealStock
from app.engine.ruleset import Ruleset
from app.errors import MalformedError
from app.games.lookup import get_ruleset
from app.jobs.service import Jobs
from app.rulesets import RULESETS
from app.settings import Settings

_MAX_MISSES: Final = 20


def add_pool(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    status = actions.add_parser("status", help="count the deals in stock for each game")
    fill = actions.add_parser("fill", help="prove deals until there are enough")
    fill.add_argument("ruleset", nargs="?", metavar="RULESET", help="one game only")
    fill.add_argument(
        "--count", type=int, metavar="N", help="number of deals of each kind to have in stock"
    )
    status.set_defaults(run=_status)
    fill.set_defaults(run=_fill)
    for action in (status, fill):
        add_database_option(action)


def _status(args: argparse.Namespace) -> int:
    print(run_with_current_schema(settings_of(args), partial(_count_deals, rulesets=RULESETS)))
    return 0


def _fill(args: argparse.Namespace) -> int:
    settings = settings_of(args)
    rulesets = RULESETS if args.ruleset is None else (get_ruleset(args.ruleset),)
    target = settings.pool_size if args.count is None else args.count
    if target < 0:
        raise MalformedError("The count can't be less than 0.")
    bar = ProgressBar(sys.stderr)
    is_full = run_with_current_schema(
        settings, lambda database: _prove_deals(database, settings, rulesets, target, bar)
    )
    bar.close()
    print(run_with_current_schema(settings, partial(_count_deals, rulesets=rulesets)))
    return 0 if is_full else 1


def draw_stock(bar: ProgressBar, have: int, target: int, doing: str) -> None:
    """Draw how full the stock is."""
    if target:
        bar.draw(have / target, f"{have} of {target} deals, {doing:<48.48}")


async def _prove_deals(
    database: Database,
    settings: Settings,
    rulesets: Sequence[Ruleset],
    target: int,
    bar: ProgressBar,
) -> bool:
    """Prove deals until each game has enough of each kind; False when there are too few for some game."""
    jobs = Jobs(1)
    # The command proves deals even where the settings tell the server not to.
    seconds = settings.proof_seconds or float(Settings.model_fields["proof_seconds"].default)
    deals = DealStock(database, jobs, now_ms, seconds)
    is_full = True
    try:
        wanted = [(kind, rules) for rules in rulesets for kind in DealKind]
        wanted_deals = target * len(wanted)
        have = {want: await deals.count(*want) for want in wanted}
        for kind, rules in wanted:
            misses = 0
            while have[kind, rules] < target and misses < _MAX_MISSES:
                draw_stock(
                    bar,
                    _count_useful(have.values(), target),
                    wanted_deals,
                    f"proving {rules.title}",
                )
                if await deals.prove(kind, rules, owner="fill"):
                    have[kind, rules] = await deals.count(kind, rules)
                else:
                    misses += 1
            is_full = is_full and have[kind, rules] >= target
        draw_stock(bar, _count_useful(have.values(), target), wanted_deals, "done")
    finally:
        await deals.close()
        await jobs.close()
    return is_full


def _count_useful(counts: Iterable[int], target: int) -> int:
    return sum(min(count, target) for count in counts)


async def _count_deals(database: Database, rulesets: Sequence[Ruleset]) -> str:
    """A table of the deals in stock."""
    deals = DealStock(database, Jobs(1), now_ms, 0)
    lines = [f"{'game':<34}{'open':>8}{'sealed':>8}"]
    for rules in rulesets:
        counts = [await deals.count(kind, rules) for kind in DealKind]
        lines.append(f"{rules.id:<34}{counts[0]:>8}{counts[1]:>8}")
    return "\n".join(lines)
