"""Passes of the stock in which nothing was played: every card of it came by, and all others lie as before."""

from __future__ import annotations

from app.engine.actions import DEAL
from app.engine.history import History
from app.engine.position import Position


def idle_passes(history: History) -> list[list[Position]]:
    """The whole passes that end here, the last first: nothing but deals was played since they began.

    Each is given by its positions, the last first. The list is empty as long as a card is left in the stock.

    >>> from app.engine.cards import fresh_deck
    >>> from app.rulesets.klondike import KLONDIKE
    >>> history = History.start(KLONDIKE, fresh_deck(1))
    >>> for _ in range(24):
    ...     history = history.apply(DEAL)
    >>> [len(positions) for positions in idle_passes(history)]
    [25]
    """
    stock, waste = history.rules.layout.stock, history.rules.layout.waste
    here = history.position.piles
    if waste is None or here[stock].cards or not here[waste].cards or history.last_action != DEAL:
        return []
    passes: list[list[Position]] = []
    dealt: list[Position] = []
    actions = [*reversed(history.actions()), None]  # none led to the opening
    for position, action in zip(reversed(history.positions()), actions, strict=True):
        dealt.append(position)
        if not position.piles[waste].cards:
            passes.append(dealt)
            dealt = []
        if action != DEAL:
            break
    return passes
