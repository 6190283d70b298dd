"""Who listens to what, and who is there: the same on one process and on many."""
