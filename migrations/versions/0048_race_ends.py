"""An index of races by when they ended: ratings look for the latest ones twice a minute."""

from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_races_ended_ms", "races", ["ended_ms"])


def downgrade() -> None:
    op.drop_index("ix_races_ended_ms", "races")
