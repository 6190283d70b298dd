"""The stock in words, for the rules page: what a deal does, and where the top cards of piles may go."""

from __future__ import annotations

from typing import Literal

from app.engine.dealing_text import stock_size
from app.engine.phrases import count_word
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import NO_STOCK, ChosenBase, DealTo, MustFill, Zone
from app.text import Text, gettext, listing, ngettext, npgettext, pgettext, sentences


def stock_text(rules: Ruleset) -> tuple[Text, ...]:
    """What a deal does, when it is allowed, and where cards of the stock and the waste may go."""
    first = use_of_stock(rules)
    if first is None or rules.stock.deals_to is DealTo.NOWHERE:
        return (first,) if first else ()
    piles = {
        DealTo.EACH_RESERVE: rules.layout.reserves,
        DealTo.EACH_TABLEAU: rules.layout.tableau,
        DealTo.EACH_FILLED_TABLEAU: rules.layout.tableau,
    }.get(rules.stock.deals_to)
    deal = sentences(first, _deals(stock_size(rules), len(piles))) if piles else first
    paragraphs = [sentences(deal, _when(rules), _redeals(rules.stock.redeals))]
    if rules.stock.plays_to:
        paragraphs.append(top_card("stock, too", rules.stock.plays_to))
    if rules.waste:
        paragraphs.append(top_card("waste", rules.waste.plays_to))
    return tuple(paragraphs)


def use_of_stock(rules: Ruleset) -> Text | None:
    """The use of the stock, in one sentence; ``None`` without a stock.

    >>> from app.rulesets.klondike import KLONDIKE
    >>> use_of_stock(KLONDIKE)
    'A deal moves one card from the stock to the waste, face up.'
    """
    match rules.stock.deals_to:
        case DealTo.NOWHERE:
            return None if rules.stock == NO_STOCK else top_card("stock", rules.stock.plays_to)
        case DealTo.WASTE:
            return ngettext(
                "A deal moves %(word)s card from the stock to the waste, face up.",
                "A deal moves %(word)s cards from the stock to the waste, face up.",
                rules.stock.draws,
                word=count_word(rules.stock.draws),
            )
        case DealTo.EACH_RESERVE:
            return gettext(
                "A deal puts one card on each reserve pile: first the empty piles, then the others,"
                " each left to right."
            )
        case DealTo.EACH_TABLEAU:
            return gettext(
                "A deal puts one card face up on each column, left to right, including empty"
                " columns."
            )
        case DealTo.EACH_FILLED_TABLEAU:
            return gettext("A deal puts one card face up on each column, left to right.")


def stock_in_short(rules: Ruleset) -> Text | None:
    """The use of the stock, and whether its cards come back after they were dealt; ``None`` without a stock.

    >>> from app.rulesets.klondike import ONE_PASS
    >>> stock_in_short(ONE_PASS)
    'A deal moves one card from the stock to the waste, face up. There is no redeal.'
    """
    use = use_of_stock(rules)
    if use is None or rules.stock.deals_to is not DealTo.WASTE:
        return use
    return sentences(use, _redeals(rules.stock.redeals))


def _when(rules: Ruleset) -> Text:
    if isinstance(rules.tableau.empty_pile, MustFill):
        return gettext("You can deal whenever no column is empty.")
    if isinstance(rules.base, ChosenBase):
        return gettext("You can deal at any time once the base is chosen.")
    if rules.stock.deals_to is DealTo.EACH_FILLED_TABLEAU:
        return gettext("You can deal only while no column is empty.")
    return gettext("You can deal at any time.")


def _redeals(redeals: int | None) -> Text:
    match redeals:
        case 0:
            return gettext("There is no redeal.")
        case None:
            return gettext(
                "When the stock is empty, you can turn the waste over to make a new stock, as"
                " often as you like."
            )
        case 1:
            return gettext(
                "When the stock is empty, you can turn the waste over to make a new stock, once."
            )
        case 2:
            return gettext(
                "When the stock is empty, you can turn the waste over to make a new stock, twice."
            )
        case _:
            return ngettext(
                "When the stock is empty, you can turn the waste over to make a new stock,"
                " %(word)s time.",
                "When the stock is empty, you can turn the waste over to make a new stock,"
                " %(word)s times.",
                redeals,
                word=count_word(redeals),
            )


def _deals(size: int, piles: int) -> Text:
    if size < piles:  # only games that deal to columns have so small a stock
        return ngettext(
            "The stock has %(word)s card, for one deal to the first column.",
            "The stock has %(word)s cards, for one deal to the first %(word)s columns.",
            size,
            word=count_word(size),
        )
    full, rest = divmod(size, piles)
    deals = npgettext(
        "to make deals", "%(word)s full deal", "%(word)s full deals", full, word=count_word(full)
    )
    if not rest:
        return ngettext(
            "%(n)s card makes %(deals)s.", "%(n)s cards make %(deals)s.", size, deals=deals
        )
    return ngettext(
        "%(n)s card makes %(deals)s and a last deal of %(cards)s, in the same order.",
        "%(n)s cards make %(deals)s and a last deal of %(cards)s, in the same order.",
        size,
        deals=deals,
        cards=npgettext(
            "a deal of cards", "%(word)s card", "%(word)s cards", rest, word=count_word(rest)
        ),
    )


Source = Literal["stock", "stock, too", "waste", "reserve", "each reserve"]


def top_card(of: Source, zones: frozenset[Zone]) -> Text:
    """Where the top card of a pile may go; "stock, too" is for a stock that is also dealt.

    >>> top_card("waste", frozenset({Zone.FOUNDATION}))
    'The top card of the waste can only go to a foundation.'
    """
    words = {
        Zone.TABLEAU: pgettext("where cards go", "to a column"),
        Zone.FOUNDATION: pgettext("where cards go", "to a foundation"),
        Zone.RESERVE: pgettext("where cards go", "to a reserve pile"),
    }
    places = listing((word for zone, word in words.items() if zone in zones), "or")
    is_one = len(zones) == 1
    match of:
        case "stock":
            if is_one:
                return gettext("The top card of the stock can only go %(places)s.", places=places)
            return gettext("The top card of the stock can go %(places)s.", places=places)
        case "stock, too":
            if is_one:
                return gettext(
                    "Instead of dealing the top card of the stock, you can move it %(places)s,"
                    " and nowhere else.",
                    places=places,
                )
            return gettext(
                "Instead of dealing the top card of the stock, you can move it %(places)s.",
                places=places,
            )
        case "waste":
            if is_one:
                return gettext("The top card of the waste can only go %(places)s.", places=places)
            return gettext("The top card of the waste can go %(places)s.", places=places)
        case "reserve":
            if is_one:
                return gettext("The top card of the reserve can only go %(places)s.", places=places)
            return gettext("The top card of the reserve can go %(places)s.", places=places)
        case "each reserve":
            if is_one:
                return gettext(
                    "The top card of each reserve pile can only go %(places)s.", places=places
                )
            return gettext("The top card of each reserve pile can go %(places)s.", places=places)
