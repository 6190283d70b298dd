"""Race rooms: their event logs, and when each player last requested them."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "races",
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("previous", sa.Text),
        sa.Column("opened_ms", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.Column("void_ms", sa.BigInteger),
        sa.Column("due_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("code", name="pk_races"),
        sa.ForeignKeyConstraint(["previous"], ["races.code"], name="fk_races_previous"),
        sa.UniqueConstraint("previous", name="uq_races_previous"),
    )
    op.create_index("ix_races_due_ms", "races", ["due_ms"])
    op.create_index("ix_races_seed", "races", ["seed"])
    op.create_table(
        "race_events",
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("code", "seq", name="pk_race_events"),
        sa.ForeignKeyConstraint(["code"], ["races.code"], name="fk_race_events_code"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_race_events_player_id"),
        sqlite_with_rowid=False,
    )
    _make_append_only("race_events")
    op.create_table(
        "race_seats",
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("tab", sa.Text, nullable=False, server_default=""),
        sa.Column("game_id", sa.Text),
        sa.PrimaryKeyConstraint("code", "player_id", name="pk_race_seats"),
        sa.ForeignKeyConstraint(["code"], ["races.code"], name="fk_race_seats_code"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_race_seats_player_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_race_seats_game_id"),
        sa.UniqueConstraint("game_id", name="uq_race_seats_game_id"),
    )
    op.create_index("ix_race_seats_player_id", "race_seats", ["player_id"])


def downgrade() -> None:
    for table in ("race_seats", "race_events", "races"):
        op.drop_table(table)


def _make_append_only(table: str) -> None:
    """Make the database refuse to change or delete rows. On PostgreSQL, 0001 created the function."""
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
        return
    op.execute(
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
    )
