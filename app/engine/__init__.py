"""The rules engine: immutable values and pure functions, standard library only."""
