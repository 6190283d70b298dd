"""Presence: which players are connected to which process."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "live_processes",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_live_processes"),
    )
    op.create_table(
        "presence",
        sa.Column("process_id", sa.Text, nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("viewers", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("process_id", "topic", "player_id", name="pk_presence"),
        sa.ForeignKeyConstraint(
            ["process_id"],
            ["live_processes.id"],
            name="fk_presence_process_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_presence_topic", "presence", ["topic"])


def downgrade() -> None:
    op.drop_table("presence")
    op.drop_table("live_processes")
