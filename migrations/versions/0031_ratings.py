"""Ratings, and the races and daily deals that they follow from."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rated_events",
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("family", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_rated_events"),
        sa.UniqueConstraint("key", name="uq_rated_events_key"),
    )
    op.create_index("ix_rated_events_family_number", "rated_events", ["family", "number"])
    op.create_table(
        "rated_results",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("number", "player_id", name="pk_rated_results"),
        sa.ForeignKeyConstraint(
            ["number"], ["rated_events.number"], name="fk_rated_results_number"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_rated_results_player_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_rated_results_game_id"),
        sa.UniqueConstraint("game_id", name="uq_rated_results_game_id"),
    )
    op.create_index("ix_rated_results_player_id", "rated_results", ["player_id"])
    op.create_table(
        "ratings",
        sa.Column("family", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("mean", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("family", "player_id", name="pk_ratings"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_ratings_player_id"),
    )
    op.create_index("ix_ratings_player_id", "ratings", ["player_id"])
    op.create_index("ix_ratings_family_mean", "ratings", ["family", "mean"])


def downgrade() -> None:
    op.drop_table("ratings")
    op.drop_table("rated_results")
    op.drop_table("rated_events")
