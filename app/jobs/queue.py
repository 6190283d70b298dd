"""The waiting line: owners take turns, so that many jobs of one player delay no other."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterator

from app.jobs.job import QueuedJob


class FairQueue:
    """Orders of one urgency. Whoever was served last comes last; within an owner, first come, first served."""

    def __init__(self) -> None:
        self._by_owner: OrderedDict[str, deque[QueuedJob]] = OrderedDict()
        self._bell = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self._by_owner.values()))

    def __iter__(self) -> Iterator[QueuedJob]:
        for orders in self._by_owner.values():
            yield from orders

    def put(self, order: QueuedJob) -> None:
        """Let an order wait."""
        self._by_owner.setdefault(order.owner, deque()).append(order)
        self._bell.set()

    def put_first(self, order: QueuedJob) -> None:
        """Let an order that was begun before be the very next."""
        self._by_owner.setdefault(order.owner, deque()).appendleft(order)
        self._by_owner.move_to_end(order.owner, last=False)
        self._bell.set()

    def remove(self, order: QueuedJob) -> bool:
        """Let an order wait no longer; false when it does not."""
        orders = self._by_owner.get(order.owner)
        if orders is None or order not in orders:
            return False
        orders.remove(order)
        if not orders:
            del self._by_owner[order.owner]
        return True

    async def next(self) -> QueuedJob:
        """The next order, when there is one; its owner goes to the end of the line."""
        while not self._by_owner:
            self._bell.clear()
            await self._bell.wait()
        owner, orders = self._by_owner.popitem(last=False)
        order = orders.popleft()
        if orders:
            self._by_owner[owner] = orders
        return order
