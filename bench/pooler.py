"""Moves through pgbouncer in transaction mode, with prepared statements and without, against a direct connection."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Final

from bench import servers
from bench.delivery import cpu_seconds
from bench.load import run as load_run
from bench.moves import site_queues
from bench.report import Figure, at_least
from bench.servers import Started
from bench.tables import postgres
from tests.support.nats import find_binary, running_nats
from tests.support.pooler import keeps_prepared_statements, running_pooler
from tests.support.postgres import NoServerError

_ROUNDS: Final = 5  # the first is a warm-up
_CONNECTIONS: Final = 8
_PREPARED: Final = 200


def run() -> Iterator[Figure]:
    """Alternate between three processes on one database; notices go through NATS."""
    if not keeps_prepared_statements() or find_binary() is None:
        print("     (not measured: it needs pgbouncer 1.22 or newer, and a NATS server)")
        return
    try:
        with ExitStack() as stack:
            sites = _sites(stack)
            rounds = [
                [_measured(site, f"{number} {place}") for place, site in enumerate(sites)]
                for number in range(_ROUNDS)
            ][1:]
    except NoServerError as reason:
        print(f"     (not measured: {reason})")
        return
    names = ("directly", "not prepared", "prepared")
    told = ", ".join(
        f"{name} {median(r[place][0] for r in rounds):.0f}/s and "
        f"{median(r[place][1] for r in rounds):.0f} us of the site's CPU a move"
        for place, name in enumerate(names)
    )
    ratio = median(prepared[0] / plain[0] for _, plain, prepared in rounds)
    yield at_least("moves through pgbouncer, prepared / not prepared", ratio, 1, told)


def _sites(stack: ExitStack) -> list[Started]:
    """One process on the database itself, and two through the pooler."""
    url = postgres(stack)
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    notices = stack.enter_context(running_nats())
    through = stack.enter_context(
        running_pooler(folder, url, connections=_CONNECTIONS, prepared=_PREPARED)
    )
    settings = {"FAIRDEAL_PUBSUB_URL": notices.url}
    return [
        stack.enter_context(servers.started_site(folder, None, DATABASE_URL=address, **settings))
        for address in (url, f"{through}?prepared_statements=off", through)
    ]


def _measured(site: Started, seed: str) -> tuple[float, float]:
    """Moves a second, and microseconds of the site's processor time for each."""
    queues = site_queues(site.port, seed, as_json=False)
    before = cpu_seconds(site.pid)
    load = load_run(site.port, queues)
    if load.failures:
        message = f"{len(load.failures)} moves failed, such as {load.failures[0]}"
        raise RuntimeError(message)
    used = cpu_seconds(site.pid) - before
    return load.per_second, 1e6 * used / len(load.answers_ms)
