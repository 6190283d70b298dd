"""Indexes of the sessions by when they were last used and when they began: expired ones are deleted every hour."""

from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_sessions_seen_ms", "sessions", ["seen_ms"])
    op.create_index("ix_sessions_created_ms", "sessions", ["created_ms"])


def downgrade() -> None:
    op.drop_index("ix_sessions_created_ms", "sessions")
    op.drop_index("ix_sessions_seen_ms", "sessions")
