"""The rules page of a game, generated from its rule set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.engine.cards import Rank, Suit
from app.engine.dealing_text import rest_text, step_text
from app.engine.foundation_text import foundations_text
from app.engine.move_examples import (
    BASE,
    CELLS,
    EMPTY_PILES,
    FOUNDATIONS,
    RESERVE,
    TABLEAU,
    stock_section,
)
from app.engine.phrases import count_word
from app.engine.ruleset import Ruleset
from app.engine.sentences import tops
from app.engine.stock_text import Source, stock_text, top_card
from app.engine.tableau_text import empty_pile_text, tableau_text
from app.engine.vocabulary import (
    NO_STOCK,
    ChosenBase,
    DealtBase,
    DealTo,
    FixedBase,
    Zone,
)
from app.text import (
    Text,
    gettext,
    listing,
    ngettext,
    npgettext,
    pgettext,
    sentences,
)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its paragraphs, in plain text."""

    title: str
    paragraphs: tuple[str, ...]


def describe(rules: Ruleset) -> tuple[Section, ...]:
    """The sections of the page, in order; those that do not apply to this game are left out.

    >>> from app.rulesets.bristol import BRISTOL
    >>> describe(BRISTOL)[0]
    Section(title='Goal', paragraphs=('Move all 52 cards (one deck) to the foundations.',))
    """
    sections = (
        Section(gettext("Goal"), (_goal(rules),)),
        Section(
            gettext("The deal"),
            (*(step_text(rules, step) for step in rules.deal), rest_text(rules)),
        ),
        Section(BASE, _base(rules)),
        Section(TABLEAU, tableau_text(rules)),
        Section(EMPTY_PILES, empty_pile_text(rules)),
        Section(FOUNDATIONS, foundations_text(rules)),
        Section(RESERVE, _reserve(rules)),
        Section(CELLS, _cells(rules)),
        Section(stock_section(rules), stock_text(rules)),
        Section(gettext("The end"), _end(rules)),
        Section(gettext("Where these rules come from"), _source(rules)),
    )
    return tuple(section for section in sections if section.paragraphs)


_SUITS: Final = {
    Suit.CLUBS: pgettext("only these suits", "clubs"),
    Suit.DIAMONDS: pgettext("only these suits", "diamonds"),
    Suit.HEARTS: pgettext("only these suits", "hearts"),
    Suit.SPADES: pgettext("only these suits", "spades"),
}


def _goal(rules: Ruleset) -> Text:
    decks = _decks(rules)
    runs = sum(group.count for group in rules.foundations if group.whole_run)
    if not runs:
        return ngettext(
            "Move all %(n)s card (%(decks)s) to the foundations.",
            "Move all %(n)s cards (%(decks)s) to the foundations.",
            rules.cards,
            decks=decks,
        )
    half = runs * len(Rank)
    whole = npgettext(
        "to move cards as runs", "%(word)s run", "%(word)s runs", runs, word=count_word(runs)
    )
    if half == rules.cards:
        return ngettext(
            "Move all %(n)s card (%(decks)s) to the foundations, as %(runs)s from king to ace.",
            "Move all %(n)s cards (%(decks)s) to the foundations, as %(runs)s from king to ace.",
            rules.cards,
            decks=decks,
            runs=whole,
        )
    return ngettext(
        "Move all %(n)s card (%(decks)s) to the foundations: %(single)s of them one by one and"
        " %(half)s as %(runs)s.",
        "Move all %(n)s cards (%(decks)s) to the foundations: %(single)s of them one by one and"
        " %(half)s as %(runs)s.",
        rules.cards,
        decks=decks,
        single=rules.cards - half,
        half=half,
        runs=whole,
    )


def _decks(rules: Ruleset) -> Text:
    word = count_word(rules.decks)
    if len(rules.suits) == len(Suit):
        return npgettext(
            "how many decks", "%(word)s deck", "%(word)s decks", rules.decks, word=word
        )
    return npgettext(
        "how many decks",
        "%(word)s deck of %(suits)s only",
        "%(word)s decks of %(suits)s only",
        rules.decks,
        word=word,
        suits=listing((_SUITS[suit] for suit in rules.suits), "and"),
    )


def _base(rules: Ruleset) -> tuple[Text, ...]:
    match rules.base:
        case FixedBase():
            return ()  # the foundations say it
        case DealtBase():
            return (
                gettext(
                    "The card on the first foundation sets the base: every foundation starts with"
                    " its rank."
                ),
            )
        case ChosenBase(_, then_deal):
            choice = gettext(
                "With your first move, take the top card of %(piles)s to a foundation. Its rank"
                " is the base: every foundation starts with that rank. No other first move is"
                " allowed.",
                piles=tops(rules.base),
            )
            deal = gettext(
                "One card is then dealt from the stock to each empty column, left to right,"
                " including the one you chose from."
            )
            return (choice, deal) if then_deal else (choice,)


def _reserve(rules: Ruleset) -> tuple[Text, ...]:
    if rules.reserve is None:
        return ()
    of: Source = "reserve" if rules.reserve.count == 1 else "each reserve"
    plays = top_card(of, rules.reserve.plays_to)
    if Zone.RESERVE in rules.layout.open_zones:
        return (
            sentences(
                plays,
                gettext(
                    "You can move cards from the stock to a reserve pile, whatever its top card is."
                ),
            ),
        )
    closed = gettext("You can't move cards to the reserve.")
    if rules.stock.deals_to is DealTo.EACH_RESERVE:
        return (sentences(plays, closed, gettext("Only a deal adds cards to it.")),)
    return (sentences(plays, closed, gettext("It is never refilled.")),)


def _cells(rules: Ruleset) -> tuple[Text, ...]:
    if rules.cells is None:
        return ()
    cells = ngettext(
        "There is %(word)s cell. It takes one card from the top of a column.",
        "There are %(word)s cells. Each takes one card from the top of a column.",
        rules.cells.count,
        word=count_word(rules.cells.count),
    )
    back = gettext("From there it can go back to a column or to a foundation.")
    return (sentences(cells, back),)


def _end(rules: Ruleset) -> tuple[Text, ...]:
    return (
        ngettext(
            "You win when all %(n)s card is on the foundations.",
            "You win when all %(n)s cards are on the foundations.",
            rules.cards,
        ),
        gettext("You lose when no legal move is left.")
        if rules.stock == NO_STOCK
        else gettext("You lose when the stock is empty and no legal move is left."),
        gettext(
            "You are going in circles when this position, and every position one move away, has"
            " come up before. The game isn't over, but it's time to undo or to try something else."
        ),
    )


def _source(rules: Ruleset) -> tuple[Text, ...]:
    return (gettext("These rules follow %(source)s, in our own words.", source=rules.source),)
