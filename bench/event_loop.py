"""How long requests on the longest possible game keep the event loop busy.

The server runs in this process. A heartbeat on its event loop measures the CPU time of the loop's thread from each turn
of the loop to the next, so other programs on the machine hardly matter; the clients run in other threads.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final, TypeVar

import uvicorn

from app.db.engine import Database
from app.db.migrate import upgrade
from app.games.game_actions import MAX_ACTIONS
from app.http.connection import HttpProtocol
from app.main import create_app
from app.settings import Settings
from bench import long_games, servers
from bench.long_games import LongGame
from bench.report import Figure, at_most

_MOST_MS: Final = 20.0
_ROUNDS: Final = 5
_UNLIMITED: Final = 100_000_000
_ACTIONS: Final = MAX_ACTIONS - 200

T = TypeVar("T")
Ask = Callable[[LongGame], object]


class _Heartbeat:
    """The longest turn of an event loop since ``reset``, in milliseconds of CPU of its thread."""

    def __init__(self) -> None:
        self.longest_ms = 0.0
        self._task = asyncio.create_task(self._beat())

    async def _beat(self) -> None:
        last = time.thread_time_ns()
        while True:
            await asyncio.sleep(0)
            now = time.thread_time_ns()
            self.longest_ms = max(self.longest_ms, (now - last) / 1e6)
            last = now

    def stop(self) -> None:
        self._task.cancel()


def run() -> Iterator[Figure]:
    """Measure each kind of request a few times; the figure is the median of the longest turns."""
    with tempfile.TemporaryDirectory() as name:
        settings = _settings(Path(name))
        _migrate(settings)
        games, figures = asyncio.run(_measure_warm(settings))
        yield from figures
        yield asyncio.run(_measure_cold(settings, games))


async def _measure_warm(settings: Settings) -> tuple[Sequence[LongGame], list[Figure]]:
    async with _served(settings) as port:
        figures = []
        client = ThreadPoolExecutor(1)
        play = partial(_in, client, long_games.play_game, port, _ACTIONS)
        games = [await play() for _ in range(_ROUNDS + 1)]  # the first one warms the server up
        for what, ask in _REQUESTS.items():
            longest = [await _longest(client, ask, game) for game in games]
            figures.append(_figure(what, longest[1:]))
        return games, figures


async def _measure_cold(settings: Settings, games: Sequence[LongGame]) -> Figure:
    """After a restart, which leaves no game in memory."""
    async with _served(settings) as port:
        client = ThreadPoolExecutor(1)
        for game in games:
            game.client.base_url = f"http://127.0.0.1:{port}"
        ask = partial(_get, "/api/v1/games/{g.id}")
        longest = [await _longest(client, ask, game) for game in games]
        return _figure("state, first after a restart", longest[1:])


async def _longest(client: ThreadPoolExecutor, ask: Ask, game: LongGame) -> float:
    heartbeat = _Heartbeat()
    await _in(client, ask, game)
    heartbeat.stop()
    return heartbeat.longest_ms


def _figure(what: str, longest: Sequence[float]) -> Figure:
    detail = f"of CPU; at most {max(longest):.1f} ms"
    return at_most(
        f"{what}: longest turn of the event loop", median(longest), _MOST_MS, detail, " ms"
    )


# --- requests


def _get(path: str, game: LongGame) -> None:
    game.get(path.format(g=game))


def _move(game: LongGame) -> None:
    game.move(key="kept")


def _retry(game: LongGame) -> None:
    game.retry(game.version - 1, "kept")


def _word(word: str, game: LongGame) -> None:
    path = f"/api/v1/games/{game.id}/{word}"
    game.client.post(path, json={"version": game.version}).raise_for_status()
    game.version += 1


_REQUESTS: Final[dict[str, Ask]] = {
    "import": long_games.import_record,
    "fork at the end": long_games.fork,
    "move": _move,
    "retry with a key": _retry,
    **{what: partial(_get, path) for what, path in long_games.PATHS.items()},
    "undo": partial(_word, "undo"),
    "redo": partial(_word, "redo"),
    "restart": partial(_word, "restart"),
}


# --- the server


def _settings(folder: Path) -> Settings:
    limits = ("actions_per_minute", "games_per_minute", "guests_at_once", "guest_games")
    more = ("guest_actions", "imports_per_minute", "imports_at_once", "imports_per_day")
    return Settings.model_validate(
        {
            "data_dir": folder,
            "log_level": "warning",
            "proof_seconds": 0,
            "unproven_deals": True,
            **dict.fromkeys((*limits, *more), _UNLIMITED),
        }
    )


def _migrate(settings: Settings) -> None:
    database = Database(settings.database_url)
    upgrade(database)
    asyncio.run(database.close())


@asynccontextmanager
async def _served(settings: Settings) -> AsyncIterator[int]:
    """The site on a free port, served by the running event loop."""
    port = servers.free_port()
    config = uvicorn.Config(
        create_app(settings),
        port=port,
        log_config=None,
        access_log=False,
        http=HttpProtocol,
        ws="none",
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - the server offers no event
        await asyncio.sleep(0.01)
    try:
        yield port
    finally:
        server.should_exit = True
        await serving


def _in(threads: ThreadPoolExecutor, work: Callable[..., T], *given: object) -> Awaitable[T]:
    return asyncio.get_running_loop().run_in_executor(threads, work, *given)
