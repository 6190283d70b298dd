"""How long a hint takes at any time in any game: the first answer, which a player waits for, and the refined one."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import httpx

from app.rulesets import RULESETS
from bench import servers
from bench.report import Figure, at_most, percentile

_DEALS = 2  # of each game
_PLAYED = (0, 12, 12, 24)  # moves from one hint to the next
_WARM_UP = 3  # hints before: the worker starts with the first one
_FIRST_MS = 300
_REFINED_MS = 3_300  # and eight seconds at the very most, on a busy machine


class _Asked(NamedTuple):
    """An answer: its milliseconds, whether it can be refined, and whether no worker had come to it."""

    time: float
    is_rough: bool
    is_by_looks: bool


def run() -> Iterator[Figure]:
    """Ask for hints in deals of every game, one after another."""
    first: dict[str, list[float]] = {}
    refined: list[float] = []
    rough = by_looks = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        servers.site(Path(folder)) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v1", timeout=30) as client,
    ):
        for number in range(_WARM_UP):
            list(_times(client, RULESETS[0].id, random.Random(number)))
        for rules in RULESETS:
            for number in range(_DEALS):
                for early, late in _times(client, rules.id, random.Random(number)):
                    first.setdefault(rules.id, []).append(early.time)
                    refined.append(late.time)
                    rough += early.is_rough
                    by_looks += early.is_by_looks
    times = sorted(time for some in first.values() for time in some)
    slowest = sorted(first, key=lambda name: -max(first[name]))[:3]
    detail = (
        f"median {median(times):.0f} ms, largest {times[-1]:.0f} ms, {len(times)} hints in {len(first)} games; "
        f"{rough} were refined, {by_looks} of them went by looks; slowest in {', '.join(slowest)}"
    )
    yield at_most("first answer of a hint, p99", percentile(times, 99), _FIRST_MS, detail, " ms")
    told = f"median {median(refined):.0f} ms"
    yield at_most("refined hint, p99", percentile(sorted(refined), 99), _REFINED_MS, told, " ms")


def _times(
    client: httpx.Client, ruleset: str, chance: random.Random
) -> Iterator[tuple[_Asked, _Asked]]:
    """The first and the refined answers in one game."""
    answer = client.post("/games", json={"ruleset": ruleset})
    state: dict[str, Any] = answer.raise_for_status().json()
    path = f"/games/{state['id']}"
    for moves in _PLAYED:
        for _ in range(moves):
            if state["legal_moves"] and state["status"] == "playing":
                move = {"version": state["version"], "move": chance.choice(state["legal_moves"])}
                state = client.post(f"{path}/moves", json=move).raise_for_status().json()
        if not state["legal_moves"] or state["status"] != "playing":
            return
        yield _ask(client, path, {}), _ask(client, path, {"refine": "true"})


def _ask(client: httpx.Client, path: str, parameters: dict[str, str]) -> _Asked:
    begun = perf_counter()
    answer = client.get(f"{path}/hint", params=parameters).raise_for_status()
    time, told = 1000 * (perf_counter() - begun), answer.json()
    return _Asked(time, bool(told["rough"]), bool(told["rough"] and told["chance"] is None))
