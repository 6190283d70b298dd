"""Requests on the longest possible game, compared with a game of 100 actions; and how long others wait meanwhile."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Final

import httpx

from app.engine.actions import parse_action
from app.engine.deal import opening
from app.engine.history import History
from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, new_code
from app.engine.transition import apply
from app.games.game_actions import MAX_ACTIONS
from app.rulesets import find_ruleset
from bench import servers
from bench.report import Figure, at_most

_RULESET: Final = "rouge-et-noir"
_SHORT: Final = 100
_LEFT: Final = 200  # actions that the long game may still have, for the requests to measure
_LONGEST_LEAD: Final = 50
_LONGEST_MOVE: Final = 5  # characters
_TRIED: Final = (
    100  # moves, of which at least `_DIFFERENT` must differ, or the table has too little room
)
_DIFFERENT: Final = 10
_FARTHEST: Final = 10  # moves away from a position before they are taken back
_ROUNDS: Final = 20
_COLD_GAMES: Final = 8
_CLIENTS: Final = 4
_MOST: Final = 5.0
_LONGEST_WAIT: Final = 3.0


@dataclass
class LongGame:
    """A game of one player that wanders and comes back, and a finished one of the same length."""

    client: httpx.Client
    id: str
    ended_id: str
    record: str
    version: int
    pair: tuple[str, str]
    ended: list[str] = field(default_factory=list)

    def get(self, path: str) -> httpx.Response:
        return self.client.get(path).raise_for_status()

    def move(self, *, late: int = 0, key: str | None = None) -> httpx.Response:
        """Play the next of the two moves, as a player who saw an older version if ``late``."""
        body = {"version": self.version - late, "move": self.pair[self.version % 2]}
        headers = {"Idempotency-Key": key} if key else {}
        path = f"/api/v1/games/{self.id}/moves"
        answer = self.client.post(path, json=body, headers=headers).raise_for_status()
        self.version += 1
        return answer

    def retry(self, version: int, key: str) -> httpx.Response:
        body = {"version": version, "move": self.pair[version % 2]}
        path = f"/api/v1/games/{self.id}/moves"
        headers = {"Idempotency-Key": key}
        return self.client.post(path, json=body, headers=headers).raise_for_status()


def run() -> Iterator[Figure]:
    """Measure the CPU time of the server for each kind of request, in turns, then how long others wait."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with servers.started_site(folder) as server:
            short, long = (
                play_game(server.port, _SHORT),
                play_game(server.port, MAX_ACTIONS - _LEFT),
            )
            yield from _warm(server.pid, short, long)
            yield _waiting(server.port, short, long)
            cold = [
                [play_game(server.port, length) for _ in range(_COLD_GAMES)]
                for length in (_SHORT, MAX_ACTIONS - _LEFT)
            ]
        yield from _cold(folder, *cold)


# --- games


def play_game(port: int, actions: int) -> LongGame:
    """A game imported as a record, without the last of its even number of actions, and one that was resigned."""
    code, lead, pair = _back_and_forth()
    while len(set(_excursions(code, lead, _TRIED))) < _DIFFERENT:
        code, lead, pair = _back_and_forth()
    # The end goes back and forth, so that a player who saw an older version may still move.
    far = max(actions + len(lead) % 2 - len(lead) - _SHORT, 0)
    moves = (lead + _excursions(code, lead, far) + [*pair] * _SHORT)[: actions + len(lead) % 2]
    lines = [f"{number}. {move}" for number, move in enumerate(moves, start=1)]
    head = f"Game: {_RULESET}\nDeal: {code}\n\n"
    record = head + "\n".join(lines)
    ended = f"{record}\n{len(moves) + 1}. resign"
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)
    state = client.post("/api/v1/records", json={"record": record}).raise_for_status().json()
    ended_id = (
        client.post("/api/v1/records", json={"record": ended}).raise_for_status().json()["id"]
    )
    first = len(lead) % 2
    order = (pair[0], pair[1]) if first == 0 else (pair[1], pair[0])
    return LongGame(client, state["id"], ended_id, record, state["version"], order)


def _back_and_forth() -> tuple[Code, list[str], tuple[str, str]]:
    """A deal, the moves to a position of it, and two moves that lead away from there and back."""
    rules = find_ruleset(_RULESET)
    assert rules
    while True:
        code, lead = new_code(), list[str]()
        history = History.start(rules, deck_of_code(code, rules.decks))
        for _ in range(_LONGEST_LEAD):
            actions = legal_actions(rules, history.position)
            if not actions:
                break
            if step := next(_reversible_steps(rules, history.position), None):
                return code, lead, step[:2]
            history = history.apply(actions[0])
            lead.append(str(actions[0]))


def _reversible_steps(rules: Ruleset, here: Position) -> Iterator[tuple[str, str, Position]]:
    """Moves that another move takes back: both, and the position between.

    They are short, so that a record fits into a request.
    """
    for move in legal_actions(rules, here):
        there = apply(rules, here, move)
        for back in legal_actions(rules, there):
            is_short = max(len(str(move)), len(str(back))) <= _LONGEST_MOVE
            if is_short and apply(rules, there, back) == here:
                yield str(move), str(back), there


def _excursions(code: Code, lead: Sequence[str], count: int) -> list[str]:
    """An even number of moves that wander about and come back: through all positions near the end of ``lead``."""
    rules = find_ruleset(_RULESET)
    assert rules
    position = opening(rules, deck_of_code(code, rules.decks))
    for move in lead:
        position = apply(rules, position, parse_action(rules.layout, move))
    choose = random.Random(code)
    moves: list[str] = []
    while len(moves) < count:
        back: list[str] = []
        here = position
        while len(back) < _FARTHEST and len(moves) + len(back) < count:
            move, inverse, here = choose.choice(list(_reversible_steps(rules, here)))
            moves.append(move)
            back.append(inverse)
        moves += reversed(back)
    return moves


# --- the CPU time of a request


def _warm(pid: int, short: LongGame, long: LongGame) -> Iterator[Figure]:
    for game in (short, long):
        game.client.post(f"/api/v1/games/{game.id}/together").raise_for_status()
    yield _ratio("shared table, an action seen 50 versions ago", pid, short, long, _late)
    for game in (short, long):
        _alone(game)
    kept = {id(game): game.version for game in (short, long)}
    for game in (short, long):
        for number in range(10):
            game.move(key=f"key {number}")
    yield _ratio("move", pid, short, long, lambda game: game.move())
    yield _ratio("retry with a key", pid, short, long, lambda g: g.retry(kept[id(g)], "key 0"))
    for what, path in PATHS.items():
        yield _ratio(what, pid, short, long, partial(_get, path))
    yield _ratio("fork at the end", pid, short, long, fork, rounds=5)
    yield _ratio("import", pid, short, long, import_record)


PATHS: Final = {
    "state": "/api/v1/games/{g.id}",
    "page": "/games/{g.id}",
    "event log": "/api/v1/games/{g.id}/events",
    "text record": "/games/{g.id}/record.txt",
    "replay page": "/games/{g.ended_id}/replay?at=90",
    "replay, JSON": "/api/v1/games/{g.ended_id}/replay",
    "state at a step of the replay": "/api/v1/games/{g.ended_id}/replay/90",
}


def _get(path: str, game: LongGame) -> httpx.Response:
    return game.get(path.format(g=game))


def _late(game: LongGame) -> httpx.Response:
    return game.move(late=50)


def _alone(game: LongGame) -> None:
    """Go on with a game of one player as long as the shared one."""
    state = game.client.post("/api/v1/records", json={"record": game.record}).raise_for_status()
    game.id, game.version = state.json()["id"], state.json()["version"]


def fork(game: LongGame) -> httpx.Response:
    at = game.record.count("\n") - 2  # three lines of headers, then one line for each action
    path = f"/api/v1/games/{game.ended_id}/fork"
    return game.client.post(path, json={"at": at}).raise_for_status()


def import_record(game: LongGame) -> httpx.Response:
    return game.client.post("/api/v1/records", json={"record": game.record}).raise_for_status()


def _ratio(
    what: str,
    pid: int,
    short: LongGame,
    long: LongGame,
    ask: Callable[[LongGame], object],
    *,
    rounds: int = _ROUNDS,
) -> Figure:
    """The server's CPU time for a request on the long game compared with the short one, in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for game in (short, long):
        ask(game)
    for _ in range(rounds):
        for game, taken in zip((short, long), times, strict=True):
            before = _cpu_ms(pid)
            ask(game)
            taken.append(_cpu_ms(pid) - before)
    at_start, at_end = (median(taken) for taken in times)
    return _figure(what, at_start, at_end)


def _figure(what: str, short_ms: float, long_ms: float) -> Figure:
    detail = f"{long_ms:.1f} ms of CPU against {short_ms:.1f} ms"
    return at_most(f"{what}: at the limit / at {_SHORT}", long_ms / short_ms, _MOST, detail)


def _cpu_ms(pid: int) -> float:
    """The CPU time of all threads of a process so far."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def _cold(folder: Path, short: Sequence[LongGame], long: Sequence[LongGame]) -> Iterator[Figure]:
    """The first request for each game after a restart, which replays it."""
    with servers.started_site(folder) as server:
        times: list[list[float]] = [[], []]
        for pair in zip(short, long, strict=True):
            for game, taken in zip(pair, times, strict=True):
                url = f"http://127.0.0.1:{server.port}/api/v1/games/{game.id}"
                before = _cpu_ms(server.pid)
                httpx.get(url).raise_for_status()
                taken.append(_cpu_ms(server.pid) - before)
        # The first pair warms the server up.
        at_start, at_end = (median(taken[1:]) for taken in times)
        yield _figure("state, first after a restart", at_start, at_end)


# --- who waits


def _waiting(port: int, short: LongGame, long: LongGame) -> Figure:
    """How long others wait while four clients retry an action of a game as fast as they can, in turns."""
    waits: tuple[list[float], list[float]] = ([], [])
    for game in (short, long):
        game.move(key="retried")
    for _ in range(_ROUNDS // 4):
        for game, taken in zip((short, long), waits, strict=True):
            with _retrying(game, game.version - 1):
                taken.extend(_healthz_ms(port))
    half = [median(taken) for taken in waits]
    slowest = [quantiles(taken, n=100)[98] for taken in waits]
    detail = (
        f"medians {half[1]:.1f} ms against {half[0]:.1f} ms, "
        f"99th percentiles {slowest[1]:.1f} ms against {slowest[0]:.1f} ms"
    )
    what = f"/healthz while {_CLIENTS} clients retry: at the limit / at {_SHORT}"
    return at_most(what, half[1] / half[0], _LONGEST_WAIT, detail)


@contextmanager
def _retrying(game: LongGame, version: int) -> Iterator[None]:
    done = threading.Event()

    def go_on() -> None:
        while not done.is_set():
            game.retry(version, "retried")

    threads = [threading.Thread(target=go_on) for _ in range(_CLIENTS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()


def _healthz_ms(port: int) -> list[float]:
    waits = []
    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        for _ in range(100):
            begun = time.perf_counter()
            client.get("/healthz").raise_for_status()
            waits.append((time.perf_counter() - begun) * 1000)
            time.sleep(0.01)
    return waits
