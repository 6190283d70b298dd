"""The tableau in words, for the rules page."""

from __future__ import annotations

from app.engine.phrases import count_word, match_clause, pile_kind, pile_kinds
from app.engine.ruleset import Ruleset
from app.engine.sentences import only_rank
from app.engine.vocabulary import (
    AutoFill,
    DealColumns,
    MayFill,
    MoveUnit,
    MustFill,
    OnlyRank,
    StaysEmpty,
    Zone,
)
from app.text import Text, gettext, ngettext, pgettext, sentences


def tableau_text(rules: Ruleset) -> tuple[Text, ...]:
    """How piles of the tableau are built, and what one move takes from them.

    >>> from app.rulesets.bristol import BRISTOL
    >>> tableau_text(BRISTOL)[0]
    'Columns build down regardless of suit. Nothing can go on an ace.'
    """
    first = _tableau_build(rules)
    is_hidden = any(isinstance(step, DealColumns) and any(step.down) for step in rules.deal)
    turned_up = (
        gettext("When a face-down card is uncovered, it turns face up.") if is_hidden else ""
    )
    match rules.tableau.move_unit:
        case MoveUnit.TOP_CARD:
            lift = gettext("Cards move one at a time, from the top of a column.")
            turned_up = ""
        case MoveUnit.SUIT_RUN if not rules.has_one_suit:
            lift = gettext(
                "You can move a run of face-up cards in this order together if they are of one"
                " suit."
            )
        case MoveUnit.RUN | MoveUnit.SUIT_RUN:
            lift = gettext(
                "You can move a run of face-up cards in this order together: all of it, or any"
                " number of cards from its top."
            )
        case MoveUnit.GROUP:
            lift = gettext(
                "You can move any face-up card together with all the cards on it, whatever their"
                " order."
            )
        case MoveUnit.CELL_RUN:
            lift = gettext(
                "Cards move one at a time. As a shortcut you can move a run together, as long as you could"
                " also move its cards one by one through empty cells and columns."
            )
            turned_up = ""
    if rules.has_only_whole_runs:
        return first, sentences(lift, turned_up)
    return first, sentences(lift, turned_up, gettext("The top card can also go to a foundation."))


def _tableau_build(rules: Ruleset) -> Text:
    rule = rules.tableau.build
    match = match_clause(rule.match)
    if rules.has_one_suit and rule.step < 0 and not rule.circular:
        return gettext("Columns build down. Nothing can go on an ace.")
    if rule.step > 0 and rule.circular:
        return gettext(
            "Columns build up %(match)s; ranks wrap around, so an ace goes on a king.",
            match=match,
        )
    if rule.step > 0:
        return gettext("Columns build up %(match)s.", match=match)
    if rule.circular:
        return gettext(
            "Columns build down %(match)s; ranks wrap around, so a king can go on an ace.",
            match=match,
        )
    return gettext("Columns build down %(match)s. Nothing can go on an ace.", match=match)


def empty_pile_text(rules: Ruleset) -> tuple[Text, ...]:
    """What an empty pile takes, by itself or from the player."""
    match rules.tableau.empty_pile:
        case StaysEmpty():
            return (gettext("An empty column can't be refilled."),)
        case AutoFill(sources, then_from):
            return _filled_at_once(sources), _filled_later(sources, then_from)
        case MustFill(sources):
            either = pile_kinds(sources, "or", "the top card of")
            must = gettext(
                "You must fill an empty column with the top card of %(piles)s; the choice is"
                " yours. Until then you can't deal, move a card from a column or play from the"
                " reserve.",
                piles=either,
            )
            shortcut = gettext(
                "There is a shortcut: the top card of %(piles)s can go straight to a foundation or"
                " to a column with cards, as if it had stopped at the empty column on the way.",
                piles=either,
            )
            gone = ngettext(
                "Once %(piles)s is empty, an empty column can't be refilled.",
                "Once %(piles)s are empty, an empty column can't be refilled.",
                len(sources),
                piles=pile_kinds(sources, "and", "piles are empty"),
            )
            return must, shortcut, gone
        case OnlyRank(rank):
            return (only_rank(rules.tableau.move_unit, rank),)
        case MayFill(sources):
            if sources >= _playable(rules):
                return (gettext("Any card can go to an empty column."),)
            names = pile_kinds(sources, "or", "cards come from")
            return (gettext("Only cards from %(piles)s can go to an empty column.", piles=names),)


def own_rule(rules: Ruleset) -> Text | None:
    """The one rule about how cards move that makes a game what it is; ``None`` where they move as in most games.

    >>> from app.rulesets.spider import SPIDER
    >>> own_rule(SPIDER)
    'Only a run in one suit moves together.'
    """
    if rules.cells:
        return ngettext(
            "Park a card in the cell.",
            "Park a card in one of the %(word)s cells.",
            rules.cells.count,
            word=count_word(rules.cells.count),
        )
    match rules.tableau.move_unit:
        case MoveUnit.SUIT_RUN if rules.has_one_suit:
            return gettext("A run of cards in order moves together.")
        case MoveUnit.SUIT_RUN:
            return gettext("Only a run in one suit moves together.")
        case MoveUnit.GROUP:
            return gettext("Any face-up card moves, with all the cards on it.")
        case _:
            return None


def special_rule(rules: Ruleset) -> Text:
    """The special rule of a game's columns besides building, in one short sentence.

    >>> from app.rulesets.klondike import KLONDIKE
    >>> special_rule(KLONDIKE)
    'Only a king, or a run that starts with one, can go to an empty column.'
    """
    if rule := own_rule(rules):
        return rule
    match rules.tableau.empty_pile:
        case MustFill() if rules.stock.face_up:
            return gettext(
                "The stock is face up: when a column is empty, you choose what fills it."
            )
        case AutoFill():
            return gettext("An empty column fills itself.")
        case _:
            return empty_pile_text(rules)[0]


def _filled_at_once(sources: tuple[Zone, ...]) -> Text:
    *before, order = (pile_kind(zone, "from a pile") for zone in sources)
    for first in reversed(before):
        order = pgettext(
            "from a pile",
            "%(first)s or, when that is empty, %(then)s",
            first=first,
            then=order,
        )
    return gettext(
        "Empty columns are filled automatically, leftmost first, %(from_pile)s. This is part"
        " of your move, so one undo takes back both.",
        from_pile=order,
    )


def _filled_later(sources: tuple[Zone, ...], then_from: frozenset[Zone]) -> Text:
    names = pile_kinds(sources, "and", "piles are empty")
    if then_from == {Zone.TABLEAU}:
        return ngettext(
            "Once %(piles)s is empty, you can move the top card of another column there, but"
            " you don't have to.",
            "Once %(piles)s are empty, you can move the top card of another column there, but"
            " you don't have to.",
            len(sources),
            piles=names,
        )
    if then_from:
        return ngettext(
            "Once %(piles)s is empty, you can fill an empty column with cards from %(others)s, or"
            " leave it empty.",
            "Once %(piles)s are empty, you can fill an empty column with cards from %(others)s, or"
            " leave it empty.",
            len(sources),
            piles=names,
            others=pile_kinds(then_from, "or", "cards come from"),
        )
    return ngettext(
        "Once %(piles)s is empty, an empty column can't be refilled.",
        "Once %(piles)s are empty, an empty column can't be refilled.",
        len(sources),
        piles=names,
    )


def _playable(rules: Ruleset) -> set[Zone]:
    """The zones whose cards can be played to the tableau."""
    pairs = zip(rules.layout.zones, rules.layout.plays_to, strict=True)
    return {zone for zone, targets in pairs if Zone.TABLEAU in targets}
