"""Favourites: the games that a player has marked."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "favourites",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("added_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "ruleset", name="pk_favourites"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_favourites_player_id"),
    )


def downgrade() -> None:
    op.drop_table("favourites")
