"""Spectating: who may watch a game, the list of live games, and broadcasting moves to viewers."""
