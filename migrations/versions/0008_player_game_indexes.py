"""Indexes of a player's games that a move does not have to update."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_PLAYING = sa.text("status = 'playing'")
_ENDED = sa.text("status <> 'playing'")


def upgrade() -> None:
    op.drop_index("ix_games_owner_id_updated_ms", "games")
    op.create_index("ix_games_owner_id_started_ms", "games", ["owner_id", "started_ms"])
    op.create_index(
        "ix_games_owner_playing",
        "games",
        ["owner_id", "id"],
        sqlite_where=_PLAYING,
        postgresql_where=_PLAYING,
    )
    op.create_index(
        "ix_games_owner_ended",
        "games",
        ["owner_id", "updated_ms", "id"],
        sqlite_where=_ENDED,
        postgresql_where=_ENDED,
    )


def downgrade() -> None:
    for name in ("owner_ended", "owner_playing", "owner_id_started_ms"):
        op.drop_index(f"ix_games_{name}", "games")
    op.create_index("ix_games_owner_id_updated_ms", "games", ["owner_id", "updated_ms"])
