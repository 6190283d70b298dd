"""Authenticator apps for the tests of running sites."""

from __future__ import annotations

import time

import pyotp
from sqlalchemy import select

from app.db.engine import Database
from app.db.schema import accounts
from app.identity.name_keys import name_key
from app.identity.second_factor import repository
from app.identity.second_factor.sealing import SecretSealer


def new_code(database_url: str, name: str) -> str:
    """A code of a new authenticator app, which replaces any other: a code of that one may be used up for 30 seconds."""
    secret, database = pyotp.random_base32(), Database(database_url)
    stored = SecretSealer().seal(secret)
    query = select(accounts.c.player_id).where(accounts.c.name_key == name_key(name))
    with database.engine.begin() as connection:
        player_id = connection.execute(query).scalar_one()
    # A transaction that has read cannot wait for its turn to write, and the site writes at the same time.
    with database.engine.begin() as connection:
        repository.store_confirmed(connection, player_id, stored, int(time.time() * 1000))
    database.engine.dispose()
    return pyotp.TOTP(secret).now()
