"""At which versions of a game its player was given hints: a review leaves the moves after them out of the figures."""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Of hints given before, only the number is known.
    op.add_column("hints_given", sa.Column("versions", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("hints_given", "versions")
