"""How fast and how dearly moves reach a crowd."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


class Gate:
    """Lets a crowd in, a few at a time, and says when everybody is there and has settled."""

    def __init__(self, size: int) -> None:
        self.one_at_a_time = asyncio.Semaphore(8)
        self._left = size
        self._full = asyncio.Event()

    def is_in(self) -> None:
        """One more is there."""
        self._left -= 1
        if not self._left:
            self._full.set()

    async def all_in(self) -> None:
        """Wait for everybody."""
        await asyncio.wait_for(self._full.wait(), 120)
        await asyncio.sleep(3)


@dataclass(frozen=True, slots=True)
class Delivered:
    """What a crowd got: for each move when the last one had it, and what it cost."""

    last_ms: Sequence[float]
    missing: int
    cpu_us: float

    @classmethod
    def of(
        cls,
        sent: Mapping[int, float],
        heard: Mapping[int, Sequence[float]],
        cpu: float,
        viewers: int,
    ) -> Self:
        """From when each version was sent off and when each viewer had it."""
        last = sorted(1000 * (max(heard[v]) - at) for v, at in sent.items() if heard[v])
        count = sum(map(len, heard.values()))
        return cls(last, viewers * len(sent) - count, 1e6 * cpu / max(1, count))

    def percentile(self, percent: float) -> float:
        """Milliseconds until the last viewer had a move, for that share of the moves."""
        return self.last_ms[min(len(self.last_ms) - 1, int(len(self.last_ms) * percent / 100))]

    def __str__(self) -> str:
        return (
            f"last viewer p50 {self.percentile(50):.0f} p99 {self.percentile(99):.0f} ms, "
            f"{self.cpu_us:.0f} us of CPU a delivery"
        )
