"""Challenges: a finished game to beat with the same cards."""
