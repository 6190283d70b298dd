"""What the forms of a table post."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field


class TurnForm(BaseModel):
    """What every form of a table posts: the version that the page shows, and what it holds."""

    version: Annotated[int, Field(ge=0, le=2**31)]
    held: Annotated[str, Field(max_length=12)] = ""


class ClickForm(TurnForm):
    """A click on a card or a place."""

    clicked: Annotated[str, Field(max_length=12)]


class MoveForm(TurnForm):
    """A move named in full."""

    move: Annotated[str, Field(max_length=16)]
