"""Passkeys, the challenges that wait for them, and authenticator apps."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("credential_id", sa.LargeBinary, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("user_handle", sa.LargeBinary, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("transports", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("used_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("credential_id", name="pk_passkeys"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_passkeys_player_id"),
    )
    op.create_index("ix_passkeys_player_id", "passkeys", ["player_id"])
    op.create_table(
        "passkey_ceremonies",
        sa.Column("challenge", sa.LargeBinary, nullable=False),
        sa.Column("binding_hash", sa.LargeBinary, nullable=False),
        sa.Column("purpose", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text),
        sa.Column("user_handle", sa.LargeBinary),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("challenge", name="pk_passkey_ceremonies"),
    )
    op.create_index("ix_passkey_ceremonies_until_ms", "passkey_ceremonies", ["until_ms"])
    op.create_table(
        "authenticators",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("secret", sa.Text),
        sa.Column("confirmed_ms", sa.BigInteger),
        sa.Column("last_step", sa.BigInteger, nullable=False),
        sa.Column("pending_secret", sa.Text),
        sa.Column("pending_session_hash", sa.LargeBinary),
        sa.Column("pending_until_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("player_id", name="pk_authenticators"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_authenticators_player_id"),
    )


def downgrade() -> None:
    op.drop_table("authenticators")
    op.drop_table("passkey_ceremonies")
    op.drop_table("passkeys")
