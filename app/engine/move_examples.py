"""Examples of moves for the rules page, found by asking the rules.

Nothing here is written for one game. Each question ("what goes on a foundation?") is a list of things to try in a small
position; the rules judge them, and the first that is legal and the nearest that is not become the examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from app.engine.actions import DEAL, Action, Move
from app.engine.cards import Card, Rank
from app.engine.example_positions import (
    SOME_BASE,
    chain_of,
    faces_of,
    run_of,
    supply_of,
    table_of,
)
from app.engine.phrases import pile_kinds
from app.engine.position import Position
from app.engine.rules import FULL_FOUNDATION, Refusal, refusal
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import AutoFill, Build, ChosenBase, FixedBase, Zone
from app.text import Text, gettext, ngettext

BASE: Final = gettext("The base")
FOUNDATIONS: Final = gettext("Foundations")
TABLEAU: Final = gettext("Columns")
EMPTY_PILES: Final = gettext("Empty columns")
RESERVE: Final = gettext("Reserve")
CELLS: Final = gettext("Cells")
_STOCK: Final = gettext("Stock")
_STOCK_AND_WASTE: Final = gettext("Stock and waste")
"""The sections of a rules page that have examples."""

_MIDDLE: Final = Rank.NINE  # to build on: far from both ends


class MoveExample(NamedTuple):
    """An action in a position, and what the rules say: ``refused`` is ``None`` if it is legal.

    ``section`` is the section of the rules page that it belongs to, ``when`` the start of its caption, mostly empty.
    """

    section: str
    position: Position
    action: Action
    refused: Refusal | None
    when: str = ""


def stock_section(rules: Ruleset) -> Text:
    """The title of the section about the stock.

    >>> from app.rulesets.bristol import BRISTOL
    >>> stock_section(BRISTOL)
    'Stock'
    >>> [str(example.action) for example in move_examples(BRISTOL) if example.section == "Stock"]
    ['deal']
    """
    return _STOCK_AND_WASTE if rules.waste else _STOCK


@cache
def move_examples(rules: Ruleset) -> tuple[MoveExample, ...]:
    """The examples for a rule set, in the order of its rules page."""
    return (
        *_base(rules),
        *_tableau(rules),
        *_empty_piles(rules),
        *_foundations(rules),
        *(_plays(rules, RESERVE, Zone.RESERVE) if rules.reserve else ()),
        *(_cells(rules) if rules.cells else ()),
        *(_stock(rules) if rules.has_stock else ()),
    )


# --- what is tried


def _base(rules: Ruleset) -> Iterator[MoveExample]:
    layout, base = rules.layout, rules.base
    targets = _singles(rules)
    if not targets:
        return
    target = targets[-1]
    if not isinstance(base, ChosenBase):
        if not isinstance(base, FixedBase):
            yield from _onto(rules, BASE, target, ())
        return
    card, other = faces_of(rules)[SOME_BASE - 1], faces_of(rules)[SOME_BASE - 2]
    position = table_of(
        rules, {layout.tableau[0]: (other,), layout.tableau[1]: (card,)}, base=False
    )
    moves = [(layout.tableau[1], target), (layout.tableau[1], layout.tableau[0])]
    for source, where in moves:
        yield _judged(rules, BASE, position, _move(rules, source, where))


def _foundations(rules: Ruleset) -> Iterator[MoveExample]:
    layout = rules.layout
    seen: list[tuple[Build, bool]] = []
    if singles := _singles(rules) if isinstance(rules.base, FixedBase) else ():
        yield from _onto(rules, FOUNDATIONS, singles[-1], ())
    for index, group in layout.groups.items():
        if (group.build, group.whole_run) in seen:
            continue
        seen.append((group.build, group.whole_run))
        if group.whole_run:
            run = chain_of(rules, index, FULL_FOUNDATION)
            for cards in (run, run[:-1]):
                position = table_of(rules, {layout.tableau[0]: cards})
                move = _move(rules, layout.tableau[0], index, len(cards))
                yield _judged(rules, FOUNDATIONS, position, move)
        else:
            yield from _onto(rules, FOUNDATIONS, index, chain_of(rules, index, 3))
        if Zone.TABLEAU in group.plays_to:
            column, home = layout.tableau[0], chain_of(rules, index, 3)
            fits = next(
                card for card in faces_of(rules) if home[-1] in layout.successors[column][card]
            )
            position = table_of(rules, {index: home, column: (fits,)})
            yield _judged(rules, FOUNDATIONS, position, _move(rules, index, column))


def _tableau(rules: Ruleset) -> Iterator[MoveExample]:
    layout = rules.layout
    target, source = layout.tableau[0], layout.tableau[1]
    faces = faces_of(rules)
    by_distance = sorted(faces, key=lambda card: abs(card.rank - _MIDDLE))
    tries = [tuple(_onto(rules, TABLEAU, target, (card,))) for card in by_distance[: len(Rank)]]
    yield from max(tries, key=len)
    for end in (card for card in faces[: len(Rank)] if card.rank in {Rank.KING, Rank.ACE}):
        for example in _onto(rules, TABLEAU, target, (end,)):
            card = example.position.piles[source].cards[-1]
            if not example.refused and abs(card.rank - end.rank) > 1:
                yield example  # the ranks wrap around
    start = by_distance[0]
    run = run_of(rules, rules.tableau.build, start, 4)[1:]
    for cards in (run, (*run[:1], *run[2:])):  # whole, and with a gap
        if len(cards) > 1:
            position = table_of(rules, {target: (start,), source: cards})
            example = _judged(rules, TABLEAU, position, _move(rules, source, target, len(cards)))
            yield example
            if example.refused:
                return


def _empty_piles(rules: Ruleset) -> Iterator[MoveExample]:
    title, layout, rule = EMPTY_PILES, rules.layout, rules.tableau.empty_pile
    empty = layout.tableau[0]
    if isinstance(rule, AutoFill):
        # The pile never stays empty while there is something to fill it: see it happen, then see it stay empty.
        home = _singles(rules)[0]
        *there, card = chain_of(rules, home, 3)
        piles = {home: tuple(there), empty: (card,), **supply_of(rules)}
        yield _judged(rules, title, table_of(rules, piles), _move(rules, empty, home))
        when = ngettext(
            "Once %(piles)s is empty",
            "Once %(piles)s are empty",
            len(rule.sources),
            piles=pile_kinds(rule.sources, "and", "piles are empty"),
        )
        yield from _onto(rules, title, empty, (), when=when, most=1)
        return
    yield from _onto(rules, title, empty, (), supply_of(rules))
    position = table_of(rules, {empty: (), **supply_of(rules)})
    for zone in (Zone.WASTE, Zone.STOCK, Zone.RESERVE):
        for index in layout.ranges[zone][:1]:
            example = _judged(rules, title, position, _move(rules, index, empty))
            if not example.refused:
                yield example


def _cells(rules: Ruleset) -> Iterator[MoveExample]:
    """A card to an empty cell, to one that is taken, and back to the tableau."""
    layout = rules.layout
    cell, other, target, source = *layout.cells[:2], *layout.tableau[:2]
    middle = faces_of(rules)[_MIDDLE - 1]
    fits = next(_onto(rules, CELLS, target, (middle,))).position.piles[source].cards
    position = table_of(rules, {target: (middle,), cell: fits})
    for start, end in ((source, other), (source, cell), (cell, target)):
        yield _judged(rules, CELLS, position, _move(rules, start, end))


def _stock(rules: Ruleset) -> Iterator[MoveExample]:
    title = stock_section(rules)
    position = table_of(rules, supply_of(rules))
    if rules.can_deal:
        yield _judged(rules, title, position, DEAL)
    if rules.stock.plays_to:
        yield from _plays(rules, title, Zone.STOCK)
    if rules.waste:
        yield from _plays(rules, title, Zone.WASTE)


def _plays(rules: Ruleset, section: str, zone: Zone) -> Iterator[MoveExample]:
    """Whether the top card of a pile outside the tableau goes home, and whether it goes to the tableau."""
    layout = rules.layout
    faces = faces_of(rules)
    builds = {home: chain_of(rules, home, 3) for home in _singles(rules)[:1]}
    builds[layout.tableau[0]] = (faces[_MIDDLE - 1],)
    for target, there in builds.items():
        source = layout.ranges[zone][0]
        fits = next(_onto(rules, section, target, there)).position.piles[layout.tableau[1]].cards
        position = table_of(rules, {target: there, source: (*faces[-2:-1], *fits)})
        yield _judged(rules, section, position, _move(rules, source, target))


def _onto(
    rules: Ruleset,
    section: str,
    target: int,
    there: tuple[Card, ...],
    others: Mapping[int, tuple[Card, ...]] | None = None,
    *,
    when: str = "",
    most: int = 2,
) -> Iterator[MoveExample]:
    """A card that may go on ``there``, and the most similar card that may not; whichever of them exist."""
    source = rules.layout.tableau[1]
    move = _move(rules, source, target)
    legal: list[tuple[Card, MoveExample]] = []
    illegal: list[tuple[Card, MoveExample]] = []
    for card in faces_of(rules):
        if card in there:
            continue
        piles = {**(others or {}), target: there, source: (card,)}
        example = _judged(rules, section, table_of(rules, piles), move, when)
        (illegal if example.refused else legal).append((card, example))
    examples: list[MoveExample] = []
    if legal:
        # Another suit, where that is allowed, shows that it is.
        wanted, example = min(
            legal, key=lambda pair: there != () and pair[0].suit is there[-1].suit
        )
        examples.append(example)
    if illegal and not legal:
        examples.append(illegal[-1][1])
    elif illegal:
        # On a card it is mostly the suit that is wrong, on an empty place the rank.
        examples.append(min(illegal, key=lambda pair: _differences(pair[0], wanted, there))[1])
    yield from examples[:most]


def _differences(card: Card, wanted: Card, there: tuple[Card, ...]) -> tuple[bool, bool, int]:
    rank, suit = card.rank is not wanted.rank, card.suit is not wanted.suit
    distance = abs(card.rank - wanted.rank)
    return (rank, suit, distance) if there else (suit, not rank, distance)


def _judged(
    rules: Ruleset, section: str, position: Position, action: Action, when: str = ""
) -> MoveExample:
    return MoveExample(section, position, action, refusal(rules, position, action), when)


def _move(rules: Ruleset, source: int, target: int, count: int = 1) -> Move:
    return Move(rules.layout.ids[source], rules.layout.ids[target], count)


def _singles(rules: Ruleset) -> list[int]:
    """The foundations that take single cards."""
    return [index for index, group in rules.layout.groups.items() if not group.whole_run]
