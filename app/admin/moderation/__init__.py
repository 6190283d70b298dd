"""What staff do to results and players, and the record of it."""
