"""Challenges: a finished run to beat with the same cards."""
