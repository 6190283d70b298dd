"""A new password in a form: typed once where a script can show it, and twice where none runs."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

Password = Annotated[str, Field(max_length=1000, repr=False)]


class TypedTwice(BaseModel):
    """The second time. ``twice`` says that the form asked for it; forms from before that sent ``again`` only."""

    again: Password = ""
    twice: Annotated[str, Field(max_length=10)] = ""

    def is_mistyped(self, password: str) -> bool:
        """Whether the password was typed twice, and not the same both times."""
        return bool(self.twice or self.again) and self.again != password
