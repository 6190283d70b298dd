"""Fixtures for all tests: databases of both kinds, sites, and a browser if the machine has one."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from app.db.engine import Database
from app.games.service import GameService
from app.logs import JsonFormatter
from app.settings import Settings
from tests.support.order import spread
from tests.support.postgres import NoServerError, fresh_database, running_server, temporary_root
from tests.support.serving import migrate, started, visiting

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator, Iterator
    from pathlib import Path

    from fastapi import FastAPI
    from httpx import AsyncClient

REQUIRE_ALL = bool(os.environ.get("TEST_REQUIRE_ALL"))
# Servers under test do not prove coming deals: that takes minutes.
os.environ.setdefault("FAIRDEAL_PROOF_SECONDS", "0")
os.environ.setdefault("FAIRDEAL_UNPROVEN_DEALS", "true")
# Where Python is told to keep no compiled code, as in many containers, each server that a test starts would compile
# the site again, and each run the tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# httpx looks for it in each request to a site of this process, through all folders of modules if it is missing.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]  # which means: there is none
if scratch := temporary_root():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(scratch))
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# There is no sandbox as root; the other flags prevent background network traffic.
BROWSER_ARGUMENTS = [
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# The time of an example depends more on the machine than on the code. In CI the examples are the same each time, so
# that the result depends on the change alone; elsewhere every run tries new ones.
settings.register_profile("fairdeal", deadline=None, derandomize=REQUIRE_ALL)
settings.load_profile("fairdeal")


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """Run asynchronous tests on the event loop that serves the site."""
    return "asyncio", {"use_uvloop": True}


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a running PostgreSQL server; tests do not write to this database."""
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
    """A migrated, empty PostgreSQL database to copy."""
    with fresh_database(postgres_server) as url:
        asyncio.run(migrate(url))
        yield url


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for SQLite."""
    path = tmp_path_factory.mktemp("migrated") / "fairdeal.db"
    asyncio.run(migrate(f"sqlite:///{path}"))
    return path


@pytest.fixture
def sqlite_url(migrated_file: Path, tmp_path: Path) -> str:
    """The URL of a migrated, empty SQLite database for one test."""
    return f"sqlite:///{shutil.copy(migrated_file, tmp_path / 'fairdeal.db')}"


@pytest.fixture
def postgres_url(postgres_server: str, migrated_postgres: str) -> Iterator[str]:
    """The URL of a migrated, empty PostgreSQL database for one test."""
    with fresh_database(postgres_server, migrated_postgres) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a migrated database: the test runs once on each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def blank_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without tables: the test runs once on each kind."""
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
async def postgres(postgres_url: str) -> AsyncIterator[Database]:
    """A migrated PostgreSQL database."""
    database = Database(postgres_url)
    yield database
    await database.close()


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[FastAPI]:
    """The whole site, started, on an empty SQLite database."""
    async with started(Settings(database_url=sqlite_url)) as app:
        yield app


@pytest.fixture
async def visitor(site: FastAPI) -> AsyncIterator[AsyncClient]:
    """A client without cookies; it keeps cookies and does not follow redirects."""
    async with visiting(site) as client:
        yield client


@pytest.fixture
def play(database: Database) -> GameService:
    """The game service on that database."""
    return GameService(database)


@pytest.fixture
def log_lines(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[str]]]:
    """A function for the lines of the log so far, as the site writes them."""
    formatter = caplog.handler.formatter
    caplog.handler.setFormatter(JsonFormatter())
    yield lambda: caplog.handler.stream.getvalue().splitlines()
    caplog.handler.setFormatter(formatter)  # pytest has one handler for all tests


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the machine's own Chromium; Playwright's is not downloaded."""
    named = os.environ.get("TEST_BROWSER")
    executable = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        pytest.skip("no Chromium on this machine: install it, or name one in TEST_BROWSER")
    return {**browser_type_launch_args, "executable_path": executable, "args": BROWSER_ARGUMENTS}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two workers for each core: a test spends half of its time waiting for a browser, a disk or a process."""
    return 2 * (os.cpu_count() or 1)


# What is imported and collected lives as long as the run: to look through it for garbage again and again
# took a sixth of the time.
gc.disable()


def pytest_collection_finish() -> None:
    """From now on, look for garbage among what the tests make, and less often than Python does."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a browser, and run them last, with long ones among the first of them.

    One that fails gets a second try, which the summary names: on a busy machine a frame may come too late to be seen.

    Playwright leaves an event loop running in this thread, in which no later asynchronous test could start its own.
    """
    for item in items:
        if {"browser", "context", "page"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))
    rest, browser = parted(items, "browser")
    others, long = parted(browser, "long")
    items[:] = [*rest, *spread(long, others, lambda item: item.path)]


def parted(items: list[pytest.Item], marker: str) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests without a marker, and those with it."""
    without = [item for item in items if item.get_closest_marker(marker) is None]
    return without, [item for item in items if item.get_closest_marker(marker)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With TEST_REQUIRE_ALL a skipped test fails."""
    report = yield
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but TEST_REQUIRE_ALL is set: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """With TEST_REQUIRE_ALL a module that skips itself fails."""
    report = yield
    if REQUIRE_ALL and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped, but TEST_REQUIRE_ALL is set: {report.longrepr}"
    return report
