"""View models of the cards: everything that a template prints, and nothing that a player may not see.

The identity of a face-down card never enters a view: there it is one of ``down`` backs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from app.engine.actions import Action, Deal, Move
from app.engine.card_names import card_name
from app.engine.cards import Card, Color
from app.engine.position import Pile, Position, run_length
from app.engine.rules import FULL_FOUNDATION, base_rank, longest_unit
from app.engine.ruleset import PileId, Ruleset
from app.engine.vocabulary import (
    AutoFill,
    DealTo,
    EmptyPileRule,
    OnlyRank,
    StaysEmpty,
    Zone,
)
from app.games import pile_names
from app.games.clicks import Grip, targets
from app.games.table_layout import column_classes, fullness_classes, top_row
from app.text import npgettext

_TRAIL = 3  # cards of a waste that lie side by side where there is room
_SPREAD = frozenset({Zone.TABLEAU, Zone.RESERVE})


class CardView(NamedTuple):
    """A face-up card. ``grip`` is empty if it cannot be picked up; a hint highlights ``advised`` cards."""

    text: str
    name: str
    grip: str
    held: bool
    advised: bool


class PileView(NamedTuple):
    """One pile as it is drawn: ``down`` backs, then ``cards``, bottom first.

    A squared pile lists its top card only, over ``under``: the face below it, or none; on a waste that is fanned, the
    faces beside it. ``empty_mark`` is the mark on the empty place; ``note`` what to print beside the pile, a count or
    words, or empty.
    """

    id: PileId
    label: str
    classes: str
    down: int
    under: tuple[str, ...]
    cards: tuple[CardView, ...]
    empty_mark: str
    note: str
    can_deal: bool


class Zones(NamedTuple):
    """All piles of a game, by where they are on the screen."""

    hand: tuple[PileView, ...]
    reserve: tuple[PileView, ...]
    cells: tuple[PileView, ...]
    foundations: tuple[PileView, ...]
    tableau: tuple[PileView, ...]


class HintMark(NamedTuple):
    """A hint as it is highlighted: its number, the cards, and where they would go.

    ``grip`` is ``None`` for a deal, and both are if no card is highlighted. Asking again refines a rough hint.
    """

    number: int
    grip: Grip | None
    target: PileId | None
    is_rough: bool = False
    is_finish: bool = False

    @property
    def is_deal(self) -> bool:
        """Whether the hint is to deal."""
        return self.grip is None and self.target is not None


@dataclass(frozen=True, slots=True)
class Holding:
    """What is held on the page and where it may go; or what a hint advises to move."""

    grip: Grip | None
    targets: frozenset[PileId]
    hint: HintMark | None = None

    @property
    def piles(self) -> frozenset[PileId]:
        """The piles that look different because of this."""
        piles = self.targets | {self.grip.pile} if self.grip else frozenset()
        if self.hint and self.hint.target:
            piles |= {self.hint.target}
        if self.hint and self.hint.grip:
            piles |= {self.hint.grip.pile}
        return piles


EMPTY_HANDED = Holding(None, frozenset())


def hold(
    rules: Ruleset, position: Position, grip: Grip, legal: Sequence[Action] | None = None
) -> Holding:
    """Pick up ``grip``, or nothing if it cannot move anywhere; ``legal`` as in ``clicks.targets``."""
    places = frozenset(targets(rules, position, grip, legal))
    return Holding(grip, places) if places else EMPTY_HANDED


def zones(rules: Ruleset, position: Position, holding: Holding = EMPTY_HANDED) -> Zones:
    """All piles."""
    layout = rules.layout

    def views(indices: Collection[int]) -> tuple[PileView, ...]:
        return tuple(pile_view(rules, position, layout.ids[index], holding) for index in indices)

    return Zones(
        hand=views((layout.stock, *layout.ranges[Zone.WASTE]) if rules.has_stock else ()),
        reserve=views(layout.reserves),
        cells=views(layout.cells),
        foundations=views(layout.foundations),
        tableau=views(layout.tableau),
    )


def still_zones(
    rules: Ruleset, position: Position, hint: HintMark | None = None
) -> list[tuple[str, tuple[PileView, ...]]]:
    """All piles, to look at only: nothing can be picked up. A ``hint`` is highlighted."""
    holding = Holding(None, frozenset(), hint)
    return [
        (name, tuple(map(_still, piles)))
        for name, piles in zones(rules, position, holding)._asdict().items()
        if piles
    ]


def hint_mark(
    rules: Ruleset, number: int, action: Action | None, *, is_rough: bool = False
) -> HintMark:
    """An action as a highlighted hint; ``None`` highlights nothing."""
    match action:
        case Move(source, target, count):
            return HintMark(number, Grip(source, count), target, is_rough)
        case Deal():
            return HintMark(number, None, rules.layout.ids[rules.layout.stock], is_rough)
        case None:
            return HintMark(0, None, None)


def some_piles(
    rules: Ruleset, position: Position, piles: Collection[PileId], holding: Holding = EMPTY_HANDED
) -> list[PileView]:
    """The named piles, in layout order; not the stock of a game without one, which no page has."""
    drawn = rules.layout.ids
    if not rules.has_stock:
        drawn = tuple(pile for pile in drawn if pile != drawn[rules.layout.stock])
    return [pile_view(rules, position, pile, holding) for pile in drawn if pile in piles]


def redrawn(
    rules: Ruleset,
    before: Position,
    changed: Collection[PileId],
    after: Position,
    *holdings: Holding,
) -> set[PileId]:
    """The piles to draw again: changed, highlighted before or now, or foundations with a new base."""
    piles = set(changed)
    for holding in holdings:
        piles |= holding.piles
    if base_rank(rules, before) is not base_rank(rules, after):
        piles |= {rules.layout.ids[index] for index in rules.layout.foundations}
    return piles


def pile_view(
    rules: Ruleset, position: Position, pile_id: PileId, holding: Holding = EMPTY_HANDED
) -> PileView:
    """One pile, highlighted if the held cards may go there."""
    layout = rules.layout
    index = layout.index[pile_id]
    zone = layout.zones[index]
    pile = position.piles[index]
    squared = zone not in _SPREAD
    is_column = zone is Zone.TABLEAU
    shown = _shown(rules, zone, pile, holding, pile_id)
    return PileView(
        id=pile_id,
        label=_label(rules, position, index),
        classes=_classes(rules, index, holding)
        + (column_classes(pile, sum([bool(card.grip) for card in shown])) if is_column else "")
        + ("" if squared else fullness_classes(rules, pile))
        + (" complete" if is_column and _ends_with_whole_run(rules, pile) else ""),
        down=min(pile.down, 1) if squared else pile.down,
        under=_under(pile, _fan(rules, zone)) if squared else (),
        cards=shown,
        empty_mark="" if pile.cards else empty_mark(rules, position, index),
        note=_note(rules, zone, pile),
        can_deal=zone is Zone.STOCK and pile.down == len(pile.cards) > 0,
    )


def _label(rules: Ruleset, position: Position, index: int) -> str:
    pile = position.piles[index]
    if index == rules.layout.stock and not pile.cards and rules.may_redeal(position.redeals):
        return pile_names.TURN_OVER
    return pile_names.pile_label(rules, rules.layout.ids[index], pile)


def _still(pile: PileView) -> PileView:
    cards = tuple(card._replace(grip="") for card in pile.cards)
    return pile._replace(can_deal=False, cards=cards)


def _shown(
    rules: Ruleset, zone: Zone, pile: Pile, holding: Holding, pile_id: PileId
) -> tuple[CardView, ...]:
    faces = pile.face_up if zone in _SPREAD else pile.face_up[-1:]
    held = _size_of(holding.grip, pile_id)
    advised = _size_of(holding.hint.grip, pile_id) if holding.hint else 0
    loose = longest_unit(rules, pile) if zone is Zone.TABLEAU else 1
    depths = range(len(faces), 0, -1)
    views = [
        _card(card, pile_id, depth, depth <= loose, depth <= held)
        for depth, card in zip(depths, faces, strict=True)
    ]
    if advised:
        views[-advised:] = [view._replace(advised=True) for view in views[-advised:]]
    return tuple(views)


# Every move shows the same cards again; as many are kept as in ``card_markup``.
@lru_cache(maxsize=32_768)
def _card(
    card: Card,
    pile: PileId,
    depth: int,
    is_loose: bool,  # noqa: FBT001 - by name, a cache takes longer
    is_held: bool,  # noqa: FBT001 - the same
) -> CardView:
    """A card with ``depth - 1`` others on it."""
    grip = str(Grip(pile, depth)) if is_loose else ""
    return CardView(card.text, card_name(card), grip, is_held, advised=False)


def _size_of(grip: Grip | None, pile_id: PileId) -> int:
    return grip.size if grip and grip.pile == pile_id else 0


def _ends_with_whole_run(rules: Ruleset, pile: Pile) -> bool:
    """Whether a run at the end of a column can go home at once: a ring around its king says what to press."""
    group = next((group for group in rules.foundations if group.whole_run), None)
    return group is not None and run_length(pile, group.build) >= FULL_FOUNDATION


def _classes(rules: Ruleset, index: int, holding: Holding) -> str:
    zone, pile_id = rules.layout.zones[index], rules.layout.ids[index]
    classes = "pile lit" if pile_id in holding.targets else "pile"
    if holding.hint and holding.hint.target == pile_id:
        classes += " advised"
    if zone is Zone.FOUNDATION and rules.layout.targets[index]:
        classes += " gives"
    if _fan(rules, zone) > 1:
        classes += " fanned" if rules.stock.draws > 1 else " fanned trail"
    return classes


def _fan(rules: Ruleset, zone: Zone) -> int:
    """How many cards lie side by side: on a waste to which several are dealt at once, all of these.

    Of a waste that gets one at a time, those before it trail beside it, if its row has room for one card more.
    """
    if zone is not Zone.WASTE:
        return 1
    has_room = len(top_row(rules)) < len(rules.layout.tableau)
    return max(rules.stock.draws, _TRAIL if has_room else 1)


def _under(pile: Pile, fan: int) -> tuple[str, ...]:
    """The faces to draw below the top of a squared pile, bottom first: of a fan of one, the next one is enough."""
    return tuple(card.text for card in pile.face_up[:-1][-max(fan - 1, 1) :])


def empty_mark(rules: Ruleset, position: Position, index: int) -> str:
    """The mark on an empty place: what belongs there, as far as one sign can say it."""
    zone = rules.layout.zones[index]
    if zone is Zone.FOUNDATION:
        group = rules.layout.groups[index]
        if group.whole_run:
            return "run"
        if group.color:
            return "red" if group.color is Color.RED else "black"
        base = base_rank(rules, position)
        return base.letter if base else "any"
    if zone is Zone.TABLEAU:
        return _column_mark(rules.tableau.empty_pile)
    if zone is Zone.STOCK:
        return "any" if rules.may_redeal(position.redeals) else "done"
    return "cell" if zone is Zone.CELL else "none"


def _column_mark(rule: EmptyPileRule) -> str:
    match rule:
        case OnlyRank():
            return "crown"
        case StaysEmpty():
            return "done"
        case AutoFill(then=then) if not then:  # it is empty only when nothing is left to fill it
            return "done"
        case _:
            return "none"


def _note(rules: Ruleset, zone: Zone, pile: Pile) -> str:
    """How many cards lie in a pile that hides some; where the stock deals to many piles at once, how many deals."""
    count = len(pile.cards)
    if not count:
        return ""
    match zone:
        case Zone.STOCK if rules.stock.deals_to in {DealTo.WASTE, DealTo.NOWHERE}:
            return str(count)
        case Zone.STOCK:
            left = pile_names.deals_left(rules, pile)
            return npgettext("left in the stock", "%(n)s deal", "%(n)s deals", left)
        case Zone.WASTE if count > 1 or rules.stock.face_up:
            return str(count)
        case Zone.RESERVE if count > 1 or len(rules.layout.reserves) == 1:
            return str(count)
        case _:
            return ""
