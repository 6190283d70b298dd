"""The solver: what can still be won, proven by search. Pure, and blind to who is asking."""

from pathlib import Path

from app.solver.build_check import leave_stale_aside

leave_stale_aside(__name__, Path(__file__).parent)
