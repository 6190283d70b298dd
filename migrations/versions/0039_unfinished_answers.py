"""What a search has found so far, for the page that waits for its answer."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("questions", sa.Column("found", sa.Text))


def downgrade() -> None:
    op.drop_column("questions", "found")
