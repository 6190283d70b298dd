"""The stock for whoever runs the site: look at it, and fill it without a server."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from typing import Final, TextIO

from app.clock import now_ms
from app.db.engine import Database
from app.deals.repository import Kind
from app.deals.service import DealStock
from app.engine.ruleset import Ruleset
from app.errors import MalformedError
from app.games.model import get_ruleset
from app.jobs.service import Jobs
from app.rulesets import RULESETS
from app.settings import Settings

_WIDTH: Final = 30
_MOST_MISSES: Final = 20


def run(asked: argparse.Namespace, settings: Settings, out: TextIO, aside: TextIO) -> int:
    """Do what was asked for; the answer goes to ``out``, progress to ``aside``."""
    games = RULESETS if asked.ruleset is None else (get_ruleset(asked.ruleset),)
    target = settings.pool_size if asked.count is None else asked.count
    if target < 0:
        raise MalformedError("A stock holds no fewer than 0 deals.")
    if asked.work == "fill":
        bar = Bar(aside, 2 * len(games) * target)
        complete = asyncio.run(_fill(settings, games, target, bar))
        bar.close()
        out.write(asyncio.run(_status(settings, games)))
        return 0 if complete else 1
    out.write(asyncio.run(_status(settings, games)))
    return 0


class Bar:
    """Draws how full the stock is, on terminals only."""

    def __init__(self, stream: TextIO, target: int) -> None:
        self._stream = stream
        self._target = target

    def draw(self, have: int, doing: str) -> None:
        """Draw anew over the last drawing."""
        if self._stream.isatty() and self._target:
            full = round(min(1.0, have / self._target) * _WIDTH)
            bar = "#" * full + "." * (_WIDTH - full)
            self._stream.write(f"\r[{bar}] {have} of {self._target} deals, {doing:<48.48}")
            self._stream.flush()

    def close(self) -> None:
        """End the line."""
        if self._stream.isatty():
            self._stream.write("\n")


async def _fill(settings: Settings, games: Sequence[Ruleset], target: int, bar: Bar) -> bool:
    """Prove deals until each game has enough of each kind; false when some game gives too few."""
    database, jobs = Database(settings.database_url), Jobs(1)
    # Somebody asked for it: it is done even where the server proves nothing by itself.
    pool = DealStock(database, jobs, now_ms, settings.proof_seconds or _usual_seconds())
    complete = True
    try:
        wants = [(kind, rules) for rules in games for kind in Kind]
        have = {want: await pool.count(*want) for want in wants}
        for kind, rules in wants:
            misses = 0
            while have[kind, rules] < target and misses < _MOST_MISSES:
                full = sum(min(count, target) for count in have.values())
                bar.draw(full, f"proving {rules.title}")
                if await pool.prove(kind, rules, owner="fill"):
                    have[kind, rules] = await pool.count(kind, rules)
                else:
                    misses += 1
            complete = complete and have[kind, rules] >= target
        bar.draw(sum(min(count, target) for count in have.values()), "done")
    finally:
        await pool.close()
        await jobs.close()
        await database.close()
    return complete


async def _status(settings: Settings, games: Sequence[Ruleset]) -> str:
    database = Database(settings.database_url)
    pool = DealStock(database, Jobs(1), now_ms, 0)
    try:
        lines = [f"{'game':<34}{'open':>8}{'sealed':>8}"]
        for rules in games:
            have = [await pool.count(kind, rules) for kind in Kind]
            lines.append(f"{rules.id:<34}{have[0]:>8}{have[1]:>8}")
    finally:
        await database.close()
    return "\n".join(lines) + "\n"


def _usual_seconds() -> float:
    usual: float = Settings.model_fields["proof_seconds"].default
    return usual
