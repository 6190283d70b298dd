"""What the site tells about a player: statistics and the export of their data."""
