"""The behaviour of simulated people: each module is one kind of them."""
