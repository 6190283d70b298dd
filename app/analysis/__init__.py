"""Analysis of games: hints, automatic finish, and what the solver finds with all cards known."""
