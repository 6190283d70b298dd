"""The database: tables, connections and migrations. Knows SQLAlchemy, not HTTP."""
