"""What goes wrong with jobs, for callers to put into words of their own."""

from __future__ import annotations

from app.jobs.job import Failure


class TooManyJobsError(Exception):
    """This owner, or everybody together, waits for as many jobs as there may be. Worth trying later."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("Too many jobs are waiting already.")
        self.retry_after = retry_after
        """In whole seconds."""


class JobFailedError(Exception):
    """The job that a coroutine waited for came to nothing; ``failure`` is ``None`` when it was cancelled."""

    def __init__(self, failure: Failure | None) -> None:
        super().__init__(f"The job was {failure or 'cancelled'}.")
        self.failure = failure
