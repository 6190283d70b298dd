"""The examples of moves in words, and which piles a picture of them shows."""

from __future__ import annotations

from app.engine.actions import Deal, Move
from app.engine.card_names import card_name
from app.engine.move_examples import MoveExample
from app.engine.phrases import count_word, pile_kind
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, changed_piles
from app.engine.vocabulary import Zone
from app.text import Text, gettext, ngettext, npgettext, pgettext, sentences


def caption(rules: Ruleset, example: MoveExample) -> Text:
    """An example in a sentence or two: what you can move where, or why you can't.

    >>> from app.rulesets.bristol import BRISTOL
    >>> from app.engine.move_examples import move_examples
    >>> columns = [each for each in move_examples(BRISTOL) if each.section == "Columns"]
    >>> print(caption(BRISTOL, columns[0]))
    You can move the eight of diamonds to the nine of clubs.
    >>> print(caption(BRISTOL, columns[1]))
    You can't move the seven of diamonds to the nine of clubs. Only an eight can go on the nine of clubs.
    """
    action = example.action
    if isinstance(action, Deal):
        return _deal(rules, example)
    cards, where = _cards(rules, example.position, action), _target(rules, example.position, action)
    if example.refused:
        said = (
            gettext(
                "%(when)s, you can't move %(cards)s %(where)s.",
                when=example.when,
                cards=cards,
                where=where,
            )
            if example.when
            else gettext("You can't move %(cards)s %(where)s.", cards=cards, where=where)
        )
        return sentences(said, example.refused.sentence)
    said = (
        gettext(
            "%(when)s, you can move %(cards)s %(where)s.",
            when=example.when,
            cards=cards,
            where=where,
        )
        if example.when
        else gettext("You can move %(cards)s %(where)s.", cards=cards, where=where)
    )
    return sentences(said, _filled(rules, example))


def _deal(rules: Ruleset, example: MoveExample) -> Text:
    layout, position = rules.layout, example.position
    piles = changed_piles(rules, position, apply(rules, position, example.action))
    targets = [i for i, pile in enumerate(layout.ids) if pile in piles and i != layout.stock]
    zone = layout.zones[targets[0]]
    if len(targets) == 1:
        return ngettext(
            "A deal moves %(word)s card from the stock %(to_pile)s, face up.",
            "A deal moves %(word)s cards from the stock %(to_pile)s, face up.",
            rules.stock.draws,
            word=count_word(rules.stock.draws),
            to_pile=pile_kind(zone, "to a pile"),
        )
    if zone is Zone.RESERVE:
        return ngettext(
            "A deal puts one card on each of the %(word)s reserve pile.",
            "A deal puts one card on each of the %(word)s reserve piles.",
            len(targets),
            word=count_word(len(targets)),
        )
    return ngettext(
        "A deal puts one card on each of the %(word)s column.",
        "A deal puts one card on each of the %(word)s columns.",
        len(targets),
        word=count_word(len(targets)),
    )


def _cards(rules: Ruleset, position: Position, move: Move) -> Text:
    """The moved cards: a card, and those on it."""
    source = rules.layout.index[move.source]
    lead = card_name(position.piles[source].cards[-move.count], "to do with the card")
    others = move.count - 1
    if others:
        lead = npgettext(
            "to do with the cards",
            "%(card)s and the card on it",
            "%(card)s and the %(word)s cards on it",
            others,
            card=lead,
            word=count_word(others),
        )
    zone = rules.layout.zones[source]
    if zone is Zone.TABLEAU:
        return lead
    where = pile_kind(zone, "from a pile")
    return pgettext("to do with the cards", "%(cards)s %(from_pile)s", cards=lead, from_pile=where)


def _target(rules: Ruleset, position: Position, move: Move) -> Text:
    """Where cards are moved."""
    target = rules.layout.index[move.target]
    there, zone = position.piles[target].cards, rules.layout.zones[target]
    if there:
        card = card_name(there[-1], "to do with the card")
        match zone:
            case Zone.FOUNDATION:
                return pgettext("to move cards", "to %(card)s on a foundation", card=card)
            case Zone.CELL:
                return pgettext("to move cards", "to %(card)s in a cell", card=card)
            case _:
                return pgettext("to move cards", "to %(card)s", card=card)
    match zone:
        case Zone.FOUNDATION:
            return pgettext("to move cards", "to an empty foundation")
        case Zone.CELL:
            return pgettext("to move cards", "to an empty cell")
        case _:
            return pgettext("to move cards", "to an empty column")


def shown_piles(rules: Ruleset, example: MoveExample) -> tuple[int, ...]:
    """The piles that matter in an example, source first, as indices of the layout."""
    layout, action = rules.layout, example.action
    ends = (
        (action.source, action.target) if isinstance(action, Move) else (layout.ids[layout.stock],)
    )
    first = tuple(layout.index[pile] for pile in ends)
    if example.refused:
        return first
    after = apply(rules, example.position, action)
    changed = changed_piles(rules, example.position, after)
    others = (i for i, pile in enumerate(layout.ids) if pile in changed and i not in first)
    return (*first, *others)


def _filled(rules: Ruleset, example: MoveExample) -> str:
    """What happens by itself after a legal move."""
    sources = shown_piles(rules, example)[2:]
    if not sources:
        return ""
    index = sources[0]
    card = example.position.piles[index].cards[-1]
    return gettext(
        "Then %(card)s %(from_pile)s fills the empty column.",
        card=card_name(card, "the card does"),
        from_pile=pile_kind(rules.layout.zones[index], "from a pile"),
    )
