"""Integrity signals of games, fingerprints of logs, progress of the scan; devices and connections."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_IS_FLAGGED = sa.text("flags <> 0")


def upgrade() -> None:
    op.add_column("games", sa.Column("flags", sa.Integer, nullable=False, server_default="0"))
    op.create_index(
        "ix_games_flagged",
        "games",
        ["started_ms", "id"],
        sqlite_where=_IS_FLAGGED,
        postgresql_where=_IS_FLAGGED,
    )
    op.create_table(
        "fingerprints",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("run", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_fingerprints"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_fingerprints_game_id"),
    )
    op.create_index("ix_fingerprints_run", "fingerprints", ["run"])
    op.create_table(
        "bookmarks",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_bookmarks"),
    )
    op.create_table(
        "sightings",
        sa.Column("seq", _COUNTER, nullable=False, autoincrement=True),
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("client", sa.Text, nullable=False),
        sa.Column("place", sa.LargeBinary, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_sightings"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_sightings_game_id"),
    )
    op.create_index("ix_sightings_game_id_seq", "sightings", ["game_id", "seq"])
    op.create_index("ix_sightings_place", "sightings", ["place"])
    op.create_index("ix_sightings_at_ms", "sightings", ["at_ms"])


def downgrade() -> None:
    for table in ("sightings", "bookmarks", "fingerprints"):
        op.drop_table(table)
    op.drop_index("ix_games_flagged", "games")
    op.drop_column("games", "flags")
