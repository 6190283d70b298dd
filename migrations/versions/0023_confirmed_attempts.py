"""Daily attempts that are not confirmed, and the networks that attempts were started from, as hashes."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_TABLE = "daily_attempts"
_SOLVED = ["day", "ruleset", "listed", "actions", "seconds", "game_id"]


def upgrade() -> None:
    op.add_column(_TABLE, sa.Column("unconfirmed", sa.Text))
    op.add_column(_TABLE, sa.Column("network", sa.LargeBinary))
    _replace_index([*_SOLVED, "unconfirmed"])
    _index("network", ["day", "ruleset", "network"], "network IS NOT NULL")


def downgrade() -> None:
    op.drop_index("ix_daily_attempts_network", _TABLE)
    _replace_index(_SOLVED)
    op.drop_column(_TABLE, "network")
    op.drop_column(_TABLE, "unconfirmed")


def _replace_index(columns: list[str]) -> None:
    op.drop_index("ix_daily_attempts_solved", _TABLE)
    _index("solved", columns, "verdict = 'solved'")


def _index(name: str, columns: list[str], where: str) -> None:
    op.create_index(
        f"ix_daily_attempts_{name}",
        _TABLE,
        columns,
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(where),
    )
