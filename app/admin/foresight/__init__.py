"""Foresight as a signal: how far attempts agree with the true order of hidden cards, for staff alone."""
