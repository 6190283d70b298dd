"""Languages: which there are, which one a reader gets, putting texts into it; and times, shares and counts as texts."""
