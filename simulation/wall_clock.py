"""Virtual time as clocks show it: a date on which the seed starts, jumps, and processes whose clocks are off."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Final

from app.clock import DAY_MS, day_begins_ms
from simulation.loop import OWNER, VirtualLoop
from simulation.process import SimulatedProcess
from simulation.template import DAY
from simulation.trace import Trace

_STARTS: Final = ("12:00", "23:40", "23:50", "23:58", "00:01")


class WallClock:
    """The clocks of a world: see ``simulation.sources.Clocks``."""

    def __init__(self, loop: VirtualLoop, trace: Trace, chance: Random) -> None:
        self._loop = loop
        self._trace = trace
        self._jumped_ms = 0
        hours, minutes = map(int, chance.choice(_STARTS).split(":"))
        self._start_ms = day_begins_ms(DAY) + (hours * 60 + minutes) * 60_000

    def wall_ms(self) -> float:
        """The clock of the process whose code runs."""
        owner = OWNER.get()
        return owner.wall_ms() if isinstance(owner, SimulatedProcess) else self.true_ms()

    def monotonic(self) -> float:
        """The same for clocks that cannot be set."""
        return self._loop.time()

    def true_ms(self) -> float:
        """What clocks that are right show."""
        return self._start_ms + self._jumped_ms + self._loop.time() * 1000

    def jump(self, milliseconds: int) -> None:
        """Set all clocks forward."""
        self._jumped_ms += milliseconds
        elapsed = timedelta(milliseconds=milliseconds)
        self._trace.note(self._loop.time(), f"all clocks jump by {elapsed}")

    def jump_to_next_day(self, milliseconds: int) -> None:
        """Set all clocks to so long after (or before) the next midnight, but never back."""
        self.jump(max(0, DAY_MS - int(self.true_ms()) % DAY_MS + milliseconds))
