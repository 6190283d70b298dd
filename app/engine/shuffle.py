"""Shuffling: a deal code or a secret seed gives the same deck on every machine, forever.

The full algorithm, version 1, so that anyone can reproduce it:

1. An open code is ten symbols of ``0123456789ABCDEFGHJKMNPQRSTVWXYZ`` (50 bits), printed in two
   groups of five. Reading ignores case, spaces and hyphens, and takes O for 0, I and L for 1.
2. Its seed is the SHA-256 of the ASCII text ``fairdeal/open/1/`` followed by the ten symbols. The
   seed of a sealed deal is 32 secret random bytes. From here on both are the same.
3. Block ``n`` (0, 1, 2 ...) is HMAC-SHA-256 with the seed as key over the ASCII text
   ``fairdeal/deck/1/`` followed by the number of decks, ``/`` and ``n``, both in decimal. Each
   block is read as eight 32-bit big-endian numbers, in order.
4. To draw a number below ``m``, take the next number, skip it if it is not below the largest
   multiple of ``m`` that fits in 32 bits (rejection sampling), and reduce it modulo ``m``.
5. Start with the unshuffled deck: clubs, diamonds, hearts, spades, each ace to king, repeated for
   each deck. For i from the last index down to 1, swap card i with card j, where j is drawn below
   i + 1 (Fisher-Yates). The first card of the result is dealt first.

Codes of a later version will have a different length, so a code always identifies its version. ``MS-11982`` is no code
but a number of Microsoft's FreeCell (see ``app.engine.microsoft``); it stands wherever a code does.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NewType

from app.engine.cards import Card, fresh_deck
from app.engine.microsoft import check_game, check_number, deck_of_number
from app.engine.ruleset import Ruleset
from app.text import Text, gettext, ngettext, quoted

Code = NewType("Code", str)
"""The code of an open deal in canonical form, such as ``7KQ4M-2XWTP`` or ``MS-11982``."""

CODE_SYMBOLS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH: Final = 10
SEED_BYTES: Final = 32
ALGORITHM: Final = 1

_READING: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
_NUMBERED: Final = "MS-"
_NUMBER: Final = re.compile(r"(?:MS-|#)([0-9]{1,10})")
_WORD: Final = 1 << 32


def new_code() -> Code:
    """A random code, from the operating system's randomness."""
    return _print_code("".join(secrets.choice(CODE_SYMBOLS) for _ in range(CODE_LENGTH)))


def parse_code(text: str, rules: Ruleset | None = None) -> Code:
    """Read a code as people write it; raise ``ValueError`` with a sentence for the player.

    ``rules`` are the game that it is for, if that is known: not every game takes a Microsoft number.

    >>> parse_code("7kq4m 2xwtp"), parse_code("#11982")
    ('7KQ4M-2XWTP', 'MS-11982')
    >>> parse_code("ZZZ")
    Traceback (most recent call last):
    ValueError: “ZZZ” isn't a deal code. They look like 7KQ4M-2XWTP.
    """
    if numbered := _NUMBER.fullmatch(text.strip().upper()):
        number = int(numbered[1])
        check_number(number)
        if rules:
            check_game(rules)
        return Code(f"{_NUMBERED}{number}")
    symbols = text.strip().upper().translate(_READING)
    # upper() maps some non-ASCII letters to ASCII; those were never part of a code.
    if len(symbols) != CODE_LENGTH or not text.isascii() or not set(symbols) <= set(CODE_SYMBOLS):
        raise ValueError(
            gettext(
                "%(text)s isn't a deal code. They look like 7KQ4M-2XWTP.", text=quoted(text[:40])
            )
        )
    return _print_code(symbols)


def is_numbered(text: str) -> bool:
    """Whether a text is the number of a deal of Microsoft FreeCell.

    >>> is_numbered("#11982"), is_numbered("7KQ4M-2XWTP")
    (True, False)
    """
    return _NUMBER.fullmatch(text.strip().upper()) is not None


def new_seed() -> bytes:
    """32 secret bytes for a sealed deal."""
    return secrets.token_bytes(SEED_BYTES)


def deck_of_code(code: Code, decks: int) -> tuple[Card, ...]:
    """The deck of an open deal, first card dealt first.

    >>> deck = deck_of_code(parse_code("7KQ4M-2XWTP"), decks=1)
    >>> " ".join(card.text for card in deck[:10])
    '6S 2H AD 4C 8C KC 5S 4H 7S 5D'
    """
    if code.startswith(_NUMBERED):
        return deck_of_number(int(code.removeprefix(_NUMBERED)))
    symbols = code.replace("-", "")
    return deck_of_seed(
        hashlib.sha256(b"fairdeal/open/1/" + symbols.encode("ascii")).digest(), decks
    )


def deck_of_seed(seed: bytes, decks: int) -> tuple[Card, ...]:
    """The deck of a 32-byte seed, first card dealt first."""
    if len(seed) != SEED_BYTES:
        message = f"A seed has {SEED_BYTES} bytes, not {len(seed)}."
        raise ValueError(message)
    cards = list(fresh_deck(decks))
    numbers = _numbers(seed, decks)
    for i in range(len(cards) - 1, 0, -1):
        j = draw_below(i + 1, numbers)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def read_deck(names: Sequence[object], decks: int) -> tuple[Card, ...]:
    """Read a deck from card names; raise ``ValueError`` unless it is exactly ``decks`` full decks."""
    cards = tuple(
        Card.parse(name) if isinstance(name, str) else _not_a_card(name) for name in names
    )
    have, want = Counter(cards), Counter(fresh_deck(decks))
    if have != want:
        raise ValueError(_other_deck(decks * 52, have - want, want - have))
    return cards


def _other_deck(cards: int, extra: Counter[Card], missing: Counter[Card]) -> Text:
    """How a deck differs from the deck of a game."""
    odd, lacks = (
        " ".join(sorted(card.text for card in each.elements())) for each in (extra, missing)
    )
    if not lacks:
        return ngettext(
            "A deck for this game has %(n)s card; too many: %(extra)s.",
            "A deck for this game has %(n)s cards; too many: %(extra)s.",
            cards,
            extra=odd,
        )
    if not odd:
        return ngettext(
            "A deck for this game has %(n)s card; missing: %(missing)s.",
            "A deck for this game has %(n)s cards; missing: %(missing)s.",
            cards,
            missing=lacks,
        )
    return ngettext(
        "A deck for this game has %(n)s card; too many: %(extra)s; missing: %(missing)s.",
        "A deck for this game has %(n)s cards; too many: %(extra)s; missing: %(missing)s.",
        cards,
        extra=odd,
        missing=lacks,
    )


def pack_deck(deck: Sequence[Card]) -> bytes:
    r"""A deck without a seed as bytes: the index of each card in an unshuffled deck.

    >>> pack_deck(fresh_deck(1))[:3], unpack_deck(bytes([0, 51]))
    (b'\x00\x01\x02', (Card.parse('AC'), Card.parse('KS')))
    """
    place = {card: number for number, card in enumerate(fresh_deck(1))}
    return bytes(place[card] for card in deck)


def unpack_deck(packed: bytes) -> tuple[Card, ...]:
    """The inverse of ``pack_deck``."""
    fresh = fresh_deck(1)
    return tuple(fresh[number] for number in packed)


def _not_a_card(name: object) -> Card:
    raise ValueError(gettext("%(name)s is not a card name: write it like 7H.", name=str(name)[:40]))


def _print_code(symbols: str) -> Code:
    half = CODE_LENGTH // 2
    return Code(f"{symbols[:half]}-{symbols[half:]}")


def _numbers(seed: bytes, decks: int) -> Iterator[int]:
    block = 0
    while True:
        text = f"fairdeal/deck/1/{decks}/{block}".encode("ascii")
        digest = hmac.digest(seed, text, "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def draw_below(limit: int, numbers: Iterator[int]) -> int:
    """A number from 0 to below ``limit``, each as likely, from random words of 32 bits."""
    # Rejection sampling: without it, some orders of the deck would be slightly more likely.
    fair = _WORD - _WORD % limit
    return next(number for number in numbers if number < fair) % limit
