"""How well the runs of closed days were played."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "judgements",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("accuracy", sa.Double),
        sa.Column("luck", sa.Double),
        sa.Column("judged_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_judgements"),
        sa.ForeignKeyConstraint(
            ["game_id"], ["daily_attempts.game_id"], name="fk_judgements_game_id"
        ),
    )


def downgrade() -> None:
    op.drop_table("judgements")
