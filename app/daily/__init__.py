"""The daily deal: one secret deal per game and day, one attempt per player, and results that anyone can verify."""
