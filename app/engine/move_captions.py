"""The examples of moves in words, and which piles a picture of them shows."""

from __future__ import annotations

from app.engine.actions import Deal, Move
from app.engine.move_examples import MoveExample
from app.engine.ruleset import Ruleset
from app.engine.sentences import count_word, place
from app.engine.transition import apply, changed_piles
from app.engine.vocabulary import Zone


def caption(rules: Ruleset, example: MoveExample) -> str:
    """An example in a sentence or two: what you can move where, or why you can't.

    >>> from app.rulesets.bristol import BRISTOL
    >>> from app.engine.move_examples import move_examples
    >>> tableau = [each for each in move_examples(BRISTOL) if each.section == "Tableau"]
    >>> print(caption(BRISTOL, tableau[0]))
    You can move the eight of diamonds to the nine of clubs.
    >>> print(caption(BRISTOL, tableau[1]))
    You can't move the seven of diamonds to the nine of clubs. Only an eight can go on the nine of clubs.
    """
    layout, position, action = rules.layout, example.position, example.action
    if isinstance(action, Deal):
        after = apply(rules, position, action)
        piles = changed_piles(rules, position, after)
        targets = [i for i, pile in enumerate(layout.ids) if pile in piles and i != layout.stock]
        zone = place(layout.zones[targets[0]])
        if len(targets) == 1:
            count = rules.stock.draws
            turned = "one card" if count == 1 else f"{count_word(count)} cards"
            return f"A deal turns {turned} from the stock over to the {zone}."
        return f"A deal puts one card on each of the {count_word(len(targets))} {zone} piles."
    source, target = layout.index[action.source], layout.index[action.target]
    from_zone, to_zone = layout.zones[source], layout.zones[target]
    cards, there = position.piles[source].cards[-action.count :], position.piles[target].cards
    what = f"the {cards[0].words}"
    if action.count > 1:
        on_it = "card" if action.count == 2 else f"{count_word(action.count - 1)} cards"  # noqa: PLR2004
        what += f" and the {on_it} on it"
    if from_zone is not Zone.TABLEAU:
        what += f" from the {place(from_zone)}"
    on = {Zone.FOUNDATION: " on a foundation", Zone.CELL: " in a cell"}.get(to_zone, "")
    empty = {Zone.FOUNDATION: "foundation", Zone.CELL: "cell"}.get(to_zone, "tableau pile")
    where = f"the {there[-1].words}{on}" if there else f"an empty {empty}"
    if example.refused:
        you = f"{example.when}, you can't" if example.when else "You can't"
        return f"{you} move {what} to {where}. {example.refused.sentence}"
    you = f"{example.when}, you can" if example.when else "You can"
    return f"{you} move {what} to {where}.{_filled(rules, example)}"


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
    zone = place(rules.layout.zones[index])
    return f" Then the {card.words} from the {zone} fills the empty pile."
