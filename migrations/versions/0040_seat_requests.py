"""Requests for a seat at a shared table, from people who have its address and not its invitation."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "seat_requests",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_seat_requests"),
        sa.ForeignKeyConstraint(
            ["game_id"], ["shared_tables.game_id"], name="fk_seat_requests_game_id"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_seat_requests_player_id"),
    )
    op.create_index("ix_seat_requests_player_id", "seat_requests", ["player_id"])


def downgrade() -> None:
    op.drop_index("ix_seat_requests_player_id", "seat_requests")
    op.drop_table("seat_requests")
