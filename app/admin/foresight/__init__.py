"""Foresight as a signal: how far runs agree with the true order of hidden cards, for staff alone."""
