"""Games: event log, playing, what clicks mean, pages and API."""
