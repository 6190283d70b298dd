"""The deal and the stock in words, for the rules page.

>>> from app.rulesets.bristol import BRISTOL
>>> rest_text(BRISTOL)
'The other 25 cards form the stock, face down.'
"""

from __future__ import annotations

from itertools import groupby

from app.engine.cards import fresh_deck
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.engine.sentences import (
    a_rank,
    count_word,
    listing,
)
from app.engine.vocabulary import (
    NO_STOCK,
    ChosenBase,
    DealBase,
    DealCells,
    DealColumns,
    DealReserve,
    DealStep,
    DealTo,
    MustFill,
    RankToBottom,
    RankToFoundations,
    Zone,
)


def step_text(rules: Ruleset, step: DealStep) -> str:
    """One step of the opening deal."""
    match step:
        case DealReserve(cards, tops_only):
            count = rules.reserve.count if rules.reserve else 0
            if count == 1:
                if cards > _MOST_IN_WORDS:
                    shown = (
                        ". Only the top card is face up"
                        if tops_only
                        else " face up, the last one on top"
                    )
                    return f"A reserve of {cards} cards is dealt{shown}."
                if tops_only:
                    return (
                        f"{_cards(cards)} are dealt to the reserve. Only the top card is face up."
                    )
                return f"{_cards(cards)} are dealt face up to the reserve, the last one on top."
            verb = "is" if cards == 1 else "are"
            return f"{_cards(cards)} {verb} dealt face up to each of the {count_word(count)} reserve piles."
        case DealCells(cards):
            return f"{_cards(cards)} are dealt to the first {count_word(cards)} cells."
        case DealBase():
            return "One card is dealt to the first foundation."
        case DealColumns(cards, down):
            return _columns(cards, down)
        case RankToBottom(rank):
            return (
                f"{rank.word.capitalize()}s are moved to the bottom of each pile, "
                "in the order they were dealt."
            )
        case RankToFoundations(rank, count):
            if count == 1:
                return f"First, {a_rank(rank)} is taken out of the deck and put on a foundation."
            return (
                f"First, the {count_word(count)} {rank.word}s are taken out of the deck and put "
                "on the foundations."
            )


_MOST_IN_WORDS = 12  # a sentence does not begin with a figure


def _columns(cards: tuple[int, ...], down: tuple[int, ...]) -> str:
    piles = f"{count_word(len(cards)).capitalize()} tableau piles"
    if any(down):
        sizes = listing((count_word(size) for size in cards), "and")
        each = f"{piles} get {sizes} cards, left to right."
        if 1 < len(set(cards)) < len(cards) - 1:
            each = f"{piles} are dealt left to right: {_groups(cards)}."
        if len(set(cards)) == 1:
            each = f"{piles} get {count_word(cards[0])} cards each."
        if all(size - below == 1 for size, below in zip(cards, down, strict=True) if size):
            return f"{each} Only the top card of each is face up."
        hidden = listing((count_word(below) for below in down), "and")
        return f"{each} The first {hidden} cards of them are face down."
    if len(set(cards)) == 1:
        each = "one card" if cards[0] == 1 else f"{count_word(cards[0])} cards"
        return f"{piles} get {each} each, face up."
    first = sum(1 for size in cards if size)
    if 0 not in cards:
        return f"{piles} are dealt face up, left to right: {_groups(cards)}."
    return f"There are {piles.lower()}. The first {count_word(first)} get one card each, face up."


def _groups(cards: tuple[int, ...]) -> str:
    """Neighboring piles of one size, such as "four get seven cards and one gets one card"."""
    groups = ((len(list(same)), size) for size, same in groupby(cards))
    return listing(
        (
            f"{count_word(piles)} {'gets' if piles == 1 else 'get'} "
            f"{count_word(size)} {'card' if size == 1 else 'cards'}"
            for piles, size in groups
        ),
        "and",
    )


def _stock_size(rules: Ruleset) -> int:
    game = opening(rules, fresh_deck(rules.decks))
    return len(game.piles[rules.layout.stock].cards)


def rest_text(rules: Ruleset) -> str:
    """What is left of the deck after the opening deal."""
    if rules.stock == NO_STOCK:
        return "All cards are dealt: there is no stock."
    way = "face up, with only the top card showing" if rules.stock.face_up else "face down"
    return f"The other {_stock_size(rules)} cards form the stock, {way}."


def stock_text(rules: Ruleset) -> tuple[str, ...]:
    """What a deal does, when it is allowed, and where cards of the stock and the waste may go."""
    size = _stock_size(rules)
    match rules.stock.deals_to:
        case DealTo.NOWHERE:
            if rules.stock == NO_STOCK:
                return ()
            return (f"The top card of the stock can {go_text(rules.stock.plays_to)}.",)
        case DealTo.WASTE:
            cards = (
                "one card" if rules.stock.draws == 1 else f"{count_word(rules.stock.draws)} cards"
            )
            deal = f"A deal moves {cards} from the stock to the waste, face up."
        case DealTo.EACH_RESERVE:
            deal = (
                "A deal puts one card on each reserve pile: first the empty piles, then the "
                f"others, each left to right. {_deals(size, len(rules.layout.reserves))}"
            )
        case DealTo.EACH_TABLEAU:
            deal = (
                "A deal puts one card face up on each tableau pile, left to right, including empty "
                f"piles. {_deals(size, len(rules.layout.tableau))}"
            )
        case DealTo.EACH_FILLED_TABLEAU:
            deal = (
                "A deal puts one card face up on each tableau pile, left to right. "
                f"{_deals(size, len(rules.layout.tableau))}"
            )
    paragraphs = [f"{deal} {_when(rules)}"]
    if rules.stock.plays_to:
        straight = go_text(rules.stock.plays_to)
        paragraphs.append(f"The top card of the stock can also {straight}, without a deal.")
    if rules.waste:
        paragraphs.append(f"The top card of the waste can {go_text(rules.waste.plays_to)}.")
    return tuple(paragraphs)


def _when(rules: Ruleset) -> str:
    when = "at any time"
    if isinstance(rules.tableau.empty_pile, MustFill):
        when = "whenever no tableau pile is empty"
    elif isinstance(rules.base, ChosenBase):
        when = "at any time once the base is chosen"
    elif rules.stock.deals_to is DealTo.EACH_FILLED_TABLEAU:
        when = "only while no tableau pile is empty"
    return f"You can deal {when}. {_redeals(rules.stock.redeals)}"


def _redeals(redeals: int | None) -> str:
    if redeals == 0:
        return "There is no redeal."
    turned = "When the stock is empty, you can turn the waste over to be the stock again"
    if redeals is None:
        return f"{turned}, as often as you like."
    times = {1: "once", 2: "twice"}.get(redeals, f"{count_word(redeals)} times")
    return f"{turned}, {times}."


def _deals(size: int, piles: int) -> str:
    if size <= piles:
        return f"There are {count_word(size)} cards for one deal."
    full, rest = divmod(size, piles)
    last = f" and a last deal of {_cards(rest).lower()}, in the same order" if rest else ""
    return f"{size} cards make {count_word(full)} full deals{last}."


def _cards(count: int) -> str:
    word = count_word(count).capitalize()
    return f"{word} card" if count == 1 else f"{word} cards"


def go_text(zones: frozenset[Zone]) -> str:
    """Where cards may go, after "can"."""
    words = {
        Zone.TABLEAU: "to the tableau",
        Zone.FOUNDATION: "to a foundation",
        Zone.RESERVE: "to a reserve pile",
    }
    if len(zones) == 1:
        return f"only go {words[next(iter(zones))]}"
    return f"go {listing((word for zone, word in words.items() if zone in zones), 'or')}"
