"""What can be in the way of playing together."""

from __future__ import annotations

from app.errors import ConflictError, ForbiddenError, NotFoundError


class NoInvitationError(NotFoundError):
    """An invitation that leads nowhere, any more."""

    title = "This invitation leads nowhere"


class TableFullError(ConflictError):
    """Four sit there already."""

    code = "table_full"
    title = "All seats are taken"


class NotSharableError(ConflictError):
    """A game that is played alone."""

    code = "not_sharable"
    title = "This game is played alone"


class NotYourTableError(ForbiddenError):
    """Something that is for whose table it is, or for who sits there."""

    code = "not_your_table"
    title = "This is not your table"


class NotAskedError(ConflictError):
    """An answer to what was not asked, or not any more."""

    code = "not_asked"
    title = "You are not asked that"
