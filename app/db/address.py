"""Where the database is: one URL, which may name several PostgreSQL servers of which one accepts writes."""

from __future__ import annotations

import re
from typing import Any, Final

from psycopg.conninfo import make_conninfo
from sqlalchemy import make_url
from sqlalchemy.engine import URL

_DRIVER: Final = "postgresql+psycopg"
_HOSTS: Final = re.compile(
    r"(?P<before>[^/]*//(?:[^/@]*@)?)(?P<hosts>[^/?#]*,[^/?#]*)(?P<after>.*)"
)


def engine_url(url: str) -> URL:
    """The URL for SQLAlchemy, with psycopg for ``postgres://`` and ``postgresql://``.

    Several hosts are written as for every program of PostgreSQL: ``postgresql://user@one:5432,two:5432/name``. Of these
    the one that accepts writes is used, unless the URL says otherwise.
    """
    several = _HOSTS.fullmatch(url)
    parsed = make_url(several["before"] + several["after"] if several else url)
    if parsed.get_backend_name() not in {"postgres", "postgresql"}:
        return parsed
    parsed = parsed.set(drivername=_DRIVER)
    if several:
        parsed = parsed.update_query_dict({"host": several["hosts"].split(",")})
    is_choice = several or not isinstance(parsed.query.get("host", ""), str)
    if is_choice and "target_session_attrs" not in parsed.query:
        parsed = parsed.update_query_dict({"target_session_attrs": "read-write"})
    return parsed


def driver_address(url: URL) -> str:
    """The same for psycopg itself."""
    _, parts = url.get_dialect()().create_connect_args(split_options(url)[0])
    return make_conninfo(**parts)


def split_options(url: URL) -> tuple[URL, dict[str, Any]]:
    """The URL without ``prepared_statements=off``, and what the driver takes for it.

    A pooler such as pgbouncer before 1.21 gives each transaction any connection, which then does not know the
    statements that were prepared on another.
    """
    is_off = url.query.get("prepared_statements") == "off"
    return url.difference_update_query(["prepared_statements"]), (
        {"prepare_threshold": None} if is_off else {}
    )
