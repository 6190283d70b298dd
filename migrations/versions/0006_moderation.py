"""Moderation: hidden results, suspended players, withdrawn names, and the reasons."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_HAS_REASON = sa.text("reason IS NOT NULL")


def upgrade() -> None:
    op.add_column("audit", sa.Column("reason", sa.Text))
    op.create_index(
        "ix_audit_reasoned",
        "audit",
        ["at_ms"],
        sqlite_where=_HAS_REASON,
        postgresql_where=_HAS_REASON,
    )
    op.add_column("daily_attempts", sa.Column("stood", sa.Text))
    op.create_table(
        "suspensions",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_suspensions"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_suspensions_player_id"),
    )
    op.create_table(
        "withdrawn_names",
        sa.Column("name_key", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("withdrawn_ms", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name_key", name="pk_withdrawn_names"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_withdrawn_names_player_id"),
    )
    op.create_index("ix_withdrawn_names_player_id", "withdrawn_names", ["player_id"])


def downgrade() -> None:
    op.drop_table("withdrawn_names")
    op.drop_table("suspensions")
    op.drop_column("daily_attempts", "stood")
    op.drop_index("ix_audit_reasoned", "audit")
    op.drop_column("audit", "reason")
