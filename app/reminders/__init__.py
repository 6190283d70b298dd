"""Reminders of the daily deals by web push, for who has asked for them and has not played."""
