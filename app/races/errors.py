"""The errors of races, each with a code of its own where a client can do something about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.errors import ConflictError, ForbiddenError, GameOverError, NotFoundError, PageLink
from app.text import gettext


class RaceNotFoundError(NotFoundError):
    """No room has this code."""

    title = gettext("Race not found")
    default_links = (PageLink("/together", gettext("Play together")),)


class NotHostError(ForbiddenError):
    """A command that only the host of a room may give."""

    code = "not_host"
    title = gettext("Only the host can do that")


class NotInRaceError(ForbiddenError):
    """A command for players, given by someone who only watches."""

    code = "not_in_race"
    title = gettext("You aren't in this race")


class RemovedError(ForbiddenError):
    """A player whom the host removed tries to join again."""

    code = "removed"
    title = gettext("The host removed you")


class RoomClosedError(ConflictError):
    """The room is full or locked, or the race has started."""

    code = "room_closed"
    title = gettext("This race is closed")


class RoomFrozenError(ConflictError):
    """Game and time limit can't change after another player has joined."""

    code = "room_frozen"
    title = gettext("The game can't change now")


class TooManyChangesError(RoomClosedError):
    """The room has changed so often that it takes no further changes; its race can still be started and played."""

    code = "too_many_changes"
    title = gettext("This race has changed too often")


class WaitingElsewhereError(ConflictError):
    """The player has seats in as many open races as a player may have before they start."""

    code = "waiting_elsewhere"
    title = gettext("You are in two open races")

    def __init__(self, detail: str, races: Mapping[str, str]) -> None:
        """``races`` are the words for each of them, by code."""
        super().__init__(detail)
        self._races = races

    @property
    def members(self) -> Mapping[str, object]:
        """The codes of these races."""
        return {"races": list(self._races)}

    @property
    def links(self) -> Sequence[PageLink]:
        """These races, to leave one."""
        return [PageLink(f"/race/{code}", words) for code, words in self._races.items()]


class TooManyRacesError(ConflictError):
    """The player is in as many races that have not ended as a player may be."""

    code = "too_many_races"
    title = gettext("You are in too many races")


class TooFewReadyError(ConflictError):
    """Too few players are ready."""

    code = "too_few_ready"
    title = gettext("Too few players are ready")


class TooSoonError(ConflictError):
    """A player of an open race has just joined or was just removed."""

    code = "too_soon"
    title = gettext("Not yet")


class NotEndedError(ConflictError):
    """A request for something that exists only after the race."""

    code = "not_ended"
    title = gettext("The race isn't over")


class RaceOverError(GameOverError):
    """An action after the end of a game."""

    title = gettext("Your race is over")
