"""Recovery codes, for players who forget their password."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "recovery_sets",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("made_ms", sa.BigInteger),
        sa.Column("secret", sa.LargeBinary),
        sa.Column("answered_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("player_id", name="pk_recovery_sets"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_recovery_sets_player_id"),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("code_hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "code_hash", name="pk_recovery_codes"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_recovery_codes_player_id"),
    )


def downgrade() -> None:
    op.drop_table("recovery_codes")
    op.drop_table("recovery_sets")
