"""Twin decks: a seed is run again with decks that agree on every card that anybody has seen, and differ in the others.

Everything that was sent up to that moment must be the same, byte by byte; whatever differs has told of a hidden card.
This is the same seed, so both runs make the same choices; only what a face-down card is has changed.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, NamedTuple

from app.engine import shuffle
from app.engine.cards import Card, fresh_deck
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.shuffle import SEED_BYTES, deck_of_seed
from app.engine.vocabulary import RankToBottom
from app.rulesets import find_revision
from simulation.boards import positions

_FEWEST_HIDDEN: Final = 2


@dataclass(frozen=True, slots=True)
class TwinPlan:
    """After ``lines`` of the trace the run is compared; ``numbers`` shuffle each seed's deck into its twin."""

    lines: int
    marks: tuple[bytes, ...]
    numbers: dict[bytes, tuple[int, ...]]


class _Deal(NamedTuple):
    rules: Ruleset
    logs: list[list[str]]


def plan_twins(connection: sqlite3.Connection, chance: Random) -> dict[bytes, tuple[int, ...]]:
    """The numbers that shuffle the twin of each deck with cards that nobody has seen."""
    found: dict[bytes, tuple[int, ...]] = {}
    for seed, deal in _deals(connection).items():
        deck = deck_of_seed(seed, deal.rules.decks)
        twin = _twin(deal, deck, chance)
        if twin is not None:
            found[seed] = tuple(numbers_for(twin, deal.rules.decks))
    return found


def install(numbers: dict[bytes, tuple[int, ...]]) -> None:
    """From now on this process shuffles the twins instead."""
    honest = shuffle._numbers

    def twins_numbers(seed: bytes, decks: int) -> Iterator[int]:
        return iter(numbers[seed]) if seed in numbers else honest(seed, decks)

    shuffle._numbers = twins_numbers


def _deals(connection: sqlite3.Connection) -> dict[bytes, _Deal]:
    """Every deal whose deck is secret still, or that nobody has played to its end."""
    public = {
        row[0]
        for row in connection.execute("SELECT seed FROM daily_deals WHERE closed_ms IS NOT NULL")
    }
    public |= {
        row[0] for row in connection.execute("SELECT seed FROM races WHERE ended_ms IS NOT NULL")
    }
    deals: dict[bytes, _Deal] = {}
    rows = connection.execute(
        "SELECT ruleset, revision, seed, 1 FROM daily_deals UNION ALL"
        " SELECT ruleset, revision, seed, 0 FROM pool_deals WHERE seed IS NOT NULL"
    ).fetchall()
    for ruleset, revision, seed, is_daily in rows:
        rules = find_revision(ruleset, revision)
        if rules and seed not in public:
            # The home page draws a daily deal as it was dealt: what lies face up there has been seen.
            deals.setdefault(seed, _Deal(rules, [[]] if is_daily else []))
    logs: defaultdict[str, list[str]] = defaultdict(list)
    for game_id, action in connection.execute(
        "SELECT game_id, action FROM events ORDER BY game_id, seq"
    ):
        logs[game_id].append(action)
    games = connection.execute(
        "SELECT id, ruleset, revision, code, seed FROM games ORDER BY id"
    ).fetchall()
    for game_id, ruleset, revision, code, sealed in games:
        seed = _seed_of_code(code) if sealed is None else sealed
        rules = find_revision(ruleset, revision)
        if rules and len(seed) == SEED_BYTES and seed not in public:
            deals.setdefault(seed, _Deal(rules, [])).logs.append(logs[game_id])
    return deals


def _seed_of_code(code: str) -> bytes:
    return hashlib.sha256(b"fairdeal/open/1/" + code.replace("-", "").encode("ascii")).digest()


def _twin(deal: _Deal, deck: Sequence[Card], chance: Random) -> list[Card] | None:
    """A deck that looks the same in every position of every game; ``None`` if there is none."""
    hidden = _never_seen(deal, deck)
    if len(hidden) < _FEWEST_HIDDEN:
        return None
    moved = hidden[:]
    chance.shuffle(moved)
    twin = list(deck)
    for target, source in zip(hidden, moved, strict=True):
        twin[target] = deck[source]
    if twin == list(deck):
        return None
    # Some games arrange cards by rank when they deal, which could move a card that is seen.
    honest = map(_view, _all_positions(deal, deck))
    return twin if all(map(_same, honest, map(_view, _all_positions(deal, twin)))) else None


def _never_seen(deal: _Deal, deck: Sequence[Card]) -> list[int]:
    """The places in the deck of cards that were face down in every position of every game.

    Face-down cards are the bottom of a pile, and leave it from its top only.
    """
    if not deal.logs:
        return list(range(len(deck)))
    down = [len(deck)] * len(opening(deal.rules, deck).piles)
    for position in _all_positions(deal, deck):
        down = [min(least, pile.down) for least, pile in zip(down, position.piles, strict=True)]
    return sorted(
        place
        for pile, least in zip(_places(deal.rules, deck), down, strict=True)
        for place in pile[:least]
    )


def _places(rules: Ruleset, deck: Sequence[Card]) -> list[list[int]]:
    """For each pile of the opening, where in the deck its cards come from."""
    one = fresh_deck(1)
    rules = replace(rules, suits=ALL_SUITS)  # else cards of one rank look the same in some games
    if rules.decks == 1:
        number = {card: place for place, card in enumerate(deck)}
        return [[number[card] for card in pile.cards] for pile in opening(rules, deck).piles]
    if any(isinstance(step, RankToBottom) for step in rules.deal):
        return [[] for _ in opening(rules, deck).piles]  # equal cards could not be told apart
    # Two decks of numbers, in base 52: dealing looks at places only.
    digits = [
        opening(rules, [one[place // size % len(one)] for place in range(len(deck))])
        for size in (1, len(one))
    ]
    value = {card: place for place, card in enumerate(one)}
    return [
        [value[low] + len(one) * value[high] for low, high in zip(*pair, strict=True)]
        for pair in zip(*([pile.cards for pile in each.piles] for each in digits), strict=True)
    ]


def _all_positions(deal: _Deal, deck: Sequence[Card]) -> Iterator[Position]:
    for log in deal.logs:
        yield from positions(deal.rules, opening(deal.rules, deck), log)


def _view(position: Position) -> list[tuple[int, tuple[Card, ...]]]:
    return [(pile.down, pile.face_up) for pile in position.piles]


def _same(one: object, other: object) -> bool:
    return one == other


def numbers_for(deck: Sequence[Card], decks: int) -> Iterator[int]:
    """What Fisher-Yates has to draw to turn an unshuffled deck into this one."""
    cards = list(fresh_deck(decks))
    for place in range(len(cards) - 1, 0, -1):
        source = cards.index(deck[place], 0, place + 1)
        cards[place], cards[source] = cards[source], cards[place]
        yield source
