"""What the daily deal has to refuse."""

from __future__ import annotations

from app.errors import ConflictError, ForbiddenError


class NotFinishedError(ForbiddenError):
    """The board of a deal that is still open, asked for by somebody who has not finished it."""

    code = "not_finished"
    title = "Your own attempt comes first"


class BegunAlreadyError(ConflictError):
    """A deal that this browser has begun before, for another player."""

    code = "begun_already"
    title = "This deal was begun before"


class NotClosedError(ConflictError):
    """Something that a deal gives only after it was closed."""

    code = "not_closed"
    title = "This deal is not closed yet"
