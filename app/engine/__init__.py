"""The rules engine: pure values, standard library only, no clock and no chance."""
