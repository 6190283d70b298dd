"""Recovery codes: the way back into an account whose password was forgotten."""
