"""Profiles: a player's public statistics, and the export of a player's own data."""
