"""Open races: the rooms that their hosts have listed for everyone."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("races", sa.Column("listed_by", sa.Text))
    op.add_column("races", sa.Column("listed_ms", sa.BigInteger))
    _add_index("ux_races_listed_by", ["listed_by"], unique=True)
    _add_index("ix_races_listed_ms", ["listed_ms", "code"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_races_listed_ms", "races")
    op.drop_index("ux_races_listed_by", "races")
    op.drop_column("races", "listed_ms")
    op.drop_column("races", "listed_by")


def _add_index(name: str, columns: list[str], *, unique: bool) -> None:
    where = sa.text(f"{columns[0]} IS NOT NULL")
    op.create_index(
        name, "races", columns, unique=unique, sqlite_where=where, postgresql_where=where
    )
