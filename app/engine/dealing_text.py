"""The deal in words, for the rules page.

>>> from app.rulesets.bristol import BRISTOL
>>> rest_text(BRISTOL)
'The other 25 cards form the stock, face down.'
"""

from __future__ import annotations

from itertools import groupby

from app.engine.card_names import rank_name
from app.engine.cards import Rank, fresh_deck
from app.engine.deal import opening
from app.engine.phrases import MOST_IN_WORDS, count_word
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import (
    NO_STOCK,
    DealBase,
    DealCells,
    DealColumns,
    DealReserve,
    DealStep,
    RankToBottom,
    RankToFoundations,
)
from app.text import Text, capital, gettext, listing, ngettext, npgettext, sentences


def step_text(rules: Ruleset, step: DealStep) -> Text:
    """One step of the opening deal."""
    match step:
        case DealReserve(cards, tops_only):
            return _reserve(cards, rules.reserve.count if rules.reserve else 0, tops_only=tops_only)
        case DealCells(cards):
            return capital(
                ngettext(
                    "%(word)s card is dealt to the first cell.",
                    "%(word)s cards are dealt to the first %(word)s cells.",
                    cards,
                    word=count_word(cards),
                )
            )
        case DealBase():
            return gettext("One card is dealt to the first foundation.")
        case DealColumns(cards, down):
            return _columns(cards, down)
        case RankToBottom(rank):
            ranks = rank_name(rank, "all cards of a rank")
            return capital(
                gettext(
                    "%(ranks)s are moved to the bottom of each column, in the order they were dealt.",
                    ranks=ranks,
                )
            )
        case RankToFoundations(rank, count):
            return _set_out(rank, count)


def _set_out(rank: Rank, count: int) -> Text:
    if count == 1:
        return gettext(
            "First, %(card)s is taken out of the deck and put on a foundation.",
            card=rank_name(rank, "a card does"),
        )
    return ngettext(
        "First, the %(word)s %(ranks)s is taken out of the deck and put on the foundations.",
        "First, the %(word)s %(ranks)s are taken out of the deck and put on the foundations.",
        count,
        word=count_word(count),
        ranks=rank_name(rank, "all cards of a rank"),
    )


def _reserve(cards: int, piles: int, *, tops_only: bool) -> Text:
    word = count_word(cards)
    if piles > 1:
        each = npgettext(
            "to each of the piles",
            "%(word)s reserve pile",
            "%(word)s reserve piles",
            piles,
            word=count_word(piles),
        )
        dealt = ngettext(
            "%(word)s card is dealt face up to each of the %(piles)s.",
            "%(word)s cards are dealt face up to each of the %(piles)s.",
            cards,
            word=word,
            piles=each,
        )
    elif cards > MOST_IN_WORDS and tops_only:  # a sentence does not begin with a figure
        dealt = ngettext(
            "A reserve of %(n)s card is dealt. Only the top card is face up.",
            "A reserve of %(n)s cards is dealt. Only the top card is face up.",
            cards,
        )
    elif cards > MOST_IN_WORDS:
        dealt = ngettext(
            "A reserve of %(n)s card is dealt face up, the last one on top.",
            "A reserve of %(n)s cards is dealt face up, the last one on top.",
            cards,
        )
    elif tops_only:
        dealt = ngettext(
            "%(word)s card is dealt to the reserve. Only the top card is face up.",
            "%(word)s cards are dealt to the reserve. Only the top card is face up.",
            cards,
            word=word,
        )
    else:
        dealt = ngettext(
            "%(word)s card is dealt face up to the reserve, the last one on top.",
            "%(word)s cards are dealt face up to the reserve, the last one on top.",
            cards,
            word=word,
        )
    return capital(dealt)


def _columns(cards: tuple[int, ...], down: tuple[int, ...]) -> Text:
    piles, word = len(cards), count_word(len(cards))
    sizes = set(cards)
    if any(down):
        return sentences(_sizes(cards), _hidden(cards, down))
    if len(sizes) == 1:
        each = ngettext(
            "%(word)s column gets %(cards)s each, face up.",
            "%(word)s columns get %(cards)s each, face up.",
            piles,
            word=word,
            cards=_cards(cards[0]),
        )
        return capital(each)
    if 0 not in cards:
        each = ngettext(
            "%(word)s column is dealt face up, left to right: %(groups)s.",
            "%(word)s columns are dealt face up, left to right: %(groups)s.",
            piles,
            word=word,
            groups=_groups(cards),
        )
        return capital(each)
    first = sum(1 for size in cards if size)
    return sentences(
        ngettext(
            "There is %(word)s column.",
            "There are %(word)s columns.",
            piles,
            word=word,
        ),
        ngettext(
            "The first %(word)s gets one card each, face up.",
            "The first %(word)s get one card each, face up.",
            first,
            word=count_word(first),
        ),
    )


def _sizes(cards: tuple[int, ...]) -> Text:
    """How many cards each pile gets, where not all of them lie face up."""
    piles, word = len(cards), count_word(len(cards))
    if len(set(cards)) == 1:
        each = ngettext(
            "%(word)s column gets %(cards)s each.",
            "%(word)s columns get %(cards)s each.",
            piles,
            word=word,
            cards=_cards(cards[0]),
        )
    elif len(set(cards)) < len(cards) - 1:
        each = ngettext(
            "%(word)s column is dealt left to right: %(groups)s.",
            "%(word)s columns are dealt left to right: %(groups)s.",
            piles,
            word=word,
            groups=_groups(cards),
        )
    else:
        each = ngettext(
            "%(word)s column gets %(sizes)s cards, left to right.",
            "%(word)s columns get %(sizes)s cards, left to right.",
            piles,
            word=word,
            sizes=listing(map(count_word, cards), "and"),
        )
    return capital(each)


def _hidden(cards: tuple[int, ...], down: tuple[int, ...]) -> Text:
    if all(size - below == 1 for size, below in zip(cards, down, strict=True) if size):
        return gettext("Only the top card of each is face up.")
    return gettext(
        "From left to right, the columns have %(sizes)s face-down cards.",
        sizes=listing(map(count_word, down), "and"),
    )


def _groups(cards: tuple[int, ...]) -> Text:
    """Neighboring piles of one size, such as "four get seven cards and one gets one card"."""
    groups = ((len(list(same)), size) for size, same in groupby(cards))
    return listing(
        (
            npgettext(
                "some of the piles, in a list",
                "%(word)s gets %(cards)s",
                "%(word)s get %(cards)s",
                piles,
                word=count_word(piles),
                cards=_cards(size),
            )
            for piles, size in groups
        ),
        "and",
    )


def _cards(count: int) -> Text:
    return npgettext(
        "to get cards", "%(word)s card", "%(word)s cards", count, word=count_word(count)
    )


def stock_size(rules: Ruleset) -> int:
    """How many cards are left in the stock after the opening deal."""
    game = opening(rules, fresh_deck(rules.decks))
    return len(game.piles[rules.layout.stock].cards)


def rest_text(rules: Ruleset) -> Text:
    """The rest of the deck after the opening deal."""
    if rules.stock == NO_STOCK:
        return gettext("All cards are dealt: there is no stock.")
    if rules.stock.face_up:
        return ngettext(
            "The other %(n)s card forms the stock, face up, with only the top card showing.",
            "The other %(n)s cards form the stock, face up, with only the top card showing.",
            stock_size(rules),
        )
    return ngettext(
        "The other %(n)s card forms the stock, face down.",
        "The other %(n)s cards form the stock, face down.",
        stock_size(rules),
    )
