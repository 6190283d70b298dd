"""The processes of the site: they start, die, restart, lose their wire, and their clocks are wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import copy_context
from pathlib import Path
from random import Random
from typing import Final

from simulation.chaos import Chaos
from simulation.network import Network
from simulation.process import SimulatedProcess
from simulation.trace import Trace
from simulation.wall_clock import WallClock
from simulation.wire import Wire

Guarded = Callable[[Callable[[], Awaitable[None]]], Awaitable[None]]
_SIZES: Final = (1, 2, 2, 3)
_JUMPS_MS: Final = (60_000, 600_000, 7_170_000, 7_260_000)


class Fleet:
    """All processes of a world, those that run in ``network.processes``."""

    def __init__(
        self,
        path: Path,
        network: Network,
        trace: Trace,
        clock: WallClock,
        chaos: Chaos,
        *,
        stream: Callable[[str], Random],
        guarded: Guarded,
    ) -> None:
        """``stream`` gives a source of randomness by name; ``guarded`` runs work whose violations count."""
        self.wire = Wire(chaos)
        self._path = path
        self._network = network
        self._trace = trace
        self._clock = clock
        self._chaos = chaos
        self._stream = stream
        self._guarded = guarded
        self._context = copy_context()
        self._count = 0
        self._dead: list[SimulatedProcess] = []
        self._starting: asyncio.Future[None] | None = None

    def ready(self) -> list[SimulatedProcess]:
        """Those that take requests."""
        return [process for process in self._network.processes if process.is_ready]

    async def start(self) -> None:
        """Start the processes of this seed."""
        for _ in range(self._stream("processes").choice(_SIZES)):
            await self.start_process()

    async def start_process(self) -> None:
        """Start one more."""
        self._count += 1
        process = SimulatedProcess(
            self._count, self._path, self._chaos, self.wire, self._clock.true_ms
        )
        process.on_death.append(self._on_death)
        self._network.processes.append(process)
        self._note(f"process {process.number} starts")
        await process.start()

    def disturbances(self) -> list[Callable[[], Awaitable[None]]]:
        """What happens to processes until the faults end."""
        return [self._restart_sometimes, self._set_clocks_sometimes, self._cut_wires_sometimes]

    def calm(self) -> None:
        """All clocks are right, and all wires connected."""
        for process in self._network.processes:
            process.skew_ms = 0
            if process.notifier:
                process.notifier.reconnect()

    def _note(self, text: str) -> None:
        self._trace.note(self._network.now(), text)

    def _on_death(self, process: SimulatedProcess, when: str) -> None:
        self._note(f"process {process.number} dies {when}")
        self._network.lose(process)
        delay = 0.2 + self._stream(f"death {process.number}").random() * 8
        # It dies in the middle of its own code, and what it started would be dead, too.
        loop = asyncio.get_running_loop()
        loop.call_later(delay, self._replace, process, context=self._context)

    def _replace(self, process: SimulatedProcess) -> None:
        self._network.processes.remove(process)
        self._dead.append(process)
        self._starting = asyncio.ensure_future(self._guarded(self.start_process))

    async def _restart_sometimes(self) -> None:
        chance, every = self._stream("restarts"), self._chaos.restart_every
        while every:
            await asyncio.sleep(chance.expovariate(1 / every))
            process = chance.choice(self._network.processes)
            if not process.is_ready:
                continue
            if chance.random() < 0.5:
                process.die("suddenly")
                continue
            self._note(f"process {process.number} stops")
            await process.stop(chance.choice((0.01, 5.0)))
            self._network.lose(process)
            self._replace(process)

    async def _set_clocks_sometimes(self) -> None:
        chance, every = self._stream("clocks"), self._chaos.jump_every
        while every:
            await asyncio.sleep(chance.expovariate(1 / every))
            process = chance.choice(self._network.processes)
            choice = chance.random()
            if choice < 0.6:
                process.skew_ms = chance.randint(-3_000, 3_000)
                self._note(f"clock of {process.number} off by {process.skew_ms} ms")
            elif choice < 0.8:
                self._clock.jump_to_next_day(-chance.randint(1, 90_000))
            else:
                self._clock.jump(chance.choice(_JUMPS_MS))

    async def _cut_wires_sometimes(self) -> None:
        chance, every = self._stream("wires"), self._chaos.disconnect_wire_every
        while every:
            await asyncio.sleep(chance.expovariate(1 / every))
            notifier = chance.choice(self._network.processes).notifier
            if notifier:
                notifier.disconnect()
                await asyncio.sleep(chance.expovariate(0.2))
                notifier.reconnect()
