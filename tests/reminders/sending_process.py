"""A server process that does nothing but send reminders, on a clock that runs sixty times as fast.

Arguments: the URL of the database, the port of the fake push service, and when the clock started, in Unix seconds.
"""

import asyncio
import dataclasses
import os
import sys
import time

from app.db.engine import Database
from app.jobs.scheduler import Scheduler
from app.reminders.keys import SiteKey
from app.reminders.model import PushHosts
from app.reminders.sender import ReminderSender
from tests.support.dailies import at
from tests.support.push import HOST, LocalPushClient

SPEED = 60
START_MS = at("14:00")


async def main(url: str, port: str, started: str) -> None:
    def clock() -> int:
        return START_MS + int((time.time() - float(started)) * 1000 * SPEED)

    database = Database(url)
    sender = ReminderSender(
        database,
        clock,
        SiteKey(database, clock, "", "https://example.org"),
        PushHosts(HOST),
        lambda: LocalPushClient(int(port), sender_name=str(os.getpid())),
    )
    tasks = [dataclasses.replace(task, seconds=0.1) for task in sender.tasks()]
    Scheduler(database, clock, tasks).start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
