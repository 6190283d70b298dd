"""The rules page of a game, generated from its rule set."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from app.engine.cards import Rank, Suit
from app.engine.dealing_text import go_text, rest_text, step_text, stock_text
from app.engine.move_examples import stock_section
from app.engine.ruleset import Ruleset
from app.engine.sentences import (
    LEAVES_FOUNDATION,
    a_rank,
    build,
    count_word,
    listing,
    match_clause,
    place,
    starts_with,
)
from app.engine.vocabulary import (
    NO_STOCK,
    AutoFill,
    Build,
    ChosenBase,
    DealColumns,
    DealtBase,
    DealTo,
    FixedBase,
    Foundations,
    MayFill,
    MoveUnit,
    MustFill,
    OnlyRank,
    StaysEmpty,
    Zone,
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
        Section("Goal", (_goal(rules),)),
        Section("The deal", (*(step_text(rules, step) for step in rules.deal), rest_text(rules))),
        Section("The base", _base(rules)),
        Section("Foundations", _foundations(rules)),
        Section("Tableau", _tableau(rules)),
        Section("Empty piles", _empty_pile(rules)),
        Section("Reserve", _reserve(rules)),
        Section("Cells", _cells(rules)),
        Section(stock_section(rules), stock_text(rules)),
        Section("The end", _end(rules)),
        Section("Where these rules come from", _source(rules)),
    )
    return tuple(section for section in sections if section.paragraphs)


def _goal(rules: Ruleset) -> str:
    decks = "one deck" if rules.decks == 1 else f"{count_word(rules.decks)} decks"
    if len(rules.suits) < len(Suit):
        decks += f" of {listing((suit.word for suit in rules.suits), 'and')} only"
    runs = sum(group.count for group in rules.foundations if group.whole_run)
    goal = f"Move all {rules.cards} cards ({decks}) to the foundations"
    if not runs:
        return f"{goal}."
    half = runs * len(Rank)
    if half == rules.cards:
        return f"{goal}, as {count_word(runs)} runs from king to ace."
    return f"{goal}: {rules.cards - half} of them one by one and {half} as {count_word(runs)} runs."


def _base(rules: Ruleset) -> tuple[str, ...]:
    if rules.has_only_whole_runs:
        return ()
    match rules.base:
        case FixedBase(rank):
            return (f"Foundations that are built one card at a time start with {a_rank(rank)}.",)
        case DealtBase():
            return (
                "The card on the first foundation sets the base: every foundation starts with its rank.",
            )
        case ChosenBase(zones, then_deal):
            tops = listing(sorted((place(zone) for zone in zones), reverse=True), "or")
            choice = (
                f"With your first move, take a top card of the {tops} to a foundation. Its rank is "
                "the base: every foundation starts with that rank. No other first move is allowed."
            )
            deal = (
                "One card is then dealt from the stock to each empty tableau pile, left to right, "
                "including the pile you chose from."
            )
            return (choice, deal) if then_deal else (choice,)


def _foundations(rules: Ruleset) -> tuple[str, ...]:
    groups = (_group(group, rules.base) for group in rules.foundations)
    back = any(group.plays_to for group in rules.foundations)
    return (*groups, _BACK if back else LEAVES_FOUNDATION)


_BACK: Final = "The top card of a foundation can go back to the tableau, if it fits there."


def _group(group: Foundations, base: FixedBase | DealtBase | ChosenBase) -> str:
    who = f"{count_word(group.count).capitalize()} foundations"
    if group.whole_run:
        return (
            f"{who} take complete runs only: the top 13 cards of a tableau pile, king to ace "
            f"{match_clause(group.build.match)}, in one move. Each foundation takes one run. "
            "You decide when to move a run there."
        )
    color = f" are for {group.color.value} cards and" if group.color else ""
    start = a_rank(base.rank) if isinstance(base, FixedBase) else "the base"
    text = f"{who}{color} {build(group.build)}, starting with {start}, one card at a time."
    return f"{text} Each holds 13 cards{_circle(group.build)}."


def _circle(rule: Build) -> str:
    order = "an ace goes on a king" if rule.step > 0 else "a king can go on an ace"
    return f"; ranks wrap around, so {order}" if rule.circular else ""


def _tableau(rules: Ruleset) -> tuple[str, ...]:
    rule = rules.tableau.build
    first = f"Tableau piles {build(rule)}{_circle(rule)}."
    if rule.step < 0 and not rule.circular:
        first += " Nothing can go on an ace."
    is_hidden = any(isinstance(step, DealColumns) and any(step.down) for step in rules.deal)
    turned_up = " When a face-down card is uncovered, it turns face up." if is_hidden else ""
    match rules.tableau.move_unit:
        case MoveUnit.TOP_CARD:
            lift = "Cards move one at a time, from the top of a pile."
        case MoveUnit.RUN:
            lift = (
                "You can move a run of face-up cards in this order together, whole or just its upper "
                f"part.{turned_up}"
            )
        case MoveUnit.SUIT_RUN:
            lift = (
                "You can move a run of face-up cards in this order together if they are of one suit."
                f"{turned_up}"
            )
        case MoveUnit.GROUP:
            lift = (
                "You can move any face-up card together with all the cards on it, in whatever order "
                f"they are.{turned_up}"
            )
        case MoveUnit.CELL_RUN:
            lift = (
                "Cards move one at a time. As a shortcut you can move a run together, as long as "
                "single moves by way of empty cells and piles could do the same."
            )
    if rules.has_only_whole_runs:
        return first, lift
    return first, f"{lift} The top card can also go to a foundation."


def _empty_pile(rules: Ruleset) -> tuple[str, ...]:
    match rules.tableau.empty_pile:
        case StaysEmpty():
            return ("An empty tableau pile can't be refilled.",)
        case AutoFill(sources, then_from):
            order = " or, when that is empty, from ".join(f"the {place(zone)}" for zone in sources)
            then = (
                "you can move the top card of another tableau pile there, but you don't have to."
                if then_from == {Zone.TABLEAU}
                else f"you can fill an empty pile with cards from {_names(then_from, 'or')}, or leave it empty."
                if then_from
                else "an empty pile can't be refilled."
            )
            fill = (
                f"Empty tableau piles are filled automatically, leftmost first, from {order}. "
                "This is part of your move, so one undo takes back both."
            )
            verb = "is" if len(sources) == 1 else "are"
            return fill, f"Once {_names(sources, 'and')} {verb} empty, {then}"
        case MustFill(sources):
            either = _names(sources, "or")
            must = (
                f"You must fill an empty tableau pile with the top card of {either}; the choice is "
                "yours. Until then you can't deal, make any other tableau move or play from the "
                "reserve."
            )
            shortcut = (
                f"There is a shortcut: the top card of {either} can go straight to a foundation or "
                "to a pile with cards, as if it had stopped at the empty pile on the way."
            )
            gone = f"Once {_names(sources, 'and')} are empty, an empty pile can't be refilled."
            return must, shortcut, gone
        case OnlyRank(rank):
            return (f"Only {starts_with(rules.tableau.move_unit, rank)} can go to an empty pile.",)
        case MayFill(sources):
            if sources >= _playable(rules):
                return ("Any card can go to an empty pile.",)
            return (f"Only cards from {_names(sources, 'or')} can go to an empty pile.",)


def _playable(rules: Ruleset) -> set[Zone]:
    """The zones whose cards can be played to the tableau."""
    pairs = zip(rules.layout.zones, rules.layout.plays_to, strict=True)
    return {zone for zone, targets in pairs if Zone.TABLEAU in targets}


def _names(zones: Collection[Zone], conjunction: str) -> str:
    zones = zones if isinstance(zones, tuple) else [zone for zone in Zone if zone in zones]
    return listing((f"the {place(zone)}" for zone in zones), conjunction)


def _reserve(rules: Ruleset) -> tuple[str, ...]:
    if rules.reserve is None:
        return ()
    each = "the reserve" if rules.reserve.count == 1 else "each reserve pile"
    refilled = rules.stock.deals_to is DealTo.EACH_RESERVE
    refill = "Only a deal adds cards to it." if refilled else "It is never refilled."
    plays = f"The top card of {each} can {go_text(rules.reserve.plays_to)}."
    if Zone.RESERVE in rules.layout.open_zones:
        return (f"{plays} Cards from the stock can go there, whatever lies on it.",)
    return (f"{plays} You can't move cards to the reserve. {refill}",)


def _cells(rules: Ruleset) -> tuple[str, ...]:
    if rules.cells is None:
        return ()
    count = count_word(rules.cells.count)
    takes = f"There are {count} cells. Each takes one card from the top of a tableau pile."
    return (f"{takes} From there it can go back to the tableau or to a foundation.",)


def _end(rules: Ruleset) -> tuple[str, ...]:
    circling = (
        "You are going in circles when this position, and every position one move away, has come up before. "
        "The game isn't over, but it's time to undo or to try something else."
    )
    return (
        f"You win when all {rules.cards} cards are on the foundations.",
        "You lose when no legal move is left."
        if rules.stock == NO_STOCK
        else "You lose when the stock is empty and no legal move is left.",
        circling,
    )


def _source(rules: Ruleset) -> tuple[str, ...]:
    page = f"These rules follow {rules.source}, in our own words."
    names = listing((name.title() for name in rules.aliases), "and") if rules.aliases else ""
    return (f"Also known as {names}.", page) if names else (page,)
