"""Names that look alike by Unicode's data: a second key beside the one that players sign in with.

Of two names that look alike already, both stay: the key is not unique, and only new names are compared with it.
"""

import sqlalchemy as sa
from alembic import op

# The shapes of today: those that are stored later must match them.
from app.identity.name_keys import name_shape

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("accounts", "withdrawn_names"):
        column = sa.Column("name_shape", sa.Text, nullable=False, server_default=sa.text("''"))
        op.add_column(table, column)
    connection = op.get_bind()
    names = "SELECT accounts.player_id, name FROM accounts JOIN players ON players.id = accounts.player_id"
    for player_id, name in connection.execute(sa.text(names)).all():
        connection.execute(
            sa.text("UPDATE accounts SET name_shape = :shape WHERE player_id = :id"),
            {"shape": name_shape(name), "id": player_id},
        )
    for key, name in connection.execute(
        sa.text("SELECT name_key, name FROM withdrawn_names")
    ).all():
        connection.execute(
            sa.text("UPDATE withdrawn_names SET name_shape = :shape WHERE name_key = :key"),
            {"shape": name_shape(name), "key": key},
        )
    for table in ("accounts", "withdrawn_names"):
        op.create_index(f"ix_{table}_name_shape", table, ["name_shape"])


def downgrade() -> None:
    for table in ("accounts", "withdrawn_names"):
        op.drop_index(f"ix_{table}_name_shape", table)
        op.drop_column(table, "name_shape")
