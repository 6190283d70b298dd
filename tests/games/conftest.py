from __future__ import annotations

import pytest

from app.db.engine import Database
from tests.support.serving import welcome


@pytest.fixture
def database(database: Database) -> Database:
    """A migrated database with the players anna and ben."""
    welcome(database, "anna", "ben")
    return database
