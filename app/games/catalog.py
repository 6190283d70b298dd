"""The games as a page offers them: each with its tagline, a drawing of an opening and a picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from app.engine.deal import opening
from app.engine.phrases import count_word
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.games.pictures import Picture, picture_of
from app.i18n.formats import percent
from app.rulesets import RULESETS
from app.rulesets.expectations import EXPECTATIONS
from app.rulesets.families import family_of
from app.rulesets.other_names import OTHER_NAMES
from app.text import Text, gettext, npgettext

EXAMPLE: Final = parse_code("7KQ4M2XWTP")
"""The deal that drawings of a game show; any would do."""

_COLUMNS: Final = 10  # of the widest arrangement, so that the cards of all drawings have one size
OFTEN: Final = 0.6
"""The least share of careful wins of a game that is often won."""
_CERTAIN: Final = 0.01  # 200 deals cannot tell what happens less than once in a hundred


@dataclass(frozen=True, slots=True)
class GameOffer:
    """A game that can be played.

    ``minutes`` is about how long it takes. ``win_rate`` (0 to 1) is how often careful play without undo wins a random
    deal. See ``app.rulesets.expectations`` for where they come from. ``is_open`` says that every card is in sight from
    the start. ``names`` are other names of the game and that of its family, to be found by, and ``family`` is the id
    of the family.
    """

    id: str
    title: str
    tagline: str
    decks: str
    deck_count: int
    opening: MiniTable
    picture: Picture
    minutes: int
    win_rate: float
    is_open: bool
    names: tuple[str, ...]
    family: str

    @property
    def wins(self) -> Text:
        """How often careful play wins, as short as it gets: the one measure of how hard games are."""
        return gettext("%(share)s won", share=self._share)

    @property
    def wins_in_full(self) -> Text:
        """The same where no line above explains it."""
        return gettext(
            "Careful players win %(share)s of random deals, without undo.", share=self._share
        )

    @property
    def is_often_won(self) -> bool:
        """Whether careful play wins most deals."""
        return self.win_rate >= OFTEN

    @property
    def _share(self) -> Text:
        return percent(min(max(self.win_rate, _CERTAIN), 1 - _CERTAIN))


@cache
def list_offers() -> tuple[GameOffer, ...]:
    """Every game, in the order of the rule sets."""
    return tuple(map(offer_of, RULESETS))


@cache
def offer_of(rules: Ruleset) -> GameOffer:
    """One game."""
    position = opening(rules, deck_of_code(EXAMPLE, rules.decks))
    expected = EXPECTATIONS[rules.id]
    return GameOffer(
        id=rules.id,
        title=rules.title,
        tagline=rules.tagline,
        decks=npgettext(
            "how many decks",
            "%(word)s deck",
            "%(word)s decks",
            rules.decks,
            word=count_word(rules.decks),
        ),
        deck_count=rules.decks,
        opening=mini_table(rules, position, columns=_COLUMNS),
        picture=picture_of(rules),
        minutes=expected.minutes,
        win_rate=expected.careful_wins,
        is_open=not any(pile.down for pile in position.piles),
        names=(
            *(alias.replace("-", " ") for alias in rules.aliases),
            *OTHER_NAMES.get(rules.id, ()),
            family_of(rules).title,
        ),
        family=family_of(rules).id,
    )


def find_offer(ruleset_id: str) -> GameOffer:
    """The game with this id."""
    return next(offer for offer in list_offers() if offer.id == ruleset_id)
