"""Fair Deal: patience games on an authoritative server."""

import gc

# What is imported stays. With Python's own thresholds, to look through it for garbage takes a quarter of each start.
gc.set_threshold(100_000, 50, 100)
