"""The solver: what can still be won, proven by search. Pure, and blind to who is asking."""
