"""Shared tables and their seats, and the accounts that guests were merged into."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "shared_tables",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("shared_ms", sa.BigInteger, nullable=False),
        sa.Column("stirred_ms", sa.BigInteger, nullable=False),
        sa.Column("stir", sa.Integer, nullable=False),
        sa.Column("next_id", sa.Text),
        sa.PrimaryKeyConstraint("game_id", name="pk_shared_tables"),
        sa.UniqueConstraint("token", name="uq_shared_tables_token"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_shared_tables_game_id"),
        sa.ForeignKeyConstraint(["next_id"], ["games.id"], name="fk_shared_tables_next_id"),
    )
    op.create_table(
        "seats",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        sa.Column("moved", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_seats"),
        sa.ForeignKeyConstraint(["game_id"], ["shared_tables.game_id"], name="fk_seats_game_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_seats_player_id"),
    )
    op.create_index("ix_seats_player_id", "seats", ["player_id"])
    op.create_table(
        "former_guests",
        sa.Column("guest_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("guest_id", name="pk_former_guests"),
        sa.ForeignKeyConstraint(["guest_id"], ["players.id"], name="fk_former_guests_guest_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_former_guests_player_id"),
    )
    op.create_index("ix_former_guests_player_id", "former_guests", ["player_id"])


def downgrade() -> None:
    for table in ("former_guests", "seats", "shared_tables"):
        op.drop_table(table)
