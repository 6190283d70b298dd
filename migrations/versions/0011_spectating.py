"""Who may watch a game."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audiences",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("audience", sa.Text, nullable=False),
        sa.Column("listed_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("game_id", name="pk_audiences"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_audiences_game_id"),
    )
    listed = sa.text("listed_ms IS NOT NULL")
    op.create_index(
        "ix_audiences_listed",
        "audiences",
        ["listed_ms", "game_id"],
        sqlite_where=listed,
        postgresql_where=listed,
    )


def downgrade() -> None:
    op.drop_table("audiences")
