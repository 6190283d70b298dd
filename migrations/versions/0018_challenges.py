"""Challenges, and attempts at them."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ghosts",
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("maker_id", sa.Text, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token", name="pk_ghosts"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_ghosts_game_id"),
        sa.ForeignKeyConstraint(["maker_id"], ["players.id"], name="fk_ghosts_maker_id"),
    )
    op.create_index("ix_ghosts_game_id", "ghosts", ["game_id"])
    op.create_index("ix_ghosts_maker_id", "ghosts", ["maker_id"])
    op.create_table(
        "ghost_tries",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_ghost_tries"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_ghost_tries_game_id"),
        sa.ForeignKeyConstraint(["token"], ["ghosts.token"], name="fk_ghost_tries_token"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_ghost_tries_player_id"),
    )
    op.create_index("ix_ghost_tries_player_id", "ghost_tries", ["player_id"])
    op.create_index("ix_ghost_tries_token", "ghost_tries", ["token"])
    which = sa.text("counts")
    op.create_index(
        "ux_ghost_tries_counting",
        "ghost_tries",
        ["token", "player_id"],
        unique=True,
        sqlite_where=which,
        postgresql_where=which,
    )


def downgrade() -> None:
    for table in ("ghost_tries", "ghosts"):
        op.drop_table(table)
