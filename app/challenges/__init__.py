"""Ghosts: a finished run as a curve to play against, on the same deal, whenever somebody likes."""
