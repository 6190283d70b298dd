"""The player behind a connection to a game, for shared tables."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sightings", sa.Column("player_id", sa.Text))


def downgrade() -> None:
    op.drop_column("sightings", "player_id")
