"""What can go wrong with names and passwords."""

from __future__ import annotations

from app.errors import ConflictError, ForbiddenError


class NameTakenError(ConflictError):
    """Somebody else bears this name, or one that looks like it."""

    code = "name_taken"
    title = "The name is taken"


class AlreadyClaimedError(ConflictError):
    """Only for guests, and the caller has claimed a name."""

    code = "already_claimed"
    title = "You have a name already"


class NotClaimedError(ConflictError):
    """Only for those who have claimed a name, and the caller is a guest."""

    code = "not_claimed"
    title = "This needs a name of your own"


class WrongPasswordError(ForbiddenError):
    """The password is not the one of this name, or there is no such name."""

    code = "wrong_password"
    title = "Name and password do not fit"


class SuspendedError(ForbiddenError):
    """Those who look after the site have suspended the caller, who may still read."""

    code = "suspended"
    title = "Your account is suspended"
