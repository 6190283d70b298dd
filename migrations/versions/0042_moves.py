"""The moves of each game, as people count them: without what was undone where there are no ranks."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

# What holds where nothing was undone, and in games with ranks always: every action except to resign.
_EVERY_ACTION = "UPDATE games SET moves = version - CASE WHEN status = 'resigned' THEN 1 ELSE 0 END WHERE version > 0"

# From the logs alone, in two passes of the database: a restart begins at 0 again, and what it took back can only be
# redone, never undone. Games whose log was archived keep every action.
_IN_EFFECT = """
UPDATE games SET moves = counted.moves
FROM (
    SELECT events.game_id,
           SUM(CASE action WHEN 'undo' THEN -1 WHEN 'restart' THEN 0 WHEN 'resign' THEN 0 ELSE 1 END) AS moves
    FROM events JOIN (
        SELECT game_id, MAX(CASE action WHEN 'restart' THEN seq ELSE 1 END) AS first_seq
        FROM events GROUP BY game_id
        HAVING MAX(CASE WHEN action IN ('undo', 'redo', 'restart') THEN 1 ELSE 0 END) = 1
    ) AS starts ON starts.game_id = events.game_id AND events.seq >= starts.first_seq
    GROUP BY events.game_id
) AS counted
WHERE games.id = counted.game_id AND games.kind IN ('open', 'shared', 'ghost')
"""

_ENDED = sa.text("status <> 'playing'")


def upgrade() -> None:
    op.add_column("games", sa.Column("moves", sa.Integer, nullable=False, server_default="0"))
    op.execute(_EVERY_ACTION)
    op.execute(_IN_EFFECT)
    _index_by("moves")


def downgrade() -> None:
    _index_by("version")
    op.drop_column("games", "moves")


def _index_by(column: str) -> None:
    """Ended games by length, for the list in the admin pages."""
    op.drop_index("ix_games_length", "games")
    op.create_index(
        "ix_games_length",
        "games",
        [column, "id"],
        sqlite_where=_ENDED,
        postgresql_where=_ENDED,
    )
