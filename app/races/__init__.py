"""Races: the same sealed deal for two to ten players at once, in a room behind one link."""
