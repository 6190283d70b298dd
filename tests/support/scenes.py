"""Every kind of game, with its owner and everybody else, for tests of who may see what."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from fastapi import FastAPI
from httpx import AsyncClient

from app.analysis import repository as analyses
from app.analysis.model import NOTHING_FOUND
from app.analysis.repository import REVIEW, Subject
from app.daily import repository as dailies
from app.daily.model import settled_ms
from app.daily.preparing import new_deal
from app.games.model import Game
from app.games.service import GameService
from app.main import create_app
from app.races.limits import COUNTDOWN_MS
from app.rulesets.bristol import BRISTOL
from app.settings import Settings
from tests.admin.browsers import Browsers
from tests.support.dailies import DAY, WINNABLE_SEED, Clock
from tests.support.known import CODE
from tests.support.races import draw_winnable
from tests.support.serving import AS_URGENT, migrate

API = "/api/v1/games/{game_id}"


@dataclass
class Scene:
    """A site, its players, and one game."""

    app: FastAPI
    clock: Clock
    anna: AsyncClient
    """The owner."""
    ben: AsyncClient
    """At shared tables, the other player."""
    others: dict[str, AsyncClient] = field(default_factory=dict)
    game_id: str = ""

    @property
    def games(self) -> GameService:
        games: GameService = self.app.state.services.games
        return games

    async def build(self, kind: str) -> None:
        """Make the game. The events of each begin with one action of the owner."""
        base = kind.split(maxsplit=1)[0]
        self.game_id = await getattr(self, f"_{base}")()
        await self.act("deal")
        if "unwatched" in kind:
            await self.hide()
        if "ended" in kind or "closed" in kind:
            await self.act("resign")
            if base == "race":
                await self.ben.post(f"/api/v1/races/{self.code}/give-up")
        if "closed" in kind:
            self.clock.now = settled_ms(DAY)
            await self.app.state.services.daily_closing.close(DAY)
        await self._review(await self.games.log.load(self.game_id))

    async def hide(self) -> None:
        path = API.format(game_id=self.game_id) + "/audience"
        (await self.anna.put(path, json={"audience": "nobody"})).raise_for_status()

    async def act(self, action: str) -> None:
        game = await self.games.log.load(self.game_id)
        outcome = await self.games.act(game.id, game.owner_id, game.version, action)
        if outcome.result.name == "ASKED":
            answer = API.format(game_id=game.id) + "/together"
            asked = (await self.ben.get(answer)).json()["asked"]["number"]
            agreed = {"number": asked, "agrees": True}
            (await self.ben.post(f"{answer}/answer", json=agreed)).raise_for_status()

    async def _open(self, player: AsyncClient | None = None) -> str:
        new = {"ruleset": "bristol", "code": CODE}
        game: str = (await (player or self.anna).post("/api/v1/games", json=new)).json()["id"]
        return game

    async def _shared(self) -> str:
        game = await self._open()
        path = API.format(game_id=game) + "/together"
        link = (await self.anna.post(path)).json()["invitation"]
        (await self.ben.post(f"/api/v1{link}")).raise_for_status()
        return game

    async def _daily(self) -> str:
        begun = await self.anna.post("/api/v1/daily/today/bristol/attempt")
        game: str = begun.json()["id"]
        return game

    async def _race(self) -> str:
        new = {"ruleset": "bristol", "minutes": 10}
        self.code: str = (await self.anna.post("/api/v1/races", json=new)).json()["code"]
        path = f"/api/v1/races/{self.code}"
        await self.ben.post(f"{path}/join")
        for racer in (self.anna, self.ben):
            await racer.post(f"{path}/ready")
        (await self.anna.post(f"{path}/start")).raise_for_status()
        self.clock.advance(COUNTDOWN_MS)
        game: str = (await self.anna.get(f"{path}/game")).json()["id"]
        return game

    async def _attempt(self) -> str:
        target = API.format(game_id=await self._open(self.ben))
        await self.ben.post(f"{target}/resign", json={"version": 0})
        token = (await self.ben.post(f"{target}/ghost")).json()["token"]
        game: str = (await self.anna.post(f"/api/v1/ghosts/{token}")).json()["id"]
        return game

    async def _review(self, game: Game) -> None:
        """Store a review, as if the owner had asked for one."""
        subject = Subject(game.id, REVIEW, game.version)
        database = self.app.state.services.database
        await database.write(partial(analyses.add_question, subject=subject, at_ms=0))
        text = str(NOTHING_FOUND)
        await database.write(partial(analyses.save_answer, subject=subject, text=text))


@asynccontextmanager
async def open_scene(database_url: str) -> AsyncIterator[Scene]:
    """A site on which nothing has been played yet."""
    await migrate(database_url)
    clock = Clock()
    settings = Settings(
        database_url=database_url,
        proof_seconds=0,
        actions_per_minute=10_000,
        games_per_minute=10_000,
        guests_per_minute=10_000,
    )
    app = create_app(settings, clock, AS_URGENT)
    async with app.router.lifespan_context(app), Browsers(app) as browsers:
        for day in (DAY, DAY + timedelta(days=1)):
            deal = new_deal(BRISTOL, day, 0, WINNABLE_SEED if day == DAY else b"n" * 32)
            await app.state.services.database.write(partial(dailies.add_deal, deal=deal))
        app.state.services.races.setup.draw_deal = draw_winnable
        stranger = await browsers.visitor()
        await stranger.post("/api/v1/games", json={"ruleset": "bristol"})
        yield Scene(
            app,
            clock,
            await browsers.player("Anna"),
            await browsers.player("Ben"),
            {
                "stranger": stranger,
                "guest": await browsers.visitor(),
                "moderator": await browsers.staff_member("Vera", "moderator"),
            },
        )
