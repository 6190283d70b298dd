"""What can go wrong for those who look after the site."""

from __future__ import annotations

from app.errors import ConflictError, ForbiddenError, NotFoundError


class NoSuchBearerError(NotFoundError):
    """Nobody bears this name. Guests cannot be given a role: they have no password to show."""

    title = "Nobody bears this name"


class NoRoleError(ConflictError):
    """Somebody without a role cannot lose it."""

    title = "There is no role to revoke"


class OwnGameError(ForbiddenError):
    """Whoever plays a game finds its cards like everybody else."""

    title = "This game is your own"


class PlayerNotFoundError(NotFoundError):
    """No player has this id or name."""

    title = "There is no such player"


class NotForYouError(ForbiddenError):
    """Nobody judges themselves, or somebody else who looks after the site."""

    title = "Somebody else has to decide"


class NothingToDoError(ConflictError):
    """Things are already as the act would make them, or there is nothing that it could be done to."""

    title = "There is nothing to do"


class AdministratorsOnlyError(ForbiddenError):
    """A moderator asked for what is for administrators."""

    title = "For administrators"
