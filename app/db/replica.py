"""Reads on a standby of PostgreSQL, which never miss what was acknowledged before they began.

The primary is asked how far its log is, which costs it next to nothing, and the standby reads once it has come as far.
So a player sees their own writes, in whichever process they were made, and so does everybody else. A standby that is
too far behind, or does not answer, is left alone for a while, and the primary reads.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from app.db.address import split_options
from app.db.failures import is_unavailable
from app.logs import logger_of

T = TypeVar("T")

_PATIENCE_S: Final = 0.1
_PAUSE_S: Final = 0.002
_REST_S: Final = 10.0
_CONNECT_S: Final = 3

_END_OF_LOG: Final = text("SELECT pg_current_wal_flush_lsn()")
_IS_AS_FAR: Final = text("SELECT pg_last_wal_replay_lsn() >= CAST(:position AS pg_lsn)")

_log: Final = logger_of("db")


class ReplicaBehindError(Exception):
    """The standby has not come as far as the primary in time."""


class Replica:
    """A standby to read from."""

    def __init__(self, url: URL, connections: int) -> None:
        address, options = split_options(url)
        engine = create_engine(
            address,
            pool_size=connections,
            max_overflow=0,
            hide_parameters=True,
            connect_args={"connect_timeout": _CONNECT_S, **options},
        )
        self._engine: Engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._rests_until = 0.0

    @property
    def is_resting(self) -> bool:
        """Whether it is not to be asked now, because it failed a moment ago."""
        return time.monotonic() < self._rests_until

    def read(self, work: Callable[[Connection], T], position: str) -> T:
        """Do the work once the standby has come as far as ``position``.

        Raises ``ReplicaBehindError`` if that takes long, and what the driver raises.
        """
        with self._engine.connect() as connection:
            deadline = time.monotonic() + _PATIENCE_S
            while not connection.scalar(_IS_AS_FAR, {"position": position}):
                if time.monotonic() > deadline:
                    raise ReplicaBehindError
                time.sleep(_PAUSE_S)
            return work(connection)

    def is_to_blame(self, error: Exception) -> bool:
        """Whether the primary may do better; if so, the standby rests."""
        if not isinstance(error, ReplicaBehindError | DBAPIError):
            return False
        if isinstance(error, DBAPIError) and not is_unavailable(error):
            return False
        _log.warning("The replica does not keep up, so the primary reads: %r", error)
        self._rests_until = time.monotonic() + _REST_S
        return True

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()


def end_of_log(connection: Connection) -> str:
    """How far the log of the primary is: everything that was acknowledged comes before."""
    return str(connection.scalar(_END_OF_LOG))
