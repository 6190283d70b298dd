"""Counters for the dashboard."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def _count(name: str, kind: type[sa.Integer] = sa.BigInteger) -> "sa.Column[int]":
    return sa.Column(name, kind, nullable=False)


def upgrade() -> None:
    op.create_table(
        "traffic",
        sa.Column("minute_ms", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("route", sa.Text, nullable=False),
        _count("requests", sa.Integer),
        _count("faults", sa.Integer),
        _count("timed", sa.Integer),
        _count("took_us"),
        _count("slowest_us"),
        sa.Column("slowest_id", sa.Text, nullable=False),
        sa.Column("fault_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("minute_ms", "route", name="pk_traffic"),
    )
    op.create_table(
        "site_days",
        sa.Column("day", sa.Text, nullable=False),
        *map(_count, ("requests", "faults", "accepted", "refused", "late")),
        sa.PrimaryKeyConstraint("day", name="pk_site_days"),
    )
    op.create_table(
        "game_days",
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        *(_count(name, sa.Integer) for name in ("begun", "ended", "won", "players")),
        _count("counted_ms"),
        sa.PrimaryKeyConstraint("day", "ruleset", name="pk_game_days"),
    )


def downgrade() -> None:
    for table in ("game_days", "site_days", "traffic"):
        op.drop_table(table)
