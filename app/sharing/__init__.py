"""Sharing: deals behind links, link previews, replays, forks and text records."""
