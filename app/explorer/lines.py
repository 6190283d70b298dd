"""Lines of play: read from a request, and those that games kept, as hashes of their positions.

Two orders of the same moves meet, because what counts is the position and not the way to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, cast

from app.engine.actions import parse_action
from app.engine.history import History
from app.engine.position import Pile, Position
from app.engine.shuffle import Code
from app.engine.transition import IllegalActionError
from app.errors import IllegalMoveError, MalformedError
from app.explorer.model import MAX_LINE
from app.games.game_actions import STEPS, parse_game_action
from app.games.lookup import deck_of, stored_rules
from app.text import gettext, sentence_of

END: Final = ""
"""Stands for the action of a game at the position where it ended."""


class DealKey(NamedTuple):
    """A deal, open or closed: its rules, its cards, and a name that no other deal has."""

    ruleset: str
    revision: int
    deal: str | bytes

    @property
    def name(self) -> bytes:
        """Different for each deal."""
        deal = self.deal if isinstance(self.deal, str) else self.deal.hex()
        return f"{self.ruleset}/{self.revision}/{deal}".encode()

    def opening(self) -> History:
        """The deal before the first action."""
        rules = stored_rules(self.ruleset, self.revision)
        is_open = isinstance(self.deal, str)
        code = Code(cast(str, self.deal)) if is_open else None
        seed = None if is_open else cast(bytes, self.deal)
        return History.start(rules, deck_of(rules, code, seed))


class GameLog(NamedTuple):
    """A game and its actions as text, undone ones included."""

    game_id: str
    version: int
    actions: Sequence[str]


class KeptLine(NamedTuple):
    """The positions on the line that a game kept, as hashes, each with the action taken there."""

    game_id: str
    version: int
    steps: Sequence[tuple[int, str]]


def read_line(opening: History, text: str) -> History:
    """Play a line such as ``t1-f1,deal``; raises ``MalformedError`` and ``IllegalMoveError``."""
    words = text.split(",") if text else []
    if len(words) > MAX_LINE:
        raise MalformedError(gettext("A line can have at most %(most)s actions.", most=MAX_LINE))
    history = opening
    for number, word in enumerate(words, start=1):
        try:
            history = history.apply(parse_action(opening.rules.layout, word.strip()))
        except IllegalActionError as error:
            raise IllegalMoveError(_of_action(number, error.refusal.sentence)) from error
        except ValueError as error:
            raise MalformedError(_of_action(number, sentence_of(error))) from error
    return history


def _of_action(number: int, sentence: str) -> str:
    return gettext("Action %(n)s: %(reason)s", n=number, reason=sentence)


def position_hash(deal: bytes, position: Position) -> int:
    """A hash of what shows in a position of a deal: 64 bits, signed as databases store them."""
    shown = b"|".join(map(_pile_bytes, position.piles))
    return _short_hash(deal + b"/" + shown)


def game_hash(game_id: str) -> int:
    """A short name for a game, which millions of rows refer to."""
    return _short_hash(game_id.encode())


def trace_games(deal: DealKey, games: Sequence[GameLog]) -> list[KeptLine]:
    """The lines of some games of a deal. Each is replayed, so many of them take time."""
    opening, name = deal.opening(), deal.name
    return [KeptLine(game.game_id, game.version, _trace(opening, name, game)) for game in games]


def _trace(opening: History, name: bytes, game: GameLog) -> list[tuple[int, str]]:
    history, layout = opening, opening.rules.layout
    for word in game.actions:
        action = parse_game_action(layout, word)
        history = STEPS[action](history) if isinstance(action, str) else history.follow(action)
    words = [*map(str, history.actions()), END]
    # A line that comes back to a position counts with what was done there last.
    taken = {
        position_hash(name, position): word
        for position, word in zip(history.positions()[:MAX_LINE], words, strict=False)
    }
    return list(taken.items())


@lru_cache(maxsize=1 << 16)
def _pile_bytes(pile: Pile) -> bytes:
    return (f"{pile.down}:" + "".join(card.text for card in pile.face_up)).encode()


def _short_hash(data: bytes) -> int:
    digest = hashlib.blake2b(data, digest_size=8).digest()
    return int.from_bytes(digest, signed=True)
