"""Languages: which there are, which one a reader gets, and putting texts into it."""
