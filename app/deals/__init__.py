"""A stock of deals that are proven winnable: open ones for new games, sealed ones for dailies and races."""
