"""Alembic's environment: runs migrations on the connection that the caller passes in."""

from alembic import context

from app.db.schema import METADATA

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("Run migrations with `fairdeal migrate`.")
context.configure(
    connection=connection,
    target_metadata=METADATA,
    transaction_per_migration=True,
    transactional_ddl=True,  # on SQLite too, because we begin its transactions
    render_as_batch=connection.dialect.name == "sqlite",
)
with context.begin_transaction():
    context.run_migrations()
