"""Sites in the test's process, clients, and periodic tasks."""

from __future__ import annotations

import multiprocessing
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from argon2 import PasswordHasher
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from sqlalchemy import insert, make_url, update

from app.clock import DAY_MS, Clock, now_ms
from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.schema import players, sessions
from app.environment import Environment
from app.identity.passwords import Passwords
from app.jobs.scheduler import PeriodicTask, Scheduler
from app.jobs.worker_pool import WorkerProcess
from app.main import create_app
from app.settings import Settings

HOST = "fairdeal.test"

# A worker process that starts afresh takes as long for its imports as for most jobs of a test. These are copies of one
# that has done them, and share nothing else. Real servers, and tests/jobs, start theirs afresh.
COPIES = multiprocessing.get_context("forkserver")
COPIES.set_forkserver_preload(["app.analysis.hints", "app.analysis.tasks", "app.deals.proving"])
AS_URGENT = Environment(
    start_process=lambda _niceness: WorkerProcess(0, context=COPIES),
    make_passwords=lambda: Passwords(PasswordHasher(1, 8, 1)),
)
"""A site whose workers get their share of the processor: beside other tests, nice ones wait and wait.

It hashes passwords at the least cost; tests/identity/test_accounts.py has what they cost in truth.
"""


async def migrate(url: str) -> None:
    """Migrate a database to the schema of this release; a new SQLite file is a copy of one that was migrated before."""
    if url.startswith("sqlite:") and _is_copied(Path(make_url(url).database or "")):
        return
    database = Database(url)
    upgrade(database)
    await database.close()


def _is_copied(file: Path) -> bool:
    if file.exists():
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(_migrated())
    return True


@cache
def _migrated() -> bytes:
    """A migrated SQLite database without rows. To run all migrations takes the time of a hundred requests."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "fairdeal.db"
        database = Database(f"sqlite:///{file}")
        upgrade(database)
        database.engine.dispose()
        return file.read_bytes()


def welcome(database: Database, *names: str) -> None:
    """Add players whose ids are their names in lower case."""
    rows = [{"id": name, "name": name.title(), "created_ms": 0} for name in names]
    with database.engine.begin() as connection:
        connection.execute(insert(players), rows)


@asynccontextmanager
async def started(
    settings: Settings, environment: Environment | None = None, clock: Clock = now_ms
) -> AsyncIterator[FastAPI]:
    """A running site on a database as it is."""
    app = create_app(settings, clock, environment or AS_URGENT)
    async with app.router.lifespan_context(app):
        yield app


@asynccontextmanager
async def running_site(settings: Settings, clock: Clock = now_ms) -> AsyncIterator[FastAPI]:
    """A running site on a database that is migrated first."""
    await migrate(settings.database_url)
    async with started(settings, clock=clock) as app:
        yield app


def visiting(
    app: FastAPI,
    scheme: str = "http",
    headers: Mapping[str, str] | None = None,
    address: str = "127.0.0.1",
) -> AsyncClient:
    """A client with its own cookies."""
    transport = ASGITransport(app, client=(address, 123))
    return AsyncClient(transport=transport, base_url=f"{scheme}://{HOST}", headers=headers)


async def id_of(client: AsyncClient) -> str:
    """The id of a visitor who is a player."""
    return str((await client.get("/api/v1/me")).json()["id"])


async def run_once(database: Database, clock: Clock, tasks: Iterable[PeriodicTask]) -> None:
    """Run each task once, like a server process."""
    tasks = list(tasks)
    scheduler = Scheduler(database, clock, tasks)
    for task in tasks:
        await scheduler.run(task)


async def daily_work(app: FastAPI) -> None:
    """Close past days and add missing deals."""
    services = app.state.services
    await run_once(services.database, services.clock, services.daily_schedule.tasks())


async def expire_guests(site: FastAPI) -> None:
    """Delete all guests, as if they had stayed away for a long time."""
    services = site.state.services
    long_ago = services.clock() - 100 * DAY_MS
    with services.database.engine.begin() as connection:
        connection.execute(update(sessions).values(seen_ms=long_ago))
        connection.execute(update(players).values(created_ms=long_ago))
    await services.admin.guest_expiry.run()
