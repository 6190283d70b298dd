"""The places between games: the home page, the games to choose from, ways to play together, rules and settings."""
