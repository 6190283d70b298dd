"""The forms that a game page posts, and what they hold."""

from __future__ import annotations

from typing import Annotated, Final, TypeVar
from urllib.parse import parse_qsl

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field, ValidationError

from app.errors import MalformedError
from app.games import board
from app.games.board import EMPTY_HANDED, Holding
from app.games.clicks import Grip, parse_grip
from app.games.model import Game
from app.text import ngettext, sentence_of

_MOST_FIELDS: Final = 20

F = TypeVar("F", bound=BaseModel)


class TurnForm(BaseModel):
    """The fields of every form of a game: the version that the page shows, and the held cards."""

    version: Annotated[int, Field(ge=0, le=2**31 - 1)]
    held: Annotated[str, Field(max_length=12)] = ""


class ClickForm(TurnForm):
    """A click on a card or a pile."""

    clicked: Annotated[str, Field(max_length=12)]


class MoveForm(TurnForm):
    """A move written out."""

    move: Annotated[str, Field(max_length=16)]


async def read_form(request: Request, model: type[F]) -> F:
    """Read a form without files: the framework's parser, made for files, takes a fifth of a move's time.

    Raises ``RequestValidationError`` and ``MalformedError``.
    """
    body = (await request.body()).decode(errors="replace")
    try:
        fields = dict(parse_qsl(body, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
        return model.model_validate(fields)
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from error
    except ValueError as error:
        raise MalformedError(
            ngettext(
                "This form can have at most %(n)s field.",
                "This form can have at most %(n)s fields.",
                _MOST_FIELDS,
            )
        ) from error


def read_holding(game: Game, text: str) -> Holding:
    """The cards that the page holds; none if they cannot be held."""
    if not text:
        return EMPTY_HANDED
    return board.hold(game.rules, game.position, read_grip(game, text), game.legal_actions)


def read_grip(game: Game, text: str) -> Grip:
    """The cards that a form names; raises ``MalformedError``."""
    try:
        return parse_grip(game.rules.layout, text)
    except ValueError as error:
        raise MalformedError(sentence_of(error)) from error
