"""Structured logging: JSON lines on standard error, with request ids.

Of a request only the path is logged, without tokens, never the query, headers, cookies or body.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

ROOT = "fairdeal"

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the current request, if any."""

_FIELDS = "fairdeal_fields"
_encode = json.JSONEncoder(default=str).encode


def logger_of(part: str) -> logging.Logger:
    """The logger of a part of the site, such as ``pubsub``."""
    return logging.getLogger(f"{ROOT}.{part}")


_access = logger_of("access")


class JsonFormatter(logging.Formatter):
    """A log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Times are UTC, to the millisecond."""
        time = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, object] = {
            "time": time.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        current = request_id.get()
        if current is not None:
            line["request_id"] = current
        fields = getattr(record, _FIELDS, None)
        if fields is not None:
            line.update(fields)
        if record.exc_info and record.exc_info[1]:
            line["exception"] = "".join(traceback.format_exception(record.exc_info[1]))
        return _encode(line)


def configure(level: str) -> None:
    """Log everything from ``level`` on to standard error; called once in a server process."""
    root = logging.getLogger()
    root.handlers = [_standard_error()]
    root.setLevel(logging.WARNING)
    logging.getLogger(ROOT).setLevel(level.upper())
    # Uvicorn logs start and stop; requests are logged here.
    logging.getLogger("uvicorn").setLevel(level.upper())
    logging.getLogger("uvicorn.access").disabled = True
    # Not logged, and they cost time for each entry.
    logging.logThreads = False
    logging.logProcesses = False
    logging.logMultiprocessing = False


@contextmanager
def command_logging(level: str) -> Iterator[None]:
    """The same for one command of the command line: afterwards logging is as it was."""
    logger, handler = logging.getLogger(ROOT), _standard_error()
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(level.upper())
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


def _standard_error() -> logging.Handler:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    return handler


def log_request(level: int, fields: Mapping[str, object]) -> None:
    """One line of the access log."""
    log_fields(_access, level, "request", fields)


def log_fields(
    logger: logging.Logger, level: int, message: str, fields: Mapping[str, object]
) -> None:
    """Log a message with further members of its JSON object."""
    if logger.isEnabledFor(level):
        # Not `Logger.log`, which would walk the stack to find the caller.
        record = logging.LogRecord(logger.name, level, __file__, 0, message, None, None)
        setattr(record, _FIELDS, fields)
        logger.handle(record)
