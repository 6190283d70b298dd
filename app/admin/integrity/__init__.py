"""Whether stored games are what was played: hash chains, signals, access records."""
