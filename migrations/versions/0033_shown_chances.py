"""Games whose watchers are shown the chance to win, which counts as help."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    shown = sa.Column("is_shown", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("assists", shown)


def downgrade() -> None:
    op.drop_column("assists", "is_shown")
