"""The language that the owner of an account has chosen."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("language", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("accounts", "language")
