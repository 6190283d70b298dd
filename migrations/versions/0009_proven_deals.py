"""The stock of proven deals, and the difficulty of deals."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pool_deals",
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("code", sa.Text),
        sa.Column("seed", sa.LargeBinary),
        sa.Column("proven_ms", sa.BigInteger, nullable=False),
        sa.Column("taken_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("fingerprint", name="pk_pool_deals"),
        sa.CheckConstraint(
            "(code IS NULL) <> (seed IS NULL)", name=op.f("ck_pool_deals_open_or_sealed")
        ),
    )
    for kind, column in (("open", "code"), ("sealed", "seed")):
        where = sa.text(f"taken_ms IS NULL AND {column} IS NOT NULL")
        op.create_index(
            f"ix_pool_deals_{kind}",
            "pool_deals",
            ["ruleset", "revision", "fingerprint"],
            sqlite_where=where,
            postgresql_where=where,
        )
    op.create_table(
        "deal_grades",
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", "ruleset", "revision", name="pk_deal_grades"),
    )


def downgrade() -> None:
    op.drop_table("deal_grades")
    op.drop_table("pool_deals")
