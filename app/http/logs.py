"""Structured logs: one JSON object a line, on standard error, each with the id of its request.

Nothing that a visitor typed is logged but the path; never a query, a header, a cookie or a body.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime

ROOT = "fairdeal"

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The request that is being answered, if any."""

_access = logging.getLogger(f"{ROOT}.access")
_FIELDS = "fairdeal_fields"
_encode = json.JSONEncoder(default=str).encode


class JsonFormatter(logging.Formatter):
    """A log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Times are UTC, to the millisecond."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, object] = {
            "time": moment.isoformat(timespec="milliseconds"),
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
        if record.exc_info is not None and record.exc_info[1] is not None:
            line["exception"] = "".join(traceback.format_exception(record.exc_info[1]))
        return _encode(line)


def configure(level: str) -> None:
    """Send everything worth ``level`` to standard error; done once a process, by whoever serves."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(ROOT).setLevel(level.upper())
    # Uvicorn tells of start and stop; the line for each request is ours.
    logging.getLogger("uvicorn").setLevel(level.upper())
    logging.getLogger("uvicorn.access").disabled = True
    # Facts that no line of ours shows, and that cost time to collect for each of them.
    logging.logThreads = False
    logging.logProcesses = False
    logging.logMultiprocessing = False


def log_request(level: int, fields: Mapping[str, object]) -> None:
    """One line for one request."""
    if _access.isEnabledFor(level):
        # Made by hand: `Logger.log` would first walk the stack to find this line.
        record = logging.LogRecord(_access.name, level, __file__, 0, "request", None, None)
        setattr(record, _FIELDS, fields)
        _access.handle(record)
