"""Integrity of games: hash chains and their verification, signals, access records, refused actions."""
