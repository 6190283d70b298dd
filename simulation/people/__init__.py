"""The behavior of simulated people: each module is one kind of them."""
