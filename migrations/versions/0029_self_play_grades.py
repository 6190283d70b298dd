"""Grades by self-play, which count the cards brought home, too. Older grades have none and are computed anew."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("deal_grades", sa.Column("home", sa.Integer))


def downgrade() -> None:
    op.drop_column("deal_grades", "home")
