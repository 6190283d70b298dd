"""How many hints the players of games were given."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hints_given",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_hints_given"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_hints_given_game_id"),
    )


def downgrade() -> None:
    op.drop_table("hints_given")
