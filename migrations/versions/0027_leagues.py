"""Leagues of friends over the daily deals, and their members."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "leagues",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("id", "link", "name", "games")),
        sa.Column("founded_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_leagues"),
        sa.UniqueConstraint("link", name="uq_leagues_link"),
    )
    op.create_table(
        "league_members",
        sa.Column("league_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("is_removed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("league_id", "player_id", name="pk_league_members"),
        sa.ForeignKeyConstraint(["league_id"], ["leagues.id"], name="fk_league_members_league_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_league_members_player_id"),
    )
    op.create_index("ix_league_members_player_id", "league_members", ["player_id"])


def downgrade() -> None:
    for table in ("league_members", "leagues"):
        op.drop_table(table)
