"""The errors of race rooms."""

from __future__ import annotations

from app.errors import ConflictError, ForbiddenError, GameOverError, NotFoundError


class RaceNotFoundError(NotFoundError):
    """No room has this code."""

    title = "Race not found"


class NotHostError(ForbiddenError):
    """A command that only the host of a room may give."""

    code = "not_host"
    title = "Only the host can do that"


class NotInRaceError(ForbiddenError):
    """A command for players, given by someone who only watches."""

    code = "not_in_race"
    title = "You are not in this race"


class RemovedError(ForbiddenError):
    """A player whom the host removed tries to join again."""

    code = "removed"
    title = "The host removed you"


class RoomClosedError(ConflictError):
    """The room is full or locked, or the race has started."""

    code = "room_closed"
    title = "This room is closed"


class RoomFrozenError(ConflictError):
    """Game and time limit can't change after another player has joined."""

    code = "room_frozen"
    title = "The game can't change now"


class NotReadyError(ConflictError):
    """Too few players are ready."""

    code = "too_few_ready"
    title = "Too few players are ready"


class NotEndedError(ConflictError):
    """A request for something that exists only after the race."""

    code = "not_ended"
    title = "The race is not over"


class RaceOverError(GameOverError):
    """An action after the end of a run."""

    title = "Your race is over"
