"""Moderation: what staff do about results and players, and what the public sees of it."""
