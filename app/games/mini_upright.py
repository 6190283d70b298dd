"""Where piles of a small drawing move on an upright phone, whose table has the stock at the thumb.

The order is that of the table: see ``table_layout``. For the left hand that is the order of the drawing itself.
"""

from __future__ import annotations

from app.engine.ruleset import Ruleset
from app.engine.vocabulary import Zone
from app.games.mini_drawing import CARD_WIDTH, MiniPile, MiniTable
from app.games.table_layout import (
    Arrangement,
    arrangement,
    has_homes_first_upright,
    has_reserve_beside,
)


def with_upright(rules: Ruleset, table: MiniTable) -> MiniTable:
    """The same drawing, with how far each pile moves on an upright phone."""
    if not rules.has_stock:
        return table
    moves = _homes_first(rules, table) if has_homes_first_upright(rules) else _last(rules, table)
    return table._replace(
        piles=tuple(pile._replace(aside=moves.get(pile.zone, 0)) for pile in table.piles)
    )


def _homes_first(rules: Ruleset, table: MiniTable) -> dict[Zone, int]:
    """The row of the stock the other way round: foundations, reserve, waste, stock. Columns stay below the foundations.

    A reserve in a row of its own stays, too.
    """
    moves: dict[Zone, int] = {}
    for zone in {pile.zone for pile in table.piles}:
        piles = [pile for pile in table.piles if pile.zone is zone]
        if zone in {Zone.FOUNDATION, Zone.TABLEAU}:
            moves[zone] = -min(pile.x for pile in piles)
        elif zone is not Zone.RESERVE or has_reserve_beside(rules) or piles[0].y == 0:
            moves[zone] = table.width - min(pile.x for pile in piles) - max(map(_right, piles))
    return moves


def _last(rules: Ruleset, table: MiniTable) -> dict[Zone, int]:
    """The stock behind several piles of a reserve, above the last of the fans."""
    beside = {Zone.STOCK, Zone.RESERVE}
    reserve = [pile.x for pile in table.piles if pile.zone is Zone.RESERVE]
    if arrangement(rules) is Arrangement.FANS:
        beside.add(Zone.TABLEAU)
    right = max(pile.x for pile in table.piles if pile.zone in beside)
    stock = [pile.x for pile in table.piles if pile.zone is Zone.STOCK]
    if not stock or not reserve:
        return {}
    return {Zone.STOCK: right - stock[0], Zone.RESERVE: stock[0] - reserve[0]}


def _right(pile: MiniPile) -> int:
    return max([pile.x, *(card.x for card in pile.cards)]) + CARD_WIDTH
