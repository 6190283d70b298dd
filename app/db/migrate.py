"""Migrating a database to the schema of this release."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from app.db.engine import Database
from app.folders import migrations_folder

MIGRATION_LOCK: Final = 2_718_281  # a number that nothing else in the database locks


def upgrade(database: Database, revision: str = "head") -> None:
    """Apply the missing migrations; when several processes do so at once, one does the work."""
    config = _config()
    with database.engine.connect() as connection:
        if is_current(connection):
            # Without the lock: through a pooler it could be taken on one connection and stay there, and the next
            # process that starts would wait for it.
            return
        connection.rollback()
        config.attributes["connection"] = connection
        with nullcontext() if database.is_sqlite else _locked(connection):
            command.upgrade(config, revision)


@contextmanager
def _locked(connection: Connection) -> Iterator[None]:
    """A second process waits here; when its turn comes, it finds the work done."""
    connection.exec_driver_sql(f"SELECT pg_advisory_lock({MIGRATION_LOCK})")
    connection.commit()
    try:
        yield
    finally:
        connection.exec_driver_sql(f"SELECT pg_advisory_unlock({MIGRATION_LOCK})")
        connection.commit()


def is_current(connection: Connection) -> bool:
    """Whether the database has exactly the schema of this release."""
    return set(MigrationContext.configure(connection).get_current_heads()) == _heads()


def current_revision(connection: Connection) -> str | None:
    """The revision of a database's schema; ``None`` without one."""
    return MigrationContext.configure(connection).get_current_revision()


def is_known(revision: str) -> bool:
    """Whether this release can start from a revision of the schema."""
    known = ScriptDirectory.from_config(_config()).walk_revisions()
    return revision in {script.revision for script in known}


@cache
def _heads() -> frozenset[str]:
    """The last revisions of this release. To find them, every migration is read: too much for each ``/readyz``."""
    return frozenset(ScriptDirectory.from_config(_config()).get_heads())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    return config
