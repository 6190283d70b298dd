"""Which moves the site chose for the player: those of an automatic finish, and safe cards that went home.

Of earlier events that is not known: they have no mark, and so nothing is said of them. Neither database writes the log
again for this.
"""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    mark = sa.Column("automatic", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("events", mark)


def downgrade() -> None:
    op.drop_column("events", "automatic")
