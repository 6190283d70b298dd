"""The origin of forks and imported games, and an index of games by deal code."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "origins",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("forked_from", sa.Text),
        sa.Column("forked_at", sa.Integer),
        sa.PrimaryKeyConstraint("game_id", name="pk_origins"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_origins_game_id"),
        sa.ForeignKeyConstraint(["forked_from"], ["games.id"], name="fk_origins_forked_from"),
        sa.CheckConstraint(
            "(forked_from IS NULL) = (forked_at IS NULL)", name="ck_origins_whole_fork"
        ),
    )
    op.create_index("ix_games_code", "games", ["code"])


def downgrade() -> None:
    op.drop_index("ix_games_code", "games")
    op.drop_table("origins")
