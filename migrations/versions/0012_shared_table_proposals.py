"""Proposals and signals at shared tables."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_TABLE = ["shared_tables.game_id"]
_PLAYER = ["players.id"]


def upgrade() -> None:
    op.create_table(
        "asks",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("asker_id", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.Text),
        sa.PrimaryKeyConstraint("game_id", "number", name="pk_asks"),
        sa.ForeignKeyConstraint(["game_id"], _TABLE, name="fk_asks_game_id"),
        sa.ForeignKeyConstraint(["asker_id"], _PLAYER, name="fk_asks_asker_id"),
    )
    op.create_table(
        "ask_answers",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("agrees", sa.Boolean),
        sa.PrimaryKeyConstraint("game_id", "number", "player_id", name="pk_ask_answers"),
        sa.ForeignKeyConstraint(
            ["game_id", "number"],
            ["asks.game_id", "asks.number"],
            name="fk_ask_answers_game_id_number",
        ),
        sa.ForeignKeyConstraint(["player_id"], _PLAYER, name="fk_ask_answers_player_id"),
    )
    op.create_table(
        "signs",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("saying", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_signs"),
        sa.ForeignKeyConstraint(["game_id"], _TABLE, name="fk_signs_game_id"),
        sa.ForeignKeyConstraint(["player_id"], _PLAYER, name="fk_signs_player_id"),
    )


def downgrade() -> None:
    for table in ("signs", "ask_answers", "asks"):
        op.drop_table(table)
