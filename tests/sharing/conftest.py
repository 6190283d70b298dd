from __future__ import annotations

import pytest

from app.storage.database import Database
from tests.serving import welcome


@pytest.fixture
def database(database: Database) -> Database:
    """A migrated database with the players anna and ben."""
    welcome(database, "anna", "ben")
    return database
