"""Errors of names, passwords and accounts."""

from __future__ import annotations

from app.errors import ConflictError, ForbiddenError


class NameTakenError(ConflictError):
    """Another player has this name, or one that looks like it."""

    code = "name_taken"
    title = "This name is taken"


class AlreadyClaimedError(ConflictError):
    """The request is for guests only, and the caller has claimed a name."""

    code = "already_claimed"
    title = "You already have a name"


class NotClaimedError(ConflictError):
    """The request is for players with a claimed name only, and the caller is a guest."""

    code = "not_claimed"
    title = "Claim a name first"


class WrongPasswordError(ForbiddenError):
    """The password does not match the name, or the name is unknown."""

    code = "wrong_password"
    title = "Wrong name or password"


class SuspendedError(ForbiddenError):
    """Moderators have suspended the caller, who may still read."""

    code = "suspended"
    title = "Your account is suspended"
