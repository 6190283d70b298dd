"""The solver: decides whether a position can be won, and gives hints. Pure functions, no I/O."""

from pathlib import Path

from app.solver.build_check import ignore_stale_build

ignore_stale_build(__name__, Path(__file__).parent)
