"""Errors that any part may raise, with stable codes. `app.http.errors` maps them to HTTP statuses.

::

    AppError
    +-- MalformedError            malformed
    +-- UnknownTokenError         unknown_token
    +-- ForbiddenError            forbidden
    |   +-- NotSignedInError
    |   +-- NotYourGameError      not_your_game
    +-- NotFoundError             not_found
    |   +-- GameNotFoundError
    |   +-- RulesetNotFoundError
    |   +-- PlayerNotFoundError
    |   +-- DealNotFoundError
    +-- ConflictError             conflict
    |   +-- StaleVersionError     stale_version
    |   +-- GameOverError         game_over
    |   +-- GameFullError         too_many_actions
    +-- IllegalMoveError          illegal_move
    +-- NotStartedError           not_started
    +-- NotReadyError             not_ready
    +-- RateLimitedError          rate_limited
    +-- InternalError             internal
    +-- UnavailableError          unavailable

Codes are part of the API: new ones may be added, existing ones never change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from app.text import gettext

_NOTHING: Mapping[str, object] = MappingProxyType({})


class PageLink(NamedTuple):
    """A page that helps the user on."""

    path: str
    title: str


class AppError(Exception):
    """A request that failed; ``detail`` is a sentence for the user."""

    code: ClassVar[str] = "internal"
    title: ClassVar[str] = gettext("Something went wrong")
    default_links: ClassVar[Sequence[PageLink]] = ()
    """Where everyone with this error can go on."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail

    @property
    def members(self) -> Mapping[str, object]:
        """Additional members of the problem document."""
        return _NOTHING

    @property
    def links(self) -> Sequence[PageLink]:
        """The pages where the user can do something about it, as links below the sentence."""
        return self.default_links


class MalformedError(AppError):
    """The request is malformed: a missing field, a wrong type, an unreadable move."""

    code = "malformed"
    title: ClassVar[str] = gettext("That didn't work")


class UnknownTokenError(AppError):
    """The bearer token is not of an open session."""

    code = "unknown_token"
    title: ClassVar[str] = gettext("Unknown token")


class ForbiddenError(AppError):
    """You are not allowed to do this."""

    code = "forbidden"
    title: ClassVar[str] = gettext("Not allowed")


class NotSignedInError(ForbiddenError):
    """A page of the player's own, opened by someone without a player."""

    title: ClassVar[str] = gettext("You aren't signed in")
    default_links = (PageLink("/login", gettext("Sign in")),)


class NotYourGameError(ForbiddenError):
    """An action in a game of other players."""

    code = "not_your_game"
    title: ClassVar[str] = gettext("This isn't your game")


class NotFoundError(AppError):
    """There is nothing at this address."""

    code = "not_found"
    title: ClassVar[str] = gettext("Not found")

    def __init__(
        self, detail: str = gettext("There is nothing at this address."), typed: str = ""
    ) -> None:
        super().__init__(detail)
        self.typed = typed
        """The code that leads nowhere, so that its page can offer it to be mended."""


class GameNotFoundError(NotFoundError):
    """No game has this id."""

    title: ClassVar[str] = gettext("Game not found")

    def __init__(self, detail: str = gettext("There is no game at this address.")) -> None:
        super().__init__(detail)


class RulesetNotFoundError(NotFoundError):
    """No rule set has this id or name."""

    title: ClassVar[str] = gettext("There is no game with that name")

    def __init__(self, detail: str, nearest: str = "", nearest_title: str = "") -> None:
        super().__init__(detail)
        self.nearest = nearest
        """The id of the rule set with the most similar name; empty if there is none."""
        self.nearest_title = nearest_title


class PlayerNotFoundError(NotFoundError):
    """No player has this id or name."""

    title: ClassVar[str] = gettext("Player not found")


class DealNotFoundError(NotFoundError):
    """No deal has this code."""

    title: ClassVar[str] = gettext("Deal not found")


class ConflictError(AppError):
    """The request conflicts with the current state."""

    code = "conflict"
    title: ClassVar[str] = gettext("That isn't possible now")


class StaleVersionError(ConflictError):
    """The game has changed since that version; ``state`` is the game now."""

    code = "stale_version"
    title: ClassVar[str] = gettext("The game has changed")

    def __init__(self, detail: str, state: Mapping[str, object]) -> None:
        super().__init__(detail)
        self.state = state

    @property
    def members(self) -> Mapping[str, object]:
        return {"state": self.state}


class GameOverError(ConflictError):
    """The game has ended."""

    code = "game_over"
    title: ClassVar[str] = gettext("The game is over")


class GameFullError(ConflictError):
    """The game has as many actions as a game can have."""

    code = "too_many_actions"
    title: ClassVar[str] = gettext("This game can't go on")


class IllegalMoveError(AppError):
    """The rules do not allow this move; ``detail`` names the rule."""

    code = "illegal_move"
    title: ClassVar[str] = gettext("This move isn't allowed")


class NotStartedError(AppError):
    """The race has not started yet."""

    code = "not_started"
    title: ClassVar[str] = gettext("Not started yet")


class NotReadyError(AppError):
    """The response is being prepared; try again in ``retry_after`` seconds."""

    code = "not_ready"
    title: ClassVar[str] = gettext("Almost ready")

    def __init__(self, detail: str, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class RateLimitedError(AppError):
    """Too many requests; ``retry_after`` is in whole seconds."""

    code = "rate_limited"
    title: ClassVar[str] = gettext("Too many requests")

    def __init__(self, detail: str, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class InternalError(AppError):
    """An internal error; ``request_id`` identifies it in the log."""

    def __init__(self, detail: str, request_id: str) -> None:
        super().__init__(detail)
        self.request_id = request_id

    @property
    def members(self) -> Mapping[str, object]:
        return {"request_id": self.request_id}


class UnavailableError(AppError):
    """The database is not available, or the server is shutting down; ``retry_after`` is in whole seconds, if known."""

    code = "unavailable"
    title: ClassVar[str] = gettext("Temporarily unavailable")

    def __init__(self, detail: str, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


def first_line(error: BaseException) -> str:
    """What an error says in one line, or its name: a driver's errors go on with the statement."""
    return str(error).strip().partition("\n")[0] or type(error).__name__
