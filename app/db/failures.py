"""Database errors that are not a fault of the site.

Some pass without a change to the site: a full disk, a lock, a lost connection. And PostgreSQL can't
store a NUL, which a text from a client may contain. Everything else that a driver raises, such as a violated
constraint, is a fault of the site.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy.exc import DataError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

_SQLITE: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PROTOCOL,
    }
)
_PRIMARY_CODE: Final = (
    0xFF  # the rest of an extended code says more, such as which operation failed
)
_POSTGRES: Final = (
    "08",  # connection exception
    "25006",  # read-only transaction: the server has become a standby
    "40001",  # serialization failure
    "40P01",  # deadlock
    "53",  # insufficient resources: disk full, out of memory, too many connections
    "55P03",  # lock not available
    "57P",  # the server is being shut down or started
    "58030",  # I/O error
)


def is_nul(error: BaseException) -> bool:
    """Whether a text has a NUL, which PostgreSQL can't store."""
    # The driver refuses it without a code.
    return isinstance(error, DataError) and "cannot contain NUL" in str(error.orig)


def is_surrogate(error: BaseException) -> bool:
    """Whether a text has half of a surrogate pair, which no encoding of Unicode has."""
    return isinstance(error, UnicodeEncodeError) and "surrogates" in error.reason


def is_unavailable(error: BaseException) -> bool:
    """Whether the database could not do its work now, and may do the same work later."""
    if isinstance(error, PoolTimeoutError):
        return True
    if not isinstance(error, DBAPIError):
        return False
    if isinstance(error.orig, sqlite3.Error):
        code = getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return code & _PRIMARY_CODE in _SQLITE
    state = getattr(error.orig, "sqlstate", None)
    if state is None:  # the server was not reached, or does not answer any more
        return error.connection_invalidated or isinstance(error, OperationalError)
    return str(state).startswith(_POSTGRES)
