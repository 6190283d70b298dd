"""How the table of a game is laid out: what lies where, and how many cards side by side and in a column.

But for columns of extreme length, it follows from the rules alone, so that cards keep
their size for the whole game.

Where piles lie, for the right hand: on a large screen, and in every picture of a game (``mini_table``), the stock
and the waste left, the foundations right, a reserve between them or in a row of its own, and the columns below; but
beside fans the foundations lie in two columns, or in one where there is little width, as in a picture.
A phone has the stock at the thumb: upright in the right corner, with the foundations left of it; on its side below the
foundations, beside the buttons. Upright, the row of the stock is in that order in pictures, too: see ``mini_upright``.
The left hand mirrors the table, never a picture.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import StrEnum
from functools import cache
from math import ceil

from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import DealColumns, DealTo, MoveUnit, Zone
from app.solver.rule_tables import rule_tables

_FEW_CELLS = 4  # that fit beside the foundations of an upright screen
_FEW_HOMES = 4  # that fit side by side in large cards
_MANY_HOMES = 8  # that fit in four pairs beside the columns, if they overlap
_LEAST_UPRIGHT = 7  # fewer cards would be larger than life
_LEAST_WIDE = 7

_HIDDEN_BY_A_BACK = 0.6  # of a face's strip: backs lie closer,
_HIDDEN_BY_A_LOW_BACK = 0.8  # and in a long column closer still
_SHORT_BUILD, _LONG_BUILD = 5, 8  # strips that are usually built on a dealt column
_LEAST_REACH, _MOST_REACH = 8, 14
_SHALLOW = 3  # cards of a reserve pile that leave room for a whole stock below them on a phone
# Strips beyond the reach. Only below a row of reserves do cards get smaller from the first on, else from the third.
_LONG = (-1, 0, 3, 6, 9, 12, 15, 18)

_SMALL_BACK = 0.25  # of a face's strip, in a column of a phone where whole faces show
_FEW_STRIPS = 9  # that may show whole faces on a phone
# Cards from which a fan or a reserve pile closes up, a step each.
_FULL_FANS = (4, 5, 6, 7, 8, 9, 10, 12, 14, 17)
_LONG_RUN = 10  # cards that move together
_TALL = 14  # cards
_DIGIT = 9  # more faces leave backs no room
# Strips of faces above the last card of a column on an upright phone, for each column side by side.
_UPRIGHT_STRIPS = 0.85
# Parts of the strip of a card that a finger can hit: an index as printed and at its lowest, and the edge of a back.
_INDEX, _LOWEST_INDEX, _EDGE = 0.84, 0.52, 0.065
# How many of these strips fit above the last card on a phone on its side: while it is whole, and at its lowest.
_WHOLE_LAST, _LOW_SCREEN = 10.2, 12.4
_LOW_INDICES, _LOWEST_INDICES = 17, 20  # with more cards face up there, indices have to be lower


class Arrangement(StrEnum):
    """What lies beside the tableau: a few reserve piles, a reserve that is spread, or neither."""

    FANS = "fans"
    TERRACE = "terrace"
    COLUMNS = "columns"


def arrangement(rules: Ruleset) -> Arrangement:
    """How the piles of a game lie on the screen. Long columns do not fit into the two rows of fans on a phone."""
    if rules.reserve is None:
        return Arrangement.COLUMNS
    if rules.reserve.count == 1:
        return Arrangement.TERRACE
    is_hidden = any(isinstance(step, DealColumns) and any(step.down) for step in rules.deal)
    return Arrangement.COLUMNS if is_hidden else Arrangement.FANS


def has_reserve_beside(rules: Ruleset) -> bool:
    """Whether a spread reserve lies below the stock, beside the columns: it does where these are few."""
    is_spread = arrangement(rules) is Arrangement.TERRACE
    return is_spread and len(rules.layout.tableau) < _upright_width(rules) - 1


def _upright_width(rules: Ruleset) -> int:
    """How many cards lie side by side on an upright phone."""
    layout = rules.layout
    cells = len(layout.cells)
    beside = cells if cells <= _FEW_CELLS else 0
    return max(len(layout.tableau), len(layout.foundations) + beside, _LEAST_UPRIGHT)


def top_row(rules: Ruleset) -> tuple[int, ...]:
    """The piles above the tableau, side by side, as indices of the layout; a spread reserve has a row of its own."""
    layout = rules.layout
    hand = (layout.stock, *layout.ranges[Zone.WASTE]) if rules.has_stock else ()
    reserves = () if arrangement(rules) is Arrangement.TERRACE else layout.reserves
    return (*hand, *reserves, *layout.cells, *layout.foundations)


@cache
def table_classes(rules: Ruleset) -> str:
    """The classes of a table: its arrangement, how many cards lie side by side on each shape of screen, and its reach.

    The size of the cards follows from these alone, so that it stays the same for the whole game. On a large screen,
    foundations lie in two columns beside fans, and the reserve lies across; where there is more height than width,
    eight of them lie in two rows beside the reserve, which takes the height of two cards. On a phone on its side, all
    but the tableau is stacked in columns of four; but foundations lie in pairs, with the stock and the waste as one
    more, or whole runs on each other above the stock, so that the cards are larger, unless cells or several reserves
    need the room.
    """
    layout, shape = rules.layout, arrangement(rules)
    piles, home, cells = len(layout.tableau), len(layout.foundations), len(layout.cells)
    is_folded = shape is Arrangement.FANS and home == _MANY_HOMES
    wide = max(piles, len(top_row(rules)) - (home // 2 if is_folded else 0))
    beside = (
        len(layout.reserves) if shape is not Arrangement.COLUMNS else -(-len(layout.reserves) // 2)
    )
    aside = piles - (-home // 4) - (-cells // 4) + beside + rules.has_stock
    pairs = ""
    if (
        home in {_FEW_HOMES, _MANY_HOMES}
        and not cells
        and (shape is Arrangement.TERRACE or not beside)
    ):
        pairs = " in-pairs" if home == _FEW_HOMES else " in-pairs four-pairs"
        # Of whole runs one looks at no more than how many there are: they overlap in one column.
        is_stacked = rules.foundations[0].whole_run and home == _MANY_HOMES
        pairs += " stacked" if is_stacked else ""
        aside = piles + 2 - is_stacked + beside
    widths = f"wide-{max(wide, _LEAST_WIDE)} {_upright(rules)} aside-{aside}{pairs}"
    homes = " folded" if is_folded else ""
    if shape is Arrangement.FANS:
        homes += " homes-beside"
    return f"{shape}{homes} {widths} reach-{reach(rules)}"


def _upright(rules: Ruleset) -> str:
    """The classes of a table on an upright phone: cards side by side, and where the stock and the reserve lie.

    The stock lies in the row of the foundations if that has room for it. Short fans lie in two rows of large cards,
    with the reserve beside them, and eight foundations in a row of smaller ones above all; eight to ten columns below a
    spread reserve in two tiers of five, with the stock at their end.
    """
    if arrangement(rules) is Arrangement.FANS and reach(rules) == _LEAST_REACH:
        return f"upright-{_FEW_HOMES + 1} in-two-rows"
    if _is_in_tiers(rules):
        return "in-tiers"
    wide = _upright_width(rules)
    classes = f"upright-{wide}"
    if _is_stock_above(rules):
        classes += " stock-above"
    if has_reserve_beside(rules):
        classes += " reserve-beside"
    return classes


def has_homes_first_upright(rules: Ruleset) -> bool:
    """Whether the foundations of an upright phone begin at the left, and its stock lies at the right edge."""
    return rules.has_stock and (_is_in_tiers(rules) or _is_stock_above(rules))


def _is_in_tiers(rules: Ruleset) -> bool:
    return arrangement(rules) is Arrangement.TERRACE and not has_reserve_beside(rules)


def _is_stock_above(rules: Ruleset) -> bool:
    layout = rules.layout
    if not rules.has_stock or len(layout.reserves) > 1 or _is_in_tiers(rules):
        return False
    hand = 1 + len(layout.ranges[Zone.WASTE]) * (2 if rules.stock.draws > 1 else 1)
    return len(layout.foundations) + hand <= _upright_width(rules)


@cache
def reach(rules: Ruleset) -> int:
    """How many strips the longest column usually has in the course of a game, for which the cards are small enough.

    As dealt, and what is built on it: more where whole runs move together.
    """
    dealt = 0.0
    for step in rules.deal:
        if isinstance(step, DealColumns):
            for cards, down in zip(step.cards, step.down, strict=True):
                dealt = max(dealt, cards - 1 - down * _HIDDEN_BY_A_BACK)
    single = rules.tableau.move_unit in {MoveUnit.TOP_CARD, MoveUnit.CELL_RUN}
    built = _SHORT_BUILD if single else _LONG_BUILD
    return round(min(max(dealt + built, _LEAST_REACH), _MOST_REACH))


def long_steps(rules: Ruleset, position: Position) -> int:
    """How far the longest column goes beyond ``reach``, in steps: 0 or 1 nearly always, 8 for the extreme.

    The cards get as small as it takes to show every index.
    """
    tableau = rules.layout.tableau
    # In strips of a face, above the last card.
    longest = max(
        [
            len(cards) - 1 - down * _HIDDEN_BY_A_LOW_BACK
            for cards, down in position.piles[tableau.start : tableau.stop]
        ]
    )
    return bisect_left(_LONG, longest - reach(rules))


def closest_backs(rules: Ruleset, position: Position) -> str:
    """Of the column that has the least room for each back on an upright phone: how many backs, and faces on these.

    A digit each, or nothing where no card is face down. The backs of all columns share the step that this one needs,
    so that their rows line up; the last card needs its whole height, and is none of those faces.
    """
    room = _upright_width(rules) * _UPRIGHT_STRIPS
    tableau = rules.layout.tableau
    columns = position.piles[tableau.start : tableau.stop]
    counts = [(pile.down, max(len(pile.cards) - pile.down - 1, 0)) for pile in columns if pile.down]
    if not counts:
        return ""
    backs, faces = min(counts, key=lambda count: ((room - count[1]) / count[0], -count[0]))
    return f"{min(backs, _DIGIT)}{min(faces, _DIGIT)}"


def column_classes(column: Pile, run: int) -> str:
    """The classes of a column, each with a space before it; its last ``run`` cards can be picked up.

    They tell how many strips lie above the last card, where it covers a face: a few show whole faces on a phone, more
    show indices alone. And they tell of a long column how its cards close up. The style sheet could count the cards
    itself, but browsers then style the whole page again after every click.
    """
    count, shown = len(column.cards), len(column.face_up)
    strips = ceil(shown - 1 + column.down * _SMALL_BACK)
    classes = f" strips-{strips}" if shown > 1 and strips <= _FEW_STRIPS else ""
    if count < _LONG_RUN:
        return classes
    if run >= _LONG_RUN:
        classes += " long-run"
    if count >= _TALL:
        classes += " tall"
    fixed = run - 1 + column.down * _EDGE
    if fixed + (shown - run) * _INDEX > _WHOLE_LAST:
        classes += " brimful"
    if fixed + (shown - run) * _INDEX > _LOW_SCREEN:
        classes += " packed"
    if fixed + (shown - run) * _LOWEST_INDEX > _LOW_SCREEN:
        classes += " crowded"
    if shown > _LOW_INDICES:
        classes += " squat" if shown <= _LOWEST_INDICES else " squat squat-more"
    return classes


def fullness_classes(rules: Ruleset, pile: Pile) -> str:
    """The classes of a fan or of a pile in the reserve beside fans, each with a space before it: how full it is.

    The style sheet could count these cards, too: see ``column_classes``.
    """
    if arrangement(rules) is not Arrangement.FANS:
        return ""
    return "".join(f" from-{cards}" for cards in _FULL_FANS if cards <= len(pile.cards))


def has_deep_reserve(rules: Ruleset, position: Position, *, is_open: bool = True) -> bool:
    """Whether the reserve needs the room of the stock on a phone.

    Where the stock is dealt to it, from a certain deal on, whatever has left the reserve since: so this changes once in
    a game, before it no longer ``is_open``.
    """
    layout = rules.layout
    piles = [position.piles[index].cards for index in layout.reserves]
    deepest = max(map(len, piles), default=0)
    if is_open and rules.stock.deals_to is DealTo.EACH_RESERVE:
        dealt = rule_tables(rules).full_stock - len(position.piles[layout.stock].cards)
        deepest = max(deepest, 1 + dealt // len(piles))  # one before the first deal
    return deepest > _SHALLOW
