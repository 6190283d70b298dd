"""A result to show and to share: drawn as ten squares with a few facts, and as a text that others can read anywhere."""

from __future__ import annotations

from typing import Final, NamedTuple

from app.games.model import Game

SQUARES: Final = 10


class Fact(NamedTuple):
    """A number and what it counts."""

    name: str
    value: str
    is_rank: bool = False
    """Whether it is a rank, and not why there is none."""


class SharedResult(NamedTuple):
    """How far a game went.

    ``filled`` of the ten squares are full, which ``said`` says in words. ``rank`` is ``None`` where it may not be told,
    or where a sentence says more. ``text`` is what is shared.
    """

    filled: int
    said: str
    rank: Fact | None
    facts: tuple[Fact, ...]
    text: str


def filled_squares(home: int, cards: int) -> int:
    """How many of the ten squares are full: whole ones only, but with a card home never none."""
    return max(SQUARES * home // cards, 1 if home else 0)


def gauge_squares(home: int, cards: int) -> float:
    """How much of the ten squares of a gauge is full, which shows parts of a square, too."""
    return round(SQUARES * home / cards, 2)


def deal_path(game: Game) -> str:
    """The page of the deal of a game; empty while it is secret."""
    return f"/deal/{game.rules.id}/{game.public_code}" if game.public_code else ""
