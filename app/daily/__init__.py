"""The daily deal: one sealed deal a day for each game, one attempt each, a board that is checked in the open."""
