"""Running periodic tasks in tests: each once, or all of them as a server does."""

from collections.abc import Iterable

from fastapi import FastAPI

from app.clock import Clock
from app.db.engine import Database
from app.jobs.scheduler import PeriodicTask, Scheduler


async def run_once(database: Database, clock: Clock, tasks: Iterable[PeriodicTask]) -> None:
    """Run each task once, as a process of its own would."""
    tasks = list(tasks)
    scheduler = Scheduler(database, clock, tasks)
    for task in tasks:
        await scheduler.run(task)


async def daily_work(app: FastAPI) -> None:
    """Close the days that are over and make the deals that are missing."""
    services = app.state.services
    await run_once(services.database, services.clock, services.daily_schedule.tasks())
