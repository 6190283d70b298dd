"""The explorer of a deal: all its runs as one tree, to step through."""
