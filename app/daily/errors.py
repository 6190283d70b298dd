"""Errors of the daily deal."""

from __future__ import annotations

from app.errors import ConflictError, ForbiddenError


class NotFinishedError(ForbiddenError):
    """The results of an open deal, requested before the viewer has finished it."""

    code = "not_finished"
    title = "Finish the deal first"


class BegunAlreadyError(ConflictError):
    """Another player has already started this deal in the same browser."""

    code = "begun_already"
    title = "Deal already started"


class NotClosedError(ConflictError):
    """Something that is only published once a deal is closed."""

    code = "not_closed"
    title = "This deal is still open"
