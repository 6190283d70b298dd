"""Errors of the admin area."""

from __future__ import annotations

from app.errors import ConflictError, ForbiddenError, NotFoundError


class AccountNotFoundError(NotFoundError):
    """No account has this name. Guests cannot have a role, as they have no password."""

    title = "Account not found"


class NoRoleError(ConflictError):
    """The account has no role to revoke."""

    title = "No role to revoke"


class ConflictOfInterestError(ForbiddenError):
    """A staff member asked to see cards that they still play themselves."""

    title = "You still play these cards"


class PlayerNotFoundError(NotFoundError):
    """No player has this id or name."""

    title = "Player not found"


class OtherStaffRequiredError(ForbiddenError):
    """Staff cannot act on themselves or on other staff."""

    title = "You can't do this yourself"


class NothingToDoError(ConflictError):
    """The action would change nothing, or there is nothing to apply it to."""

    title = "Nothing to do"


class AdministratorsOnlyError(ForbiddenError):
    """A moderator asked for something that only administrators may do."""

    title = "Administrators only"
