"""The event log by the month in which each game began: on PostgreSQL, a partition for each month."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_COLUMNS = "game_id, seq, action, actor_id, at_ms, key"
_KEY = "ux_events_game_id_key"
# Months since January 1970, as `app.clock.month_of` counts them.
_MONTH_ON_SQLITE = (
    "(CAST(strftime('%Y', games.started_ms / 1000, 'unixepoch') AS INTEGER) - 1970) * 12"
    " + CAST(strftime('%m', games.started_ms / 1000, 'unixepoch') AS INTEGER) - 1"
)
_BEGAN = "to_timestamp(games.started_ms / 1000) AT TIME ZONE 'UTC'"
_MONTH_ON_POSTGRES = f"(EXTRACT(YEAR FROM {_BEGAN})::integer - 1970) * 12 + EXTRACT(MONTH FROM {_BEGAN})::integer - 1"


def upgrade() -> None:
    op.create_table(
        "detached_months",
        sa.Column("month", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("month", name="pk_detached_months"),
    )
    op.execute("ALTER TABLE events RENAME TO old_events")
    if op.get_bind().dialect.name == "sqlite":
        _create_on_sqlite("events", with_month=True)
        _copy("old_events", "events", _MONTH_ON_SQLITE)
        op.drop_table("old_events")
        _index(["game_id", "key", "month"])
        _guard_on_sqlite()
        return
    _make_way_on_postgres()
    op.create_table(
        "events",
        *_columns(with_month=True),
        sa.PrimaryKeyConstraint("game_id", "seq", "month", name="pk_events"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_events_game_id"),
        postgresql_partition_by="LIST (month)",
    )
    _index(["game_id", "key", "month"])
    op.execute("CREATE TABLE events_other PARTITION OF events DEFAULT")
    months = op.get_bind().execute(sa.text(f"SELECT DISTINCT {_MONTH_ON_POSTGRES} FROM games"))  # noqa: S608 - constants
    today = datetime.now(UTC)
    this_month = (today.year - 1970) * 12 + today.month - 1
    for month in sorted({*months.scalars(), *range(this_month, this_month + 4)}):
        name = f"events_{1970 + month // 12}_{month % 12 + 1:02}"
        op.execute(f"CREATE TABLE {name} PARTITION OF events FOR VALUES IN ({month})")
    _copy("old_events", "events", _MONTH_ON_POSTGRES)
    op.drop_table("old_events")
    _guard_on_postgres()


def downgrade() -> None:
    op.drop_table("detached_months")
    op.execute("ALTER TABLE events RENAME TO old_events")
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    if is_sqlite:
        _create_on_sqlite("events", with_month=False)
    else:
        _make_way_on_postgres()
        op.create_table(
            "events",
            *_columns(with_month=False),
            sa.PrimaryKeyConstraint("game_id", "seq", name="pk_events"),
            sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_events_game_id"),
        )
    op.execute(f"INSERT INTO events ({_COLUMNS}) SELECT {_COLUMNS} FROM old_events")  # noqa: S608 - constants
    op.drop_table("old_events")
    _index(["game_id", "key"])
    if is_sqlite:
        _guard_on_sqlite()
    else:
        _guard_on_postgres()


def _columns(*, with_month: bool) -> list[sa.Column[Any]]:
    columns: list[sa.Column[Any]] = [
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("actor_id", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("key", sa.Text),
    ]
    return [*columns, sa.Column("month", sa.Integer, nullable=False)] if with_month else columns


def _create_on_sqlite(table: str, *, with_month: bool) -> None:
    op.drop_index(_KEY, "old_events")
    op.create_table(
        table,
        *_columns(with_month=with_month),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_events"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_events_game_id"),
        sqlite_with_rowid=False,
    )


def _make_way_on_postgres() -> None:
    """Names of constraints and indexes are taken as long as the old table has them; its triggers go with it."""
    op.drop_index(_KEY, "old_events")
    op.drop_constraint("pk_events", "old_events", type_="primary")
    op.drop_constraint("fk_events_game_id", "old_events", type_="foreignkey")


def _copy(source: str, target: str, month: str) -> None:
    columns = ", ".join(f"{source}.{name}" for name in _COLUMNS.split(", "))
    op.execute(
        f"INSERT INTO {target} ({_COLUMNS}, month) SELECT {columns}, {month} FROM {source} "  # noqa: S608 - constants
        f"JOIN games ON games.id = {source}.game_id ORDER BY {source}.game_id, {source}.seq"
    )


def _index(columns: list[str]) -> None:
    op.create_index(
        _KEY,
        "events",
        columns,
        unique=True,
        sqlite_where=sa.text("key IS NOT NULL"),
        postgresql_where=sa.text("key IS NOT NULL"),
    )


def _guard_on_sqlite() -> None:
    op.execute(
        "CREATE TRIGGER events_no_update BEFORE UPDATE ON events "
        "BEGIN SELECT RAISE(ABORT, 'events is append-only'); END"
    )
    op.execute(
        "CREATE TRIGGER events_no_delete BEFORE DELETE ON events "
        "WHEN OLD.game_id NOT IN (SELECT game_id FROM expiring_games) "
        "BEGIN SELECT RAISE(ABORT, 'events is append-only'); END"
    )


def _guard_on_postgres() -> None:
    """Triggers for each row hold in every partition, also in those that come later."""
    op.execute(
        "CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events "
        "FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
    )
    op.execute(
        "CREATE TRIGGER events_append_only BEFORE UPDATE ON events "
        "FOR EACH ROW EXECUTE FUNCTION append_only()"
    )
    op.execute(
        "CREATE TRIGGER events_no_delete BEFORE DELETE ON events "
        "FOR EACH ROW EXECUTE FUNCTION whole_games_only()"
    )
