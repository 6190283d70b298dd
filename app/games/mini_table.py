"""Where the cards of a table lie when it is drawn small: on the home page, in the replays of a race, in link previews.

Piles lie as on a large screen, for the right hand: see ``table_layout``. On an upright phone some move: see
``mini_upright``. A card that lies face down is drawn as a back and its identity is not read: two tables that look
alike have the same drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from markupsafe import Markup

from app.engine.cards import Suit
from app.engine.position import Position
from app.engine.ruleset import ALL_SUITS, Ruleset
from app.engine.vocabulary import Zone
from app.games.mini_drawing import (
    AS_TEXT,
    BACK,
    CARD_HEIGHT,
    CARD_WIDTH,
    MiniPile,
    MiniTable,
    Overlap,
    upright,
)
from app.games.mini_fans import homes_beside_fans, row_of_fans, width_beside
from app.games.mini_piles import (
    BACK_STRIP,
    COLUMN,
    LONGEST,
    READABLE,
    READABLE_ACROSS,
    end_of,
    fanned,
    mark_of,
    row_across,
    squared,
    steps_of,
)
from app.games.mini_upright import with_upright
from app.games.table_layout import Arrangement, arrangement, has_reserve_beside, top_row

_ROW: Final = 166  # from one row to the next
_DETAIL_ROW: Final = 158  # from the row of other piles to the tableau, in a detail
_MOST_BACKS: Final = 3  # in a detail

_SUIT_SIGNS: Final[Mapping[Suit, str]] = {
    Suit.CLUBS: f"♣{AS_TEXT}",
    Suit.DIAMONDS: f"♦{AS_TEXT}",
    Suit.HEARTS: f"♥{AS_TEXT}",
    Suit.SPADES: f"♠{AS_TEXT}",
}


def mini_table(
    rules: Ruleset, position: Position, *, columns: int = 0, column_height: int = 0
) -> MiniTable:
    """Draw a table.

    ``columns`` makes the drawing wider than the arrangement needs, ``column_height`` higher than the columns are now.
    """
    columns = max(columns, columns_of(rules))
    width = (columns - 1) * COLUMN + CARD_WIDTH
    height = max(column_height, longest_column([position], rules))
    if arrangement(rules) is Arrangement.FANS:
        return _fans(rules, position, width, _ROW + height)
    piles = tuple(_piles(rules, position, columns))
    tableau = next(pile.y for pile in piles if pile.overlap is Overlap.DOWN)
    return with_upright(rules, MiniTable(width, tableau + height, piles))


def _fans(rules: Ruleset, position: Position, width: int, height: int) -> MiniTable:
    """Fans with the foundations beside them, at least so wide."""
    layout, aside = rules.layout, width_beside(rules, height)
    last = len(layout.tableau) - 1
    width = max(width, last * COLUMN + CARD_WIDTH + aside)
    row = row_of_fans(rules, position, len(layout.tableau))
    homes = homes_beside_fans(rules, position, width, height)
    places = [(width - aside - CARD_WIDTH) * n // last for n in range(last + 1)]
    piles = (*row, *homes, *_tableau(rules, position, places, _ROW))
    return with_upright(rules, MiniTable(width, height, piles))


class ZoneLabel(NamedTuple):
    """Where a zone of the table begins in a drawing: the middle of the lower edge of its first pile.

    ``upright`` has the attributes for a group around it, like those of its pile.
    """

    zone: Zone
    x: int
    y: int
    upright: Markup


def zone_labels(table: MiniTable) -> tuple[ZoneLabel, ...]:
    """Where each zone begins in a drawing by ``mini_table``, in the order in which its piles are drawn."""
    found: dict[Zone, ZoneLabel] = {}
    for pile in table.piles:
        foot = pile.cards[-1].y if pile.overlap is Overlap.DOWN and pile.cards else pile.y
        x, y = pile.x + int(CARD_WIDTH * pile.scale / 2), foot + int(CARD_HEIGHT * pile.scale)
        label = ZoneLabel(pile.zone, x, y, Markup(upright(pile.aside)))  # noqa: S704 - a number
        found.setdefault(pile.zone, label)
    return tuple(found.values())


def mini_detail(
    rules: Ruleset, position: Position, first: int, columns: int, height: int
) -> MiniTable:
    """Draw some piles of the tableau whole, from number ``first`` on, with one row of other piles above them.

    That row has the reserve and foundations, and the stock if its cards show or there is no reserve. What tells games
    of one family apart is on the stock, and beside it are as many cards of the waste as a deal turns up. Beside fans,
    foundations take the place of the last columns. Of a pile that is too long only the last cards are drawn.
    """
    layout = rules.layout
    width = (columns - 1) * COLUMN + CARD_WIDTH
    if arrangement(rules) is Arrangement.FANS:
        columns = (width - width_beside(rules, height) + COLUMN - CARD_WIDTH) // COLUMN
        piles = [
            *row_of_fans(rules, position, columns),
            *homes_beside_fans(rules, position, width, height),
        ]
    else:
        piles = _row_of_columns(rules, position, columns)
    for n, index in enumerate(layout.tableau[first : first + columns]):
        x, pile = n * COLUMN, position.piles[index]
        longest = height - _DETAIL_ROW
        backs = min(pile.down, _MOST_BACKS)
        faces = 1 + (longest - CARD_HEIGHT - backs * BACK_STRIP) // READABLE
        cards = tuple(fanned(end_of(pile, backs, faces), x, _DETAIL_ROW, longest))
        piles.append(MiniPile(x, _DETAIL_ROW, Overlap.DOWN, mark_of(rules, position, index), cards))
    return with_upright(rules, MiniTable(width, height, tuple(piles)))


def _row_of_columns(rules: Ruleset, position: Position, columns: int) -> list[MiniPile]:
    """What lies above the columns in a detail: cells or stock, then waste or reserve, then foundations at the end."""
    layout = rules.layout
    stock = layout.ranges[Zone.STOCK]
    beside = [*layout.cells, *(stock if rules.has_stock and not layout.cells else ())]
    shown = [index for index in beside if rules.stock.face_up or not layout.reserves]
    shown = shown[: columns - 2]
    start = len(shown) * COLUMN
    waste = [] if layout.reserves else _waste_row(rules, position, start)
    beside_home = len(shown) + sum(map(_columns_across, waste))
    home = layout.foundations[: 2 if layout.reserves else columns - max(beside_home, 2)]
    piles = []
    for n, index in enumerate(shown):
        pile = squared(rules, position, index, n * COLUMN)
        is_covered = index in stock and not _is_open(pile)
        piles.append(pile._replace(badge=_badge(rules)) if is_covered else pile)
    piles += waste
    across = (columns - 3) * COLUMN + CARD_WIDTH - start  # the foundations take two columns
    each = across // max(len(layout.reserves), 1)
    room = each if len(layout.reserves) == 1 else each - (COLUMN - CARD_WIDTH)
    for n, index in enumerate(layout.reserves):
        end = end_of(position.piles[index], 0, 1 + (room - CARD_WIDTH) // READABLE_ACROSS)
        piles.append(row_across(end, start + n * each, room, 0))
    first_home = columns - len(home)
    return piles + [
        squared(rules, position, index, (first_home + n) * COLUMN) for n, index in enumerate(home)
    ]


def columns_of(rules: Ruleset) -> int:
    """How many columns the arrangement of a rule set needs, without foundations beside them."""
    columns = len(rules.layout.tableau)
    return columns if arrangement(rules) is Arrangement.FANS else max(columns, len(top_row(rules)))


def longest_column(positions: Iterable[Position], rules: Ruleset) -> int:
    """The height of the longest column in any of these positions, so that all can be drawn at one size.

    A reserve beside the columns counts as one.
    """
    layout = rules.layout
    fanned = (*layout.reserves, *layout.tableau) if has_reserve_beside(rules) else layout.tableau
    piles = {
        (len(position.piles[index].cards), position.piles[index].down)
        for position in positions
        for index in fanned
    }
    return CARD_HEIGHT + max(sum(steps_of(count, down, LONGEST)) for count, down in piles)


def _piles(rules: Ruleset, position: Position, columns: int) -> Iterator[MiniPile]:
    layout = rules.layout
    foundations = layout.foundations
    y, width = _ROW, (columns - 1) * COLUMN + CARD_WIDTH

    for column, index in enumerate(top_row(rules)[: -len(foundations)]):
        yield squared(rules, position, index, column * COLUMN)
    for column, index in enumerate(foundations, start=columns - len(foundations)):
        yield squared(rules, position, index, column * COLUMN)
    if has_reserve_beside(rules):
        for index in layout.reserves:
            cards = tuple(fanned(position.piles[index], 0, y))
            yield MiniPile(0, y, Overlap.DOWN, "", cards, zone=Zone.RESERVE)
        first = columns - len(layout.tableau)  # the columns lie below the foundations
        places = [(first + n) * COLUMN for n in range(len(layout.tableau))]
    else:
        if arrangement(rules) is Arrangement.TERRACE:
            for index in layout.reserves:
                yield row_across(position.piles[index], 0, width, y)
                y += _ROW
        # Fewer piles than columns spread over the same width.
        last = len(layout.tableau) - 1
        places = [(columns - 1) * COLUMN * n // last for n in range(len(layout.tableau))]
    yield from _tableau(rules, position, places, y)


def _tableau(
    rules: Ruleset, position: Position, places: Iterable[int], y: int
) -> Iterator[MiniPile]:
    for x, index in zip(places, rules.layout.tableau, strict=True):
        cards = tuple(fanned(position.piles[index], x, y))
        yield MiniPile(x, y, Overlap.DOWN, mark_of(rules, position, index), cards)


def _waste_row(rules: Ruleset, position: Position, x: int) -> list[MiniPile]:
    """As many cards of the waste as a deal turns up, side by side; nothing while it is empty."""
    return [
        row_across(end, x, CARD_WIDTH + (len(end.cards) - 1) * READABLE_ACROSS, 0, Zone.WASTE)
        for index in rules.layout.ranges[Zone.WASTE]
        if (end := end_of(position.piles[index], 0, rules.stock.draws)).cards
    ]


def _columns_across(pile: MiniPile) -> int:
    """How many columns a row of cards covers."""
    return 1 + -(-(pile.cards[-1].x - pile.x) // COLUMN)


def _is_open(pile: MiniPile) -> bool:
    """Whether the top card lies face up."""
    return bool(pile.cards) and pile.cards[-1].name != BACK


def _badge(rules: Ruleset) -> str:
    """What is special about the stock: which suits it has, if not all, or how many passes through it are allowed."""
    if len(rules.suits) < len(ALL_SUITS):
        return "".join(_SUIT_SIGNS[suit] for suit in rules.suits)
    redeals = rules.stock.redeals
    return "" if rules.waste is None or redeals is None else f"{redeals + 1}×"
