"""Bytes transferred: a first visit to a table, and the responses to clicks."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import httpx
from playwright.sync_api import Request

from app.rulesets import RULESETS
from bench import servers
from bench.browser import chromium
from bench.report import Figure, at_most

_KB = 1024
_WALK = 120


def run() -> Iterator[Figure]:
    """Measure every rule set; the limits apply to the heaviest."""
    with tempfile.TemporaryDirectory() as folder, servers.site(Path(folder)) as port:
        base = f"http://127.0.0.1:{port}"
        visits = {rules.id: _first_visit(base, rules.id) for rules in RULESETS}
        heaviest = max(visits, key=lambda name: sum(visits[name].values()))
        parts = sorted(visits[heaviest].items(), key=lambda part: -part[1])[:4]
        told = ", ".join(f"{name} {size / _KB:.1f}" for name, size in parts)
        total = sum(visits[heaviest].values()) / _KB
        yield at_most("first visit to a table", total, 120, f"{heaviest}: {told} ...", " KB")
        sizes = {rules.id: _clicks(base, rules.id) for rules in RULESETS}
        heaviest = max(sizes, key=lambda name: max(sizes[name]))
        told = (
            f"{heaviest}: median {median(sizes[heaviest]) / _KB:.1f} KB of {len(sizes[heaviest])}"
        )
        yield at_most("answer to a move", max(sizes[heaviest]) / _KB, 6, told, " KB")


def _first_visit(base: str, ruleset: str) -> dict[str, int]:
    """Bytes per file, with headers, that a browser with an empty cache receives."""
    sizes: dict[str, int] = {}

    def finished(request: Request) -> None:
        if "/stream" in request.url:
            return
        measured = request.sizes()
        name = request.url.rsplit("/", 1)[-1]
        received = measured["responseBodySize"] + measured["responseHeadersSize"]
        sizes[name] = sizes.get(name, 0) + received

    with chromium() as browser, httpx.Client(base_url=base) as client:
        game = client.post("/api/v1/games", json={"ruleset": ruleset}).raise_for_status().json()
        page = browser.new_page()
        page.on("requestfinished", finished)
        page.goto(f"{base}/games/{game['id']}")
        page.wait_for_timeout(700)
    return sizes


def _clicks(base: str, ruleset: str) -> list[int]:
    """Uncompressed bytes of the responses to random moves."""
    chance = random.Random(ruleset)
    sizes = []
    with httpx.Client(base_url=base, headers={"HX-Request": "true"}) as client:
        state = client.post("/api/v1/games", json={"ruleset": ruleset}).raise_for_status().json()
        path = f"/games/{state['id']}"
        for _ in range(_WALK):
            if not state["legal_moves"]:
                break
            moves = [move for move in state["legal_moves"] if move != "deal"]
            move = chance.choice(moves or state["legal_moves"])
            form = {"version": state["version"], "move": move}
            answer = client.post(f"{path}/move", data=form).raise_for_status()
            sizes.append(len(answer.content))
            state = client.get(f"/api/v1/games/{state['id']}").json()
    return sizes
