"""For those who look after a site: find any game, see exactly what happened, and leave a trace of having looked."""
