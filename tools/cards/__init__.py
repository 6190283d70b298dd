"""Draws the deck: every face, back and mark of the site, as one SVG sprite."""
