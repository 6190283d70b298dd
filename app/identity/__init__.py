"""Who is playing: guests known by a cookie, who may take a name."""
