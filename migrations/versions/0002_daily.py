"""Daily deals, attempts at them, and leases for work that only one process does."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "leases",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )
    op.create_table(
        "daily_deals",
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("verified", sa.Boolean),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("closed_ms", sa.BigInteger),
        sa.Column("record", sa.Text),
        sa.PrimaryKeyConstraint("day", "ruleset", name="pk_daily_deals"),
    )
    op.create_table(
        "daily_attempts",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("device", sa.LargeBinary),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.Column("actions", sa.Integer),
        sa.Column("seconds", sa.Integer),
        sa.Column("cards_home", sa.Integer),
        sa.Column("checked", sa.Boolean, nullable=False),
        sa.Column("digest", sa.Text),
        sa.Column("reason", sa.Text),
        sa.PrimaryKeyConstraint("game_id", name="pk_daily_attempts"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_daily_attempts_game_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_daily_attempts_player_id"),
        sa.ForeignKeyConstraint(
            ["day", "ruleset"],
            ["daily_deals.day", "daily_deals.ruleset"],
            name="fk_daily_attempts_day_ruleset",
        ),
        sa.UniqueConstraint("day", "ruleset", "player_id", name="uq_daily_attempts_player"),
        sa.UniqueConstraint("day", "ruleset", "device", name="uq_daily_attempts_device"),
    )
    op.create_index("ix_daily_attempts_player_id_day", "daily_attempts", ["player_id", "day"])
    for verdict, columns in (
        ("solved", ("listed", "actions", "seconds")),
        ("unsolved", ("listed", "cards_home")),
        ("removed", ()),
    ):
        _index(verdict, ("day", "ruleset", *columns, "game_id"), f"verdict = '{verdict}'")
    _index("unchecked", ("day", "ruleset", "game_id"), "NOT checked")


def downgrade() -> None:
    for table in ("daily_attempts", "daily_deals", "leases"):
        op.drop_table(table)


def _index(name: str, columns: tuple[str, ...], where: str) -> None:
    op.create_index(
        f"ix_daily_attempts_{name}",
        "daily_attempts",
        list(columns),
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(where),
    )
