"""The rules of a game as a page to read, written from its data and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.cards import Rank, fresh_deck
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.engine.sentences import a_rank, build, count_word, listing, match_clause, place
from app.engine.vocabulary import (
    AutoFill,
    Base,
    Build,
    ChosenBase,
    Closed,
    DealBase,
    DealColumns,
    DealReserve,
    DealStep,
    DealtBase,
    DealTo,
    FixedBase,
    Foundations,
    Lift,
    MustFill,
    OnlyRank,
    SinkRank,
    Space,
    Zone,
)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the paragraphs below it, all plain text."""

    title: str
    paragraphs: tuple[str, ...]


def describe(rules: Ruleset) -> tuple[Section, ...]:
    """The whole page, in reading order. Sections that say nothing about this game are left out."""
    sections = (
        Section("Goal", (_goal(rules),)),
        Section("The opening", (*(_step(rules, step) for step in rules.deal), _rest(rules))),
        Section("The base", _base(rules.base)),
        Section("Foundations", _foundations(rules)),
        Section("Tableau", _tableau(rules)),
        Section("Empty piles", _space(rules.tableau.space)),
        Section("Reserve", _reserve(rules)),
        Section("Stock and waste" if rules.waste else "Stock", _stock(rules)),
        Section("The end", _end(rules)),
        Section("Where these rules come from", _source(rules)),
    )
    return tuple(section for section in sections if section.paragraphs)


def _goal(rules: Ruleset) -> str:
    decks = "one deck" if rules.decks == 1 else f"{count_word(rules.decks)} decks"
    runs = sum(group.count for group in rules.foundations if group.whole_run)
    goal = f"Bring all {rules.cards} cards ({decks}) home to the foundations"
    if not runs:
        return f"{goal}."
    half = runs * len(Rank)
    return f"{goal}: {rules.cards - half} of them card by card, {half} as {count_word(runs)} runs."


# --- the opening


def _step(rules: Ruleset, step: DealStep) -> str:
    match step:
        case DealReserve(cards):
            count = rules.reserve.count if rules.reserve else 0
            if count == 1:
                return f"{_cards(cards)} go face up to the reserve, the last one on top."
            return f"{_cards(cards)} goes face up to each of {count_word(count)} reserve piles."
        case DealBase():
            return "One card goes to the first foundation."
        case DealColumns(cards, tops_only):
            return _columns(cards, tops_only=tops_only)
        case SinkRank(rank):
            return (
                f"In each pile the {rank.word}s sink to the bottom. Several {rank.word}s keep their "
                "order, and so do the other cards."
            )


def _columns(cards: tuple[int, ...], *, tops_only: bool) -> str:
    piles = f"{count_word(len(cards)).capitalize()} tableau piles"
    if tops_only:
        sizes = listing((count_word(size) for size in cards), "and")
        return f"{piles} get {sizes} cards, left to right; only the top of each lies face up."
    if len(set(cards)) == 1:
        each = "one card" if cards[0] == 1 else f"{count_word(cards[0])} cards"
        return f"{piles} get {each} each, face up."
    first = sum(1 for size in cards if size)
    return f"{piles} are laid out; the first {count_word(first)} get a card, face up."


def _stock_size(rules: Ruleset) -> int:
    game = opening(rules, fresh_deck(rules.decks))
    return len(game.piles[rules.layout.stock].cards)


def _rest(rules: Ruleset) -> str:
    way = "face up and squared: only the top card shows" if rules.stock.face_up else "face down"
    return f"The other {_stock_size(rules)} cards are the stock, {way}."


# --- the base and the foundations


def _base(base: Base) -> tuple[str, ...]:
    match base:
        case FixedBase(rank):
            return (f"Every foundation that is built card by card starts with {a_rank(rank)}.",)
        case DealtBase():
            return ("The first foundation's card names the base, the rank that all start with.",)
        case ChosenBase(zones, then_deal):
            tops = listing(sorted((place(zone) for zone in zones), reverse=True), "or")
            choice = (
                f"Your first move takes a top card of the {tops} to a foundation. Its rank is the "
                "base: every foundation starts with that rank. Nothing else is allowed before it."
            )
            deal = (
                "With that move the stock gives one card to each empty tableau pile, left to right, "
                "the pile that you chose from included."
            )
            return (choice, deal) if then_deal else (choice,)


def _foundations(rules: Ruleset) -> tuple[str, ...]:
    groups = (_group(group, rules.base) for group in rules.foundations)
    return (*groups, "Cards never leave a foundation.")


def _group(group: Foundations, base: Base) -> str:
    who = f"{count_word(group.count).capitalize()} foundations"
    if group.whole_run:
        return (
            f"{who} take complete runs only: the last 13 cards of a tableau pile, king to ace "
            f"{match_clause(group.build.match)}, all in one move, one run to a foundation. "
            "When to move a run there is up to you."
        )
    color = f" are for {group.color.value} cards and" if group.color else ""
    start = a_rank(base.rank) if isinstance(base, FixedBase) else "the base"
    text = f"{who}{color} {build(group.build)}, starting with {start}, one card at a time."
    return f"{text} Each is full with 13 cards{_circle(group.build)}."


def _circle(rule: Build) -> str:
    order = "an ace follows a king" if rule.step > 0 else "a king may lie on an ace"
    return f"; the ranks form a circle, so {order}" if rule.circular else ""


# --- the tableau


def _tableau(rules: Ruleset) -> tuple[str, ...]:
    rule = rules.tableau.build
    first = f"Tableau piles {build(rule)}{_circle(rule)}."
    if rule.step < 0 and not rule.circular:
        first += " Nothing goes on an ace."
    match rules.tableau.lift:
        case Lift.TOP_CARD:
            lift = "Cards move one at a time, from the top of a pile."
        case Lift.RUN:
            lift = (
                "A run of face-up cards in this order moves as a unit, all of it or its upper part. "
                "A card that loses the one above it turns face up at once."
            )
    return first, f"{lift} The top card may also go to a foundation."


def _space(space: Space) -> tuple[str, ...]:
    match space:
        case Closed():
            return ("An empty tableau pile stays empty for good.",)
        case AutoFill(sources, then_tableau):
            order = ", and when that is empty from ".join(f"the {place(zone)}" for zone in sources)
            then = (
                "you may move the top card of another tableau pile there, but you need not."
                if then_tableau
                else "an empty pile stays empty for good."
            )
            fill = (
                f"An empty tableau pile is filled at once, leftmost first, from {order}. "
                "This happens by itself and belongs to your move: one undo takes back both."
            )
            return fill, f"With {_names(sources, 'and')} gone, {then}"
        case MustFill(sources):
            either = _names(sources, "or")
            must = (
                f"You fill an empty tableau pile yourself, with the top card of {either}, as you "
                "choose. Until it is filled there is no deal, no other tableau move and no move "
                "from the reserve."
            )
            shortcut = (
                f"A shortcut is allowed: the top card of {either} may go straight to a foundation "
                "or to a pile that has cards, as if it had stopped at the empty pile on its way."
            )
            gone = f"With {_names(sources, 'and')} gone, an empty pile stays empty for good."
            return must, shortcut, gone
        case OnlyRank(rank):
            only = f"Only {a_rank(rank)}, or a run that starts with one, may be moved to an empty pile."
            return (only,)


def _names(zones: tuple[Zone, ...], conjunction: str) -> str:
    return listing((f"the {place(zone)}" for zone in zones), conjunction)


# --- reserve, stock and waste


def _reserve(rules: Ruleset) -> tuple[str, ...]:
    if rules.reserve is None:
        return ()
    each = "the reserve" if rules.reserve.count == 1 else "each reserve pile"
    refilled = rules.stock.deals_to is DealTo.EACH_RESERVE
    refill = "Only a deal brings new cards to it." if refilled else "It is never refilled."
    plays = f"The top card of {each} may go {_to(rules.reserve.plays_to)}."
    return (f"{plays} Nothing is ever moved to the reserve. {refill}",)


def _to(zones: frozenset[Zone]) -> str:
    words = {Zone.TABLEAU: "to the tableau", Zone.FOUNDATION: "to a foundation"}
    if len(zones) == 1:
        return f"{words[next(iter(zones))]} only"
    return listing((words[zone] for zone in (Zone.TABLEAU, Zone.FOUNDATION)), "or")


def _stock(rules: Ruleset) -> tuple[str, ...]:
    size = _stock_size(rules)
    match rules.stock.deals_to:
        case DealTo.WASTE:
            deal = "A deal turns one card from the stock to the waste."
        case DealTo.EACH_RESERVE:
            deal = (
                "A deal puts one card on each reserve pile: empty piles come first, then the "
                f"others, both left to right. {_deals(size, len(rules.layout.reserves))}"
            )
        case DealTo.EACH_TABLEAU:
            deal = (
                "A deal puts one card face up on each tableau pile, left to right, empty piles "
                f"too. {_deals(size, len(rules.layout.tableau))}"
            )
    paragraphs = [f"{deal} {_when(rules)}"]
    if rules.stock.plays_to:
        straight = _to(rules.stock.plays_to)
        paragraphs.append(f"The top card of the stock may also be played straight {straight}.")
    if rules.waste:
        paragraphs.append(f"The top card of the waste may go {_to(rules.waste.plays_to)}.")
    return tuple(paragraphs)


def _when(rules: Ruleset) -> str:
    when = "at any time"
    if isinstance(rules.tableau.space, MustFill):
        when = "whenever no tableau pile is empty"
    elif isinstance(rules.base, ChosenBase):
        when = "at any time once the base is chosen"
    return f"You may deal {when}. The stock is dealt once: there is no second round."


def _deals(size: int, piles: int) -> str:
    full, rest = divmod(size, piles)
    last = f" and a last one of {_cards(rest).lower()}, in the same order" if rest else ""
    return f"{size} cards make {count_word(full)} full deals{last}."


def _cards(count: int) -> str:
    word = count_word(count).capitalize()
    return f"{word} card" if count == 1 else f"{word} cards"


# --- the end and the source


def _end(rules: Ruleset) -> tuple[str, ...]:
    circling = (
        "Going round in circles: the table looks as it did before, and so does every table one move "
        "away. The game is not over, but it is time to undo or to try something else."
    )
    return (
        f"Won: all {rules.cards} cards are on foundations.",
        "Lost: the stock is empty, cards are still out, and no move is allowed.",
        circling,
    )


def _source(rules: Ruleset) -> tuple[str, ...]:
    page = f"Told in our own words after {rules.source}."
    names = listing((name.title() for name in rules.aliases), "and") if rules.aliases else ""
    return (f"Also known as {names}.", page) if names else (page,)
