"""What every test may ask for: a database of either kind, and a browser when the machine has one."""

from __future__ import annotations

import asyncio
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from app.db.engine import Database
from app.games.service import GameService
from app.settings import Settings
from tests.support.postgres import NoServerError, fresh_database, running_server
from tests.support.scratch import scratch_root
from tests.support.serving import migrate, started, visiting

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator, Iterator
    from pathlib import Path

    from fastapi import FastAPI
    from httpx import AsyncClient

REQUIRE_ALL = bool(os.environ.get("TEST_REQUIRE_ALL"))
# Servers under test look for no proofs of coming deals: minutes of work that no test waits for.
os.environ.setdefault("FAIRDEAL_PROOF_SECONDS", "0")
os.environ.setdefault("FAIRDEAL_UNPROVEN_DEALS", "true")
if scratch := scratch_root():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(scratch))
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# As root there is no sandbox to be had; the rest keeps a browser from calling home while it is tested.
BROWSER_ARGUMENTS = [
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# How long one example takes says more about the machine than about the code. Where a change is judged, the examples are
# the same each time, so that the verdict depends on the change alone; elsewhere new ones are tried in every run.
settings.register_profile("fairdeal", deadline=None, derandomize=REQUIRE_ALL)
settings.load_profile("fairdeal")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio only: it is what the site runs on."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a running PostgreSQL server, whose database is not for tests to write in."""
    named = os.environ.get("TEST_POSTGRES_URL")
    if named:
        yield named
        return
    try:
        with running_server() as url:
            yield url
    except NoServerError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str) -> Iterator[str]:
    """A PostgreSQL database with the tables and nothing in them, to be copied."""
    with fresh_database(postgres_server) as url:
        asyncio.run(migrate(url))
        yield url


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same on SQLite."""
    path = tmp_path_factory.mktemp("migrated") / "fairdeal.db"
    asyncio.run(migrate(f"sqlite:///{path}"))
    return path


@pytest.fixture
def sqlite_url(migrated_file: Path, tmp_path: Path) -> str:
    """The address of a SQLite database of this test's own, with the tables and nothing in them."""
    return f"sqlite:///{shutil.copy(migrated_file, tmp_path / 'fairdeal.db')}"


@pytest.fixture
def postgres_url(postgres_server: str, migrated_postgres: str) -> Iterator[str]:
    """The address of a PostgreSQL database of this test's own, with the tables and nothing in them."""
    with fresh_database(postgres_server, migrated_postgres) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a migrated database: the test runs once on each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def blank_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without any table: the test runs once on each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'blank.db'}"
        return
    with fresh_database(request.getfixturevalue("postgres_server")) as url:
        yield url


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated database of either kind."""
    database = Database(database_url)
    yield database
    await database.close()


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[FastAPI]:
    """The whole site, started, on an empty SQLite database."""
    async with started(Settings(database_url=sqlite_url)) as app:
        yield app


@pytest.fixture
async def visitor(site: FastAPI) -> AsyncIterator[AsyncClient]:
    """A browser that has never been here: it keeps cookies and follows no redirect."""
    async with visiting(site) as client:
        yield client


@pytest.fixture
def play(database: Database) -> GameService:
    """The play service on that database."""
    return GameService(database)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the machine's own Chromium; Playwright's is not downloaded."""
    named = os.environ.get("TEST_BROWSER")
    executable = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        pytest.skip("no Chromium on this machine: install it, or name one in TEST_BROWSER")
    return {**browser_type_launch_args, "executable_path": executable, "args": BROWSER_ARGUMENTS}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a browser, and run them last.

    Playwright leaves an event loop running in this thread, in which no later asynchronous test could start its own.
    """
    for item in items:
        if {"browser", "context", "page"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where everything is required, a skipped test is a failed one."""
    report = yield
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but TEST_REQUIRE_ALL is set: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Where everything is required, a module that skips itself is a failed one."""
    report = yield
    if REQUIRE_ALL and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped, but TEST_REQUIRE_ALL is set: {report.longrepr}"
    return report
