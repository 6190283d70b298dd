"""What all tables share: how constraints are named, and how rows are counted."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Integer, MetaData

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

COUNTER: Final = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts in INTEGER only
