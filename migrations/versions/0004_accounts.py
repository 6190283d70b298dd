"""Names with passwords, devices of sessions, and counters of failed sign-ins."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "sessions", sa.Column("label", sa.Text, nullable=False, server_default=sa.text("''"))
    )
    op.create_table(
        "accounts",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("name_key", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("claimed_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_accounts"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_accounts_player_id"),
        sa.UniqueConstraint("name_key", name="uq_accounts_name_key"),
    )
    op.create_table(
        "tallies",
        sa.Column("bucket", sa.LargeBinary, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("bucket", name="pk_tallies"),
    )
    op.create_index("ix_tallies_until_ms", "tallies", ["until_ms"])


def downgrade() -> None:
    op.drop_table("tallies")
    op.drop_table("accounts")
    op.drop_column("sessions", "label")
