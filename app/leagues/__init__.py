"""Leagues: a board of friends over the daily deals of a week, blind until each day closes."""
