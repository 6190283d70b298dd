"""Foresight: how far runs agree with the true order of hidden cards."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "foresights",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("z", sa.Double),
        sa.Column("excess", sa.Double),
        sa.Column("variance", sa.Double),
        sa.Column("choices", sa.Text),
        sa.Column("measured_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_foresights"),
        sa.ForeignKeyConstraint(
            ["game_id"], ["daily_attempts.game_id"], name="fk_foresights_game_id"
        ),
    )
    op.create_index("ix_foresights_z", "foresights", ["z"])


def downgrade() -> None:
    op.drop_table("foresights")
