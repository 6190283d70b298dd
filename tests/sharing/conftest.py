from __future__ import annotations

import pytest

from app.daily.repository import is_private
from app.db.engine import Database
from app.games.service import GameService
from tests.support.serving import welcome


@pytest.fixture
def database(database: Database) -> Database:
    """A migrated database with the players anna and ben."""
    welcome(database, "anna", "ben")
    return database


@pytest.fixture
def play(database: Database) -> GameService:
    """The game service, which asks whether the day of a daily deal has closed."""
    return GameService(database, is_ranked_private=is_private)
