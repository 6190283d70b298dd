"""Accounts elsewhere, by which players sign in, and sign-ins on their way."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "openid_accounts",
        sa.Column("issuer", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("linked_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject", name="pk_openid_accounts"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_openid_accounts_player_id"),
        sa.UniqueConstraint("player_id", "issuer", name="uq_openid_accounts_player_id"),
    )
    texts = ("kind", "back", "nonce", "verifier", "player_id", "issuer", "subject")
    op.create_table(
        "openid_flows",
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in texts),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_openid_flows"),
    )
    op.create_index("ix_openid_flows_until_ms", "openid_flows", ["until_ms"])


def downgrade() -> None:
    op.drop_table("openid_flows")
    op.drop_table("openid_accounts")
