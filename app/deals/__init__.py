"""The stock of proven deals: open ones for new games, sealed ones for daily deals and races."""
