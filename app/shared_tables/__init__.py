"""Tables that several share: no turns, one log, and everybody knows who did what."""
