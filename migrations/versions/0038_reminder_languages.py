"""The language in which a reminder was turned on."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "push_reminders", sa.Column("language", sa.Text, nullable=False, server_default="")
    )


def downgrade() -> None:
    op.drop_column("push_reminders", "language")
