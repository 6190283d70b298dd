"""Roles, re-authentications, the audit log, refused actions, log digests, and indexes for the game list."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_APPEND_ONLY = ("audit", "digests")
_LIST_INDEXES = (
    ("ix_games_started", ["started_ms", "id"], None),
    ("ix_games_ruleset_started", ["ruleset", "started_ms", "id"], None),
    ("ix_games_special", ["kind", "started_ms", "id"], "kind <> 'open'"),
    ("ix_games_ended", ["updated_ms", "id"], "status <> 'playing'"),
    ("ix_games_length", ["version", "id"], "status <> 'playing'"),
)


def upgrade() -> None:
    _make_roles()
    _make_audit()
    _make_refused_actions()
    op.create_table(
        "digests",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "version", name="pk_digests"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_digests_game_id"),
    )
    for table in _APPEND_ONLY:
        _make_append_only(table)
    op.create_index("ix_players_name", "players", ["name"])
    for name, columns, which in _LIST_INDEXES:
        where = sa.text(which) if which else None
        op.create_index(name, "games", columns, sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    for name, _, _ in _LIST_INDEXES:
        op.drop_index(name, "games")
    op.drop_index("ix_players_name", "players")
    for table in ("digests", "refused_actions", "audit", "admin_entries", "roles"):
        op.drop_table(table)


def _make_roles() -> None:
    op.create_table(
        "roles",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("granted_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_roles"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_roles_player_id"),
    )
    op.create_table(
        "admin_entries",
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("session_hash", sa.LargeBinary, nullable=False),
        sa.Column("entered_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_admin_entries"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_admin_entries_player_id"),
    )
    op.create_index("ix_admin_entries_player_id", "admin_entries", ["player_id"])


def _make_audit() -> None:
    op.create_table(
        "audit",
        sa.Column("seq", _COUNTER, nullable=False, autoincrement=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("actor_id", sa.Text),
        sa.Column("act", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_audit"),
        sa.ForeignKeyConstraint(["actor_id"], ["players.id"], name="fk_audit_actor_id"),
    )
    op.create_index("ix_audit_subject_seq", "audit", ["subject", "seq"])


def _make_refused_actions() -> None:
    op.create_table(
        "refused_actions",
        sa.Column("seq", _COUNTER, nullable=False, autoincrement=True),
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("seen", sa.Integer, nullable=False),
        sa.Column("actor_id", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("sentence", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_refused_actions"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_refused_actions_game_id"),
        sa.ForeignKeyConstraint(["actor_id"], ["players.id"], name="fk_refused_actions_actor_id"),
    )
    op.create_index("ix_refused_actions_game_id_seq", "refused_actions", ["game_id", "seq"])
    op.create_index("ix_refused_actions_at_ms", "refused_actions", ["at_ms"])


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
