"""A teacher beside the table: hints, the plain end of a game, and what could have been won."""
