"""Identity: guests, names, sessions, passwords and account merge."""
