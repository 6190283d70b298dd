"""Showing games to others: deals behind links, replays, forks, plain-text records and pictures."""
