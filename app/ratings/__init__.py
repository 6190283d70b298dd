"""Ratings: how strong a player is, from races and daily deals."""
