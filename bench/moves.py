"""The move endpoints under load, compared with bare handlers and boardgame.io; and the cost of a long game."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

import httpx

from app.engine.history import History
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.rulesets import find_ruleset
from bench import servers
from bench.load import Load, post
from bench.load import run as load_run
from bench.peers import boardgame
from bench.report import Figure, at_least, at_most
from bench.servers import Started
from bench.yardstick import GAMES

_CONNECTIONS = 16
_GAMES_EACH = 4
_MOVES = 40
_ROUNDS = 4
_RULESETS = ("bristol", "signora", "blondes-and-brunettes", "rouge-et-noir")


def run() -> Iterator[Figure]:
    """Alternate rounds of the bare handler, the raw application, the HTML and the JSON endpoint, and boardgame.io."""
    rounds: list[_Round] = []
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        bare = stack.enter_context(servers.yardstick(folder))
        site = stack.enter_context(servers.site(folder))
        warm_up = load_run(site, site_queues(site, "warm-up", as_json=False))
        size = warm_up.bytes_answered // len(warm_up.answers_ms)
        raw = stack.enter_context(servers.raw_yardstick(folder, size))
        peer, absent = _peer(stack, folder)
        for number in range(_ROUNDS + 1):
            played = _Round(
                bare=load_run(bare, bare_queues(number)),
                raw=load_run(raw, bare_queues(number)),
                html=load_run(site, site_queues(site, f"html{number}", as_json=False)),
                json=load_run(site, site_queues(site, f"json{number}", as_json=True)),
                peer=boardgame.moves_per_second(peer, _CONNECTIONS, _MOVES * 2) if peer else 0,
            )
            if number:  # the first round is a warm-up
                rounds.append(played)
        yield from _judged(rounds, absent)
        yield _long_game(site)


@dataclass(frozen=True, slots=True)
class _Round:
    """One run of each; ``peer`` is the rate of boardgame.io, 0 if it cannot be measured."""

    bare: Load
    raw: Load
    html: Load
    json: Load
    peer: float


def _peer(stack: ExitStack, folder: Path) -> tuple[Started | None, str]:
    """boardgame.io, in memory; or the reason why not."""
    absent = boardgame.missing() or boardgame.install(folder)
    if absent:
        return None, absent
    return stack.enter_context(boardgame.server(folder, servers.free_port())), ""


def _judged(rounds: Sequence[_Round], absent: str) -> Iterator[Figure]:
    bare, raw, html, api = ([getattr(r, name) for r in rounds] for name in _MEASURED)
    failures = [failure for load in (*bare, *raw, *html, *api) for failure in load.failures]
    requests = sum(len(load.answers_ms) for load in (*html, *api))
    detail = failures[0] if failures else f"of {requests} requests"
    yield at_most("failed requests", len(failures), 0, detail)
    yield at_least("HTML moves a second / bare handler", _ratio(html, bare), 0.8, _told(html, bare))
    yield at_least("HTML moves a second / raw ASGI", _ratio(html, raw), 0.5, _told(html, raw))
    if absent:
        print(f"without boardgame.io: {absent}")
    else:
        ratios = [one.html.per_second / one.peer for one in rounds]
        told = f"against {median(one.peer for one in rounds):.0f}/s, which stores nothing"
        yield at_least("HTML moves a second / boardgame.io in memory", median(ratios), 1, told)
    tails = [load.percentile(99) / load.percentile(50) for load in html]
    yield at_most("HTML move p99 / p50", median(tails), 3, _told(html, bare))
    yield at_least(
        "JSON moves a second / HTML moves a second", _ratio(api, html), 1, _told(api, html)
    )


_MEASURED = ("bare", "raw", "html", "json")


def _ratio(ours: Sequence[Load], theirs: Sequence[Load]) -> float:
    pairs = zip(ours, theirs, strict=True)
    return median(our.per_second / their.per_second for our, their in pairs)


def _told(ours: list[Load], theirs: list[Load]) -> str:
    def words(loads: list[Load]) -> str:
        rate = median(load.per_second for load in loads)
        half, most = (median(load.percentile(p) for load in loads) for p in (50, 99))
        size = loads[0].bytes_answered / len(loads[0].answers_ms)
        return f"{rate:.0f}/s p50 {half:.1f} p99 {most:.1f} ms {size:.0f} B"

    return f"{words(ours)} against {words(theirs)}"


def _long_game(port: int) -> Figure:
    """Moves 2-4 of new games compared with moves 299-301 of long ones, alternating."""
    early: list[float] = []
    late: list[float] = []
    with httpx.Client(
        base_url=f"http://127.0.0.1:{port}", headers={"Connection": "keep-alive"}
    ) as client:
        for _ in range(12):
            game = _new_game(client, "rouge-et-noir", None)
            path = f"/api/v1/games/{game['id']}"
            for version in range(300):
                word = "moves" if version % 2 == 0 else "undo"
                body: dict[str, object] = {"version": version}
                body |= {"move": "deal"} if word == "moves" else {}
                answer = client.post(f"{path}/{word}", json=body)
                answer.raise_for_status()
                taken = answer.elapsed.total_seconds() * 1000
                if version in {2, 4, 6, 8, 10, 12}:
                    early.append(taken)
                if version in {288, 290, 292, 294, 296, 298}:
                    late.append(taken)
    ratio = median(late) / median(early)
    detail = f"{median(late):.2f} ms against {median(early):.2f} ms, medians of {len(late)}"
    return at_most("300th move of a game / third", ratio, 1.1, detail)


def bare_queues(number: int) -> list[list[bytes]]:
    """The moves of a round, in games of its own: what is stored already would not be stored again."""
    first = number * _CONNECTIONS * _GAMES_EACH
    return [
        [
            post(
                f"/games/game{(first + connection * _GAMES_EACH + game) % GAMES}/move",
                "application/x-www-form-urlencoded",
                urlencode({"version": version, "move": "t3-f1"}).encode(),
            )
            for game in range(_GAMES_EACH)
            for version in range(_MOVES)
        ]
        for connection in range(_CONNECTIONS)
    ]


def site_queues(port: int, seed: str, *, as_json: bool) -> list[list[bytes]]:
    chance = random.Random(seed)
    queues = []
    for connection in range(_CONNECTIONS):
        with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
            queue: list[bytes] = []
            for game in range(_GAMES_EACH):
                ruleset = _RULESETS[(connection + game) % len(_RULESETS)]
                started = _new_game(client, ruleset, None)
                rules = find_ruleset(ruleset)
                assert rules
                moves = _walk(rules, str(started["code"]), chance)
                cookie = f"Cookie: fd_session={client.cookies['fd_session']}"
                queue += _requests(str(started["id"]), moves, cookie, as_json=as_json)
            queues.append(queue)
    return queues


def _new_game(client: httpx.Client, ruleset: str, code: str | None) -> dict[str, object]:
    answer = client.post("/api/v1/games", json={"ruleset": ruleset, "code": code})
    answer.raise_for_status()
    state: dict[str, object] = answer.json()
    return state


def _walk(rules: Ruleset, code: str, chance: random.Random) -> list[str]:
    line = History.start(rules, deck_of_code(parse_code(code), rules.decks))
    moves = []
    for _ in range(_MOVES):
        actions = legal_actions(rules, line.position)
        if not actions:
            break
        action = chance.choice(actions)
        line = line.apply(action)
        moves.append(str(action))
    return moves


def _requests(game_id: str, moves: Sequence[str], cookie: str, *, as_json: bool) -> Iterator[bytes]:
    for version, move in enumerate(moves):
        if as_json:
            body = json.dumps({"version": version, "move": move}).encode()
            yield post(f"/api/v1/games/{game_id}/moves", "application/json", body, [cookie])
        else:
            body = urlencode({"version": version, "move": move}).encode()
            kind = "application/x-www-form-urlencoded"
            headers = [cookie, "HX-Request: true"]
            yield post(f"/games/{game_id}/move", kind, body, headers)
