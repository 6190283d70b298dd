"""Reminders of the daily deals by web push, for players who asked for them and have not played."""
