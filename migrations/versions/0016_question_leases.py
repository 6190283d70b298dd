"""Leases and progress of questions."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("questions", sa.Column("worker", sa.Text))
    op.add_column("questions", sa.Column("until_ms", sa.BigInteger))
    op.add_column("questions", sa.Column("percent", sa.Integer))


def downgrade() -> None:
    for name in ("percent", "until_ms", "worker"):
        op.drop_column("questions", name)
