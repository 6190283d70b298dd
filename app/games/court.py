"""The cards behind the panel of a win: the last card of each foundation, laid out as suits the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from app.engine.cards import Card
from app.games.model import Game

_MOST: Final = 8  # as many as there is room for
_IN_A_ROW: Final = 4
_WIDEST: Final = 42.0  # degrees from the first card to the last
_STEP: Final = 12.0  # from one card to the next, where they have room
_RUN_STEP: Final = 4.1
_ROW_STEPS: Final = (13.0, 11.0)  # of the row behind and of the one in front
_ROW_LOWER: Final = (-8, 40)


class CourtCard(NamedTuple):
    """A card, how far it leans, in degrees, and how much lower than the others it is."""

    card: str
    turn: float
    lower: int = 0


class Court(NamedTuple):
    """The cards from left to right, those behind first, and how they enter: up one by one, as a run or in two rows."""

    cards: tuple[CourtCard, ...] = ()
    entrance: Literal["", "run", "rows"] = ""


NO_COURT: Final = Court()


def court_of(game: Game) -> Court:
    """The last cards of a won game; where only whole runs go home, the whole of the last one."""
    piles = [game.position.piles[index].cards for index in game.rules.layout.foundations]
    filled = [cards for cards in piles if cards]
    if game.rules.has_only_whole_runs and filled:
        return Court(_row(filled[-1], _RUN_STEP), "run")
    tops = [cards[-1] for cards in filled][:_MOST]
    if len(tops) == _MOST:
        behind, before = tops[:_IN_A_ROW], tops[_IN_A_ROW:]
        rows = zip((behind, before), _ROW_STEPS, _ROW_LOWER, strict=True)
        return Court(tuple(card for row in rows for card in _row(*row)), "rows")
    return Court(_row(tops, min(_STEP, _WIDEST / max(len(tops) - 1, 1))))


def _row(cards: Sequence[Card], step: float, lower: int = 0) -> tuple[CourtCard, ...]:
    middle = (len(cards) - 1) / 2
    return tuple(
        CourtCard(card.text, round((number - middle) * step, 1), lower)
        for number, card in enumerate(cards)
    )
