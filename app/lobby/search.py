"""The search for games: by their names, here and elsewhere, and by the words that are said about them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from enum import IntEnum
from typing import Final

from app.engine.phrases import count_word
from app.games.catalog import GameOffer
from app.i18n.speaking import say

_ANY_GAME: Final = (
    *("Solitaire", "Patience", "Solitär", "Réussite", "Solitario", "Paciência", "Pasjans"),
    *("ソリティア", "سوليتير"),
)
"""Words for all games of this kind: alone, or with the name of a game, they find what they are said of."""

_NEAR: Final = 0.7  # of the letters that a name shares with a misspelled search
_MOST_SUGGESTIONS: Final = 3
_LATIN: Final = (
    "\u024f"  # the last letter of alphabets that set words apart and end them as English does
)
_STEM: Final = 4  # letters that find longer forms of a word: "deck" finds "decks"


_ENDINGS: Final = (
    *(("f", "ves"), ("fe", "ves"), ("y", "ies"), ("man", "men")),
    *(("ves", "f"), ("ves", "fe"), ("ies", "y"), ("men", "man"), ("es", ""), ("s", "")),
)
"""Of singulars and plurals."""


class Match(IntEnum):
    """Where a word of a search is found, the best place first."""

    TITLE = 0
    """At the start of a word of the game's name."""
    NAME = 1
    """At the start of a word of another name, or of that of the family."""
    IN_NAME = 2
    """Inside a word of a name."""
    SAID = 3
    """Among the words that are said about the game."""


def find_match(game: GameOffer, search: str) -> Match | None:
    """The worst of the places where the words of a search are found; ``None`` unless all are."""
    titles = plain(f"{game.title} {say(game.title)}")
    names = plain(" ".join(game.names))
    said = plain(f"{game.tagline} {game.decks}")
    found = [_find_form(word, titles, names, said) for word in plain(search).split()]
    places = [place for place in found if place is not None]
    return max(places, default=Match.TITLE) if len(places) == len(found) else None


def is_found(game: GameOffer, search: str) -> bool:
    """Whether each word of a search is in a name of a game or a word of what is said about it."""
    return find_match(game, search) is not None


def list_suggestions(search: str, games: Iterable[GameOffer]) -> list[GameOffer]:
    """Games with a name that is nearly what was searched, the nearest first."""
    asked = plain(search)
    near = [
        (max(_likeness(asked, name) for name in (game.title, *game.names)), game) for game in games
    ]
    suggested: list[GameOffer] = []
    for likeness, game in sorted(near, key=lambda one: -one[0]):
        is_found_so = any(is_found(game, other.title) for other in suggested)
        if likeness >= _NEAR and not is_found_so:
            suggested.append(game)
    return suggested[:_MOST_SUGGESTIONS]


def plain(text: str) -> str:
    """A text in small letters and without accents, apostrophes and brackets, as people search."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(
        letter for letter in apart if not unicodedata.combining(letter) and letter not in "'’,()"
    )


def _find_form(word: str, titles: str, names: str, said: str) -> Match | None:
    """Where a word is found, or else another form of it: one thief among the forty thieves."""
    forms = [word, *_other_forms(word)]
    places = (_find_word(each, titles, names, said) for each in forms)
    return next((place for place in places if place is not None), None)


def _other_forms(word: str) -> list[str]:
    """The singular or plural that an English word may have, where one is not the beginning of the other."""
    if len(word) < _STEM:
        return []
    return [
        word.removesuffix(end) + other
        for end, other in _ENDINGS
        if word.endswith(end) and len(word) > len(end) + 1
    ]


def _find_word(word: str, titles: str, names: str, said: str) -> Match | None:
    if any(part.startswith(word) for part in titles.split()):
        return Match.TITLE
    if any(part.startswith(word) for part in names.split()):
        return Match.NAME
    if word in titles or word in names:
        return Match.IN_NAME
    is_any_game = word in {plain(name) for name in _ANY_GAME}
    if is_any_game or _is_said(word, said):
        return Match.SAID
    is_count = word.isdecimal() and _counts(int(word), f"{titles} {names} {said}")
    return Match.SAID if is_count else None


def _is_said(word: str, said: str) -> bool:
    """Whether a word is said as a whole, or its longer form; anywhere in scripts that don't set words apart."""
    if max(word) > _LATIN:
        return word in said
    words = [part.strip(".,:;!?-–—“”„«»") for part in said.split()]
    return any(part == word or (len(word) >= _STEM and part.startswith(word)) for part in words)


def _counts(number: int, said: str) -> bool:
    """Whether a number is said as a word, in the visitor's language or in English."""
    word = count_word(number)
    words = {plain(word), plain(say(word))}
    return not words.isdisjoint(said.split())


def _likeness(asked: str, name: str) -> float:
    """How much of a search and a name, or a word of the name, is the same: from 0 to 1."""
    name_so = plain(name)
    matcher = SequenceMatcher(b=asked, autojunk=False)
    best = 0.0
    for part in {name_so, *name_so.split()}:
        matcher.set_seq1(part)
        if matcher.quick_ratio() > best:
            best = max(best, matcher.ratio())
    return best
