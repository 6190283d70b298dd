"""How hostile the world is: one place for every probability and delay, drawn from the seed.

Each seed draws its own mixture, so that some worlds have slow disks and a perfect network, others the contrary
(swarm testing). ``calm`` ends all faults, after which everything has to converge.
"""

from __future__ import annotations

from random import Random
from typing import Final

_QUICK_DISK: Final = 0.0004
_QUICK_NET: Final = 0.002


class Chaos:
    """Draws delays and faults. All times are virtual seconds."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self.is_calm = False
        draw = chance.random
        self.drop = draw() * 0.5 if draw() < 0.6 else 0.0
        self.double = draw() * 0.4 if draw() < 0.5 else 0.0
        self.wire_seconds = chance.choice((0.005, 0.05, 0.5, 4.0))
        self.lose_request = draw() * 0.03 if draw() < 0.5 else 0.0
        self.lose_answer = draw() * 0.05 if draw() < 0.5 else 0.0
        self.hang_up = draw() * 0.06 if draw() < 0.5 else 0.0
        self.stall = draw() * 0.04 if draw() < 0.6 else 0.0
        self.stall_seconds = chance.choice((0.05, 0.5, 3.0, 8.0))
        self.crash_before = draw() * 0.004 if draw() < 0.5 else 0.0
        self.crash_after = draw() * 0.004 if draw() < 0.5 else 0.0
        self.restart_every = chance.choice((0.0, 0.0, 120.0, 300.0))
        self.jump_every = chance.choice((0.0, 40.0, 150.0))
        self.kill_worker = chance.choice((0.0, 0.0, 0.2))
        self.disconnect_wire_every = chance.choice((0.0, 60.0, 200.0))
        self.fail_commit = draw() * 0.01 if draw() < 0.3 else 0.0

    def calm(self) -> None:
        """End all faults."""
        self.is_calm = True

    def happens(self, probability: float) -> bool:
        """Whether a fault of this probability happens now."""
        return not self.is_calm and probability > 0 and self._chance.random() < probability

    # --- the disk and threads: see simulation.loop.Threads

    def before(self) -> float:
        """Until a thread or the disk starts."""
        return self._pause(_QUICK_DISK)

    def after(self) -> float:
        """Until its end is known."""
        return self._pause(_QUICK_DISK)

    def _pause(self, usual: float) -> float:
        if self.happens(self.stall):
            return self._chance.random() * self.stall_seconds
        return self._chance.expovariate(1.0) * usual

    # --- the network

    def latency(self) -> float:
        """Between a client and the site, one way."""
        return self._pause(_QUICK_NET)

    def wire_delay(self) -> float:
        """Between two processes of the site; a long one lets later notices overtake."""
        usual = 0.003 if self.is_calm else self.wire_seconds
        return self._chance.expovariate(1.0) * usual

    def copies(self) -> int:
        """How often a notice arrives."""
        if self.happens(self.drop):
            return 0
        return 2 if self.happens(self.double) else 1

    def group_size(self) -> int:
        """How many waiting writes go into one commit."""
        return self._chance.choice((1, 2, 64))
