"""What a race room has to refuse."""

from __future__ import annotations

from app.errors import ConflictError, ForbiddenError, GameOverError, NotFoundError


class RaceNotFoundError(NotFoundError):
    """No room has this code."""

    title = "There is no such race"


class NotHostError(ForbiddenError):
    """Something that only the host of a room may do."""

    code = "not_host"
    title = "Only the host can do that"


class NotInRaceError(ForbiddenError):
    """Something for those who sit in the room, asked for by somebody who watches."""

    code = "not_in_race"
    title = "You have no seat in this race"


class RemovedError(ForbiddenError):
    """Somebody whom the host has sent away wants to sit down again."""

    code = "removed"
    title = "The host has sent you away"


class RoomClosedError(ConflictError):
    """The room takes nobody any more: it is full, its door is shut, or the race has begun."""

    code = "room_closed"
    title = "This race takes nobody any more"


class RoomFrozenError(ConflictError):
    """What is raced at was settled when the first guest joined."""

    code = "room_frozen"
    title = "The game is settled"


class NotReadyError(ConflictError):
    """Too few are ready."""

    code = "too_few_ready"
    title = "Too few are ready"


class NotEndedError(ConflictError):
    """Something that is there only after the race."""

    code = "not_ended"
    title = "The race is not over"


class RaceOverError(GameOverError):
    """An action that comes after the end of a run."""

    title = "Your race is over"
