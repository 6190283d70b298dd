"""Watching: who may look on at a table, the tables played in public, and moves as they are shown to many."""
