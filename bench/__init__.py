"""Benchmarks: each is compared with a baseline that runs at the same time on the same machine."""
