"""How the stock goes: that its last pass begins, that it is out, or that a whole pass of it brought no play."""

from __future__ import annotations

from app.engine.actions import DEAL
from app.engine.history import History
from app.engine.position import Position


def begins_last_pass(history: History) -> bool:
    """Whether the last action turned the waste over for the last time.

    >>> from app.engine.cards import fresh_deck
    >>> from app.rulesets.klondike import THREE_PASSES
    >>> history = History.start(THREE_PASSES, fresh_deck(1))
    >>> begun = []
    >>> for _ in range(24):
    ...     history = history.apply(DEAL)
    ...     begun.append(begins_last_pass(history))
    >>> [number for number, begins in enumerate(begun, start=1) if begins]
    [18]
    """
    redeals, here = history.rules.stock.redeals, history.position
    return bool(redeals) and here.redeals == redeals and _before(history).redeals < here.redeals


def has_run_out(history: History) -> bool:
    """Whether the last action took the last card of the stock, which nothing will refill."""
    rules, here = history.rules, history.position
    stock = rules.layout.stock
    if here.piles[stock].cards or not _before(history).piles[stock].cards:
        return False
    return rules.waste is None or not rules.may_redeal(here.redeals)


def _before(history: History) -> Position:
    """The position before the last action; the opening has none, and stands for it."""
    return history.undo().position if history.can_undo else history.position


def idle_passes(history: History) -> list[list[Position]]:
    """The whole passes that end here, the last first: nothing but deals was played since they began.

    Every card of the stock came by, and all others lie as before. Each pass is given by its positions, the last first.
    The list is empty as long as a card is left in the stock.

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
