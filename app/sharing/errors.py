"""What can go wrong in sharing, besides what can go wrong anywhere."""

from __future__ import annotations

from collections.abc import Mapping

from app.errors import ConflictError, ForbiddenError, MalformedError


class StillPlayedError(ConflictError):
    """The game goes on, so there is nothing to look back on yet."""

    title = "This game is still being played"


class SecretDealError(ForbiddenError):
    """What is asked for would give away a deal that others have yet to play."""

    title = "This deal is still secret"


class UnfinishedDealError(ForbiddenError):
    """The results of a deal are for those who have finished it."""

    title = "Finish this deal first"


class BadRecordError(MalformedError):
    """A record that cannot be read or does not play; ``line`` says where."""

    title = "The record cannot be used"

    def __init__(self, detail: str, line: int) -> None:
        """Keep the line for programs; the detail names it for people."""
        super().__init__(detail)
        self.line = line

    @property
    def members(self) -> Mapping[str, object]:
        """The line goes into the problem document."""
        return {"line": self.line}
