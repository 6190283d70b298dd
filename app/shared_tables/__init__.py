"""Shared tables: up to four players play one game without turns, with one event log that names them."""
