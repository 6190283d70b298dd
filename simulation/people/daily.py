"""Players of the daily deal: guests and named players, in several tabs, around midnight, with resigns and merges."""

from __future__ import annotations

import asyncio
from typing import Any

from simulation.deals import solutions
from simulation.network import ConnectionLostError
from simulation.observed import saw_board
from simulation.people.accounts import Named
from simulation.people.person import State
from simulation.template import VETERANS
from simulation.trace import Violation


class DailyPlayer(Named):
    """Plays today's deal, more or less well, sometimes with another name."""

    async def live(self) -> None:
        await self.arrive()
        choice = self.chance.random()
        if choice < 0.5:  # a name from before, which two people may use at once
            await self.sign_in(self.chance.choice(VETERANS))
        elif choice < 0.7:
            await self.create_account()
        for _ in range(self.chance.randint(1, 4)):
            try:
                await self._visit()
            except ConnectionLostError:
                await self.pause()
            await self.pause(30.0)
            await self.maybe_change_identity()

    async def _visit(self) -> None:
        await self.browse()
        ruleset = "bristol" if self.chance.random() < 0.8 else "terrace"
        day = self.world.day_of_all()
        state = await self._start(ruleset)
        if state is None:
            return
        is_sure = day is not None and day == self.world.day_of_all()
        await self._play(state, day if is_sure else None, ruleset)
        await self._look_at_board(day, ruleset)

    async def _start(self, ruleset: str) -> State | None:
        path = f"/api/v1/daily/today/{ruleset}/attempt"
        before, who = self.world.day_of_all(), self.player_id
        tabs = 2 if self.chance.random() < 0.3 else 1
        answers = await asyncio.gather(*(self.client.insist("POST", path) for _ in range(tabs)))
        after = self.world.day_of_all()
        state: State | None = None
        for answer in answers:
            state = self.dealt(answer) or state
            # Around midnight, or with clocks that disagree, it is not known which day was meant.
            if answer.is_ok and before is not None and before == after:
                self.world.ledger.start(who, before, ruleset, answer.json["id"])
            if answer.status == 201:
                self.world.ledger.began(answer.json["id"], is_named=self.is_named)
        return state

    async def _play(self, state: State, day: str | None, ruleset: str) -> None:
        solution = solutions().get(self.world.seed_of(state["id"]) or b"")
        gives_up = self.chance.random() < 0.2
        stops_at = self.chance.randint(1, 60) if gives_up or solution is None else 1_000
        if solution and state["version"] == 0 and self.chance.random() < 0.7:
            stops_at = self.chance.choice((stops_at, len(solution)))
        while state["status"] == "playing" and state["version"] < stops_at:
            await self.pause(0.6)
            try:
                after = await self._next(state, solution)
            except ConnectionLostError:
                after = None
            state = after or await self.look(state["id"]) or state
            if after is None and not state["legal_moves"]:
                break
        if gives_up and state["status"] == "playing":
            try:
                state = await self.act(state, "resign") or state
            except ConnectionLostError:
                return
            if state["status"] == "resigned" and day is not None:
                attempt = self.world.ledger.attempts.get((self.player_id, day, ruleset))
                if attempt and attempt.game_id == state["id"]:
                    attempt.has_resigned = True

    async def _next(self, state: State, solution: tuple[str, ...] | None) -> State | None:
        if (
            solution
            and state["version"] < len(solution)
            and self.world.follows(state["id"], solution)
        ):
            return await self.act(state, solution[state["version"]])
        if self.chance.random() < 0.1:
            return await self.act(state, "undo")
        return await self.move(state)

    async def _look_at_board(self, day: str | None, ruleset: str) -> None:
        if day is None:
            return
        for name in ("board", "unsolved"):
            # Around midnight "today" may be another day by now.
            shown = (
                "today" if self.world.day_of_all() == day and self.chance.random() < 0.5 else day
            )
            answer = await self.client.get(f"/api/v1/daily/{shown}/{ruleset}/{name}")
            if answer.is_ok:
                saw_board(self.world, self.player_id, answer.json, answer.json["day"], ruleset)
                if name == "board":
                    check_ranks(answer.json["rows"])
        await self.client.get(f"/daily/{day}/{ruleset}")
        await self.client.get(f"/api/v1/daily/{day}/{ruleset}")


def check_ranks(rows: list[dict[str, Any]]) -> None:
    """A board as it was sent: sorted, and equal scores share a rank."""
    scores = [(row["actions"], row["seconds"]) for row in rows]
    if scores != sorted(scores):
        raise Violation("a board equals its replays", f"the rows are not sorted: {scores}")
