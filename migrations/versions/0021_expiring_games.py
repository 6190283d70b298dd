"""Games of guests can expire: their logs may be deleted, but only whole and only on purpose.

Deleting events or digests is refused unless the same transaction has noted their game in ``expiring_games``, which is
empty outside of it. An event no longer refers to its player by a foreign key: checking that no event does would read
the whole table for each guest who is deleted.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_LOGS = ("events", "digests")
# Columns that refer to players or games, which are looked up when one of those is deleted.
_INDEXES = (
    ("refused_actions", "actor_id"),
    ("audit", "actor_id"),
    ("race_events", "player_id"),
    ("asks", "asker_id"),
    ("ask_answers", "player_id"),
    ("signs", "player_id"),
    ("shared_tables", "next_id"),
    ("origins", "forked_from"),
)
_COPY_EVENTS = (
    "INSERT INTO new_events (game_id, seq, action, actor_id, at_ms, key) "
    "SELECT game_id, seq, action, actor_id, at_ms, key FROM events"
)


def upgrade() -> None:
    op.create_table(
        "expiring_games",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_expiring_games"),
    )
    for table, column in _INDEXES:
        op.create_index(f"ix_{table}_{column}", table, [column])
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_events_on_sqlite(refers_to_players=False)
        op.execute("DROP TRIGGER digests_no_delete")
        for table in _LOGS:
            _guard_on_sqlite(table, "WHEN OLD.game_id NOT IN (SELECT game_id FROM expiring_games)")
        return
    op.drop_constraint("fk_events_actor_id", "events", type_="foreignkey")
    op.execute(
        "CREATE FUNCTION whole_games_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF EXISTS (SELECT 1 FROM expiring_games WHERE game_id = OLD.game_id) THEN RETURN OLD; END IF; "
        "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    for table in _LOGS:
        op.execute(f"DROP TRIGGER {table}_append_only ON {table}")
        _append_only_on_postgres(table, "UPDATE OR TRUNCATE")
        op.execute(
            f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION whole_games_only()"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER digests_no_delete")
        _rebuild_events_on_sqlite(refers_to_players=True)
        for table in _LOGS:
            _guard_on_sqlite(table, "")
    else:
        for table in _LOGS:
            op.execute(f"DROP TRIGGER {table}_no_delete ON {table}")
            op.execute(f"DROP TRIGGER {table}_append_only ON {table}")
            _append_only_on_postgres(table, "UPDATE OR DELETE OR TRUNCATE")
        op.execute("DROP FUNCTION whole_games_only()")
        op.create_foreign_key("fk_events_actor_id", "events", "players", ["actor_id"], ["id"])
    for table, column in _INDEXES:
        op.drop_index(f"ix_{table}_{column}", table)
    op.drop_table("expiring_games")


def _rebuild_events_on_sqlite(*, refers_to_players: bool) -> None:
    """SQLite cannot drop a constraint. Dropping the old table drops its index and its triggers, which do not fire."""
    keys = [sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_events_game_id")]
    if refers_to_players:
        keys.append(
            sa.ForeignKeyConstraint(["actor_id"], ["players.id"], name="fk_events_actor_id")
        )
    op.create_table(
        "new_events",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("actor_id", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("key", sa.Text),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_events"),
        *keys,
        sqlite_with_rowid=False,
    )
    op.execute(_COPY_EVENTS)
    op.drop_table("events")
    op.rename_table("new_events", "events")
    op.create_index(
        "ux_events_game_id_key",
        "events",
        ["game_id", "key"],
        unique=True,
        sqlite_where=sa.text("key IS NOT NULL"),
    )
    op.execute(
        "CREATE TRIGGER events_no_update BEFORE UPDATE ON events "
        "BEGIN SELECT RAISE(ABORT, 'events is append-only'); END"
    )


def _guard_on_sqlite(table: str, when: str) -> None:
    op.execute(
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {when} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    )


def _append_only_on_postgres(table: str, changes: str) -> None:
    op.execute(
        f"CREATE TRIGGER {table}_append_only BEFORE {changes} ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
    )
