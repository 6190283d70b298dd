"""The time that each game was played: the gaps between the deal and its events, except those over a minute."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

# A time before that of an earlier event, when the clock was set back, counts as that one.
_COUNT = """
UPDATE games SET played_ms = (
    SELECT COALESCE(SUM(CASE WHEN at_ms > before_ms AND at_ms - before_ms <= 60000
                             THEN at_ms - before_ms ELSE 0 END), 0)
    FROM (
        SELECT at_ms, COALESCE(MAX(at_ms) OVER (ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
                               games.started_ms) AS before_ms
        FROM events WHERE game_id = games.id
    ) AS steps
) WHERE version > 0
"""


def upgrade() -> None:
    op.add_column(
        "games", sa.Column("played_ms", sa.BigInteger, nullable=False, server_default="0")
    )
    op.execute(_COUNT)


def downgrade() -> None:
    op.drop_column("games", "played_ms")
