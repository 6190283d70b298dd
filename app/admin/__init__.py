"""The admin area: games, players, signals and statistics for staff, with an audit log of what they do."""
