"""People in the rooms over the daily deals: members of leagues, and readers of ratings and of explored deals."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from simulation.network import ConnectionLostError
from simulation.observed import saw_explored, saw_league
from simulation.people.daily import DailyPlayer
from simulation.people.person import Person
from simulation.template import DAY

_GAMES: Final = ("bristol", "terrace")
_PAGES: Final = (
    *("/leagues", "/api/v1/leagues", "/ratings", "/ratings/bristol", "/players/Old Yew"),
    *("/api/v1/ratings?ruleset=bristol", "/api/v1/ratings?ruleset=terrace&page=2"),
)
_DAYS: Final = tuple((DAY + timedelta(days=number)).isoformat() for number in range(-1, 3))
_LINES: Final = ("", "deal", "deal,deal", "t1-f1")


class LeagueMember(DailyPlayer):
    """Plays the daily deals, and compares them in leagues that members found, join and leave."""

    async def _look_at_board(self, day: str | None, ruleset: str) -> None:
        await super()._look_at_board(day, ruleset)
        link = self.world.find("league", self.chance)
        if link is None or self.chance.random() < 0.2:
            body = {"name": f"League of {self.name}".replace("-", " ")[:24], "games": _GAMES}
            answer = await self.client.post("/api/v1/leagues", body)
            link = str(answer.json.get("link", ""))
            self.world.offer("league", link)
        else:
            answer = await self.client.insist("POST", f"/api/v1/leagues/{link}/join")
        for _ in range(self.chance.randint(1, 3)):
            await self.pause()
            answer = await self.client.get(f"/api/v1/leagues/{link}")
            if answer.is_ok:
                saw_league(self.world, answer.json, self.client)
            await self.client.get(f"/league/{link}")
        if self.chance.random() < 0.1:
            await self.client.post(f"/api/v1/leagues/{link}/leave")


class Reader(Person):
    """Reads rankings, and explores daily deals, most of which are not closed yet."""

    async def live(self) -> None:
        if self.chance.random() < 0.5:
            await self.arrive()
        for _ in range(self.chance.randint(5, 15)):
            await self.pause(15.0)
            try:
                await self._read()
            except ConnectionLostError:
                continue

    async def _read(self) -> None:
        if self.chance.random() < 0.4:
            await self.client.get(self.chance.choice(_PAGES))
            return
        day, ruleset = self.chance.choice(_DAYS), self.chance.choice(_GAMES)
        path = f"/daily/{day}/{ruleset}/explorer?line={self.chance.choice(_LINES)}"
        answer = await self.client.get(f"{self.chance.choice(('', '/api/v1'))}{path}")
        if answer.is_ok:
            saw_explored(self.world, day, ruleset)
