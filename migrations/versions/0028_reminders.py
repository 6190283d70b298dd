"""Reminders of the daily deals by web push, and the site's key for the push services."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "push_reminders",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("auth", sa.LargeBinary, nullable=False),
        sa.Column("hour", sa.Integer, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("due_ms", sa.BigInteger, nullable=False),
        sa.Column("next_ms", sa.BigInteger, nullable=False),
        sa.Column("begun", sa.Integer, nullable=False),
        sa.Column("refused", sa.Integer, nullable=False),
        sa.Column("reminded_day", sa.Text),
        sa.Column("failing_since_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_push_reminders"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_push_reminders_player_id"),
        sa.UniqueConstraint("endpoint", name="uq_push_reminders_endpoint"),
    )
    op.create_index("ix_push_reminders_player_id", "push_reminders", ["player_id"])
    op.create_index("ix_push_reminders_next_ms", "push_reminders", ["next_ms"])
    op.create_table(
        "push_keys",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("private_key", sa.Text, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_push_keys"),
    )


def downgrade() -> None:
    op.drop_table("push_keys")
    op.drop_table("push_reminders")
