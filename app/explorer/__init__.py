"""The explorer of a deal: all its games as one tree, to step through."""
