"""Measures how fast moves reach many spectators, and what CPU time that costs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bench.report import percentile

_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


class ConnectBarrier:
    """Lets clients connect, a few at a time, and waits until all are connected."""

    def __init__(self, size: int) -> None:
        self.limit = asyncio.Semaphore(8)
        self._left = size
        self._full = asyncio.Event()

    def connected(self) -> None:
        """Count one more connected client."""
        self._left -= 1
        if not self._left:
            self._full.set()

    async def wait_for_all(self) -> None:
        """Wait until all clients are connected."""
        async with asyncio.timeout(120):
            await self._full.wait()
        await asyncio.sleep(3)


@dataclass(frozen=True, slots=True)
class Delivery:
    """The result: when each move reached the last spectator, and what it cost."""

    last_ms: Sequence[float]
    missing: int
    cpu_us: float

    @classmethod
    def of(
        cls,
        sent: Mapping[int, float],
        received: Mapping[int, Sequence[float]],
        cpu: float,
        viewers: int,
    ) -> Self:
        """Compute the result from the times when each version was sent and received."""
        last = sorted(1000 * (max(received[v]) - at) for v, at in sent.items() if received[v])
        count = sum(map(len, received.values()))
        return cls(last, viewers * len(sent) - count, 1e6 * cpu / max(1, count))

    def percentile(self, percent: float) -> float:
        """A percentile of the milliseconds until a move reached the last spectator."""
        return percentile(self.last_ms, percent)

    def __str__(self) -> str:
        return (
            f"last viewer p50 {self.percentile(50):.0f} p99 {self.percentile(99):.0f} ms, "
            f"{self.cpu_us:.0f} us of CPU a delivery"
        )
