"""The errors of shared tables."""

from __future__ import annotations

from typing import Final

from app.errors import ConflictError, ForbiddenError, NotFoundError

PLAYERS_ONLY: Final = "Only players at this table can do that."


class NoInvitationError(NotFoundError):
    """An invitation that is not valid, or not any more."""

    title = "This invitation is not valid"


class TableFullError(ConflictError):
    """All four seats are taken."""

    code = "table_full"
    title = "All seats are taken"


class NotSharableError(ConflictError):
    """A ranked game can't be shared."""

    code = "not_sharable"
    title = "This game can't be shared"


class NotYourTableError(ForbiddenError):
    """A command for the owner of the table, or for its players."""

    code = "not_your_table"
    title = "This is not your table"


class NotAskedError(ConflictError):
    """An answer to a question that is closed, or that was put to others."""

    code = "not_asked"
    title = "You can't answer this"
