"""Games with help from hidden cards, and the questions asked."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "assists",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_assists"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_assists_game_id"),
    )
    op.create_table(
        "questions",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
        sa.Column("answer", sa.Text),
        sa.PrimaryKeyConstraint("game_id", "topic", "version", name="pk_questions"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_questions_game_id"),
    )


def downgrade() -> None:
    op.drop_table("questions")
    op.drop_table("assists")
