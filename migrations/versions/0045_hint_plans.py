"""The plan that the latest hint of a game began, which every process can follow, and after a restart, too."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hint_plans",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("positions", sa.Integer, nullable=False),
        sa.Column("chance", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("actions", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_hint_plans"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_hint_plans_game_id"),
    )


def downgrade() -> None:
    op.drop_table("hint_plans")
