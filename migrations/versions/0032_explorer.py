"""The explorer of deals: the lines of all runs, by position."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "explored_runs",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("run", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_explored_runs"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_explored_runs_game_id"),
        sa.UniqueConstraint("run", name="uq_explored_runs_run"),
    )
    op.create_table(
        "explored_steps",
        sa.Column("run", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("position", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("run", "position", name="pk_explored_steps"),
        sa.ForeignKeyConstraint(
            ["run"], ["explored_runs.run"], name="fk_explored_steps_run", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_explored_steps_position", "explored_steps", ["position", "run", "action"])
    op.create_table(
        "explored_chances",
        sa.Column("position", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("chances", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("position", name="pk_explored_chances"),
    )
    op.create_table(
        "explored_days",
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("day", "ruleset", name="pk_explored_days"),
    )


def downgrade() -> None:
    for table in ("explored_days", "explored_chances", "explored_steps", "explored_runs"):
        op.drop_table(table)
