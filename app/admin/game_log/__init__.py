"""Games as staff see them: the list, the log of each, and its export."""
