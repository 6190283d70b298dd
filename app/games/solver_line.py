"""The address of the solver's line: beside the moves of a game, a replay and a review can show how it could be won."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import Depends, Query

SOLVER_LINE: Final = "&line=solver"
"""Ends the address of a step or a position of the solver's line."""

_Line = Annotated[Literal["", "solver"], Query()]
_FormerLine = Annotated[Literal["", "solver"], Query(include_in_schema=False)]


async def _is_solver_line(line: _Line = "", way: _FormerLine = "") -> bool:
    """Whether the address is one of the solver's line. Links of earlier releases say ``way`` instead of ``line``."""
    return "solver" in {line, way}


IsSolverLine = Annotated[bool, Depends(_is_solver_line)]
