"""Fills a new site with all that its pages can show, and lists the pages: for tools/shots.py."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from app.daily.model import settled_ms
from app.db.engine import Database
from app.rulesets.bristol import BRISTOL
from tests.golden.records import RECORDS
from tests.support.dailies import Clock, DailyServer, at
from tests.support.second_factor import new_code
from tests.support.stocks import put, sealed_deal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from playwright.sync_api import APIResponse, BrowserContext

_PASSWORD: Final = "a long and quiet evening"  # noqa: S105  # of a site that lives for minutes
_PATIENCE: Final = 60  # seconds until the deals of the day are there
_DAY: Final = timedelta(days=1)
_COMPUTED: Final = ("explorer", "review")  # pages of what the background computes
_TOO_EARLY: Final = {202, 425, 503}


@dataclass(frozen=True, slots=True)
class PageKind:
    """A kind of page: the name of its pictures, its path, and whose browser opens it."""

    name: str
    path: str
    viewer: str


# Pages that need nothing on the site and look the same for everybody.
_PLAIN: Final = (
    ("games", "/games"),
    ("settings", "/settings"),
    ("rules", "/rules/bristol"),
    ("rules-two-decks", "/rules/rouge-et-noir"),
    ("sign-in", "/login"),
    ("join", "/join"),
    ("recover", "/recover"),
    ("privacy", "/privacy"),
    ("offline", "/offline"),
    ("import", "/import"),
    ("deal", "/deal/bristol/7KQ4M-2XWTP"),
    ("race-new", "/race"),
    ("league-new", "/league/new"),
    ("daily-check", "/daily/check"),
    ("ratings", "/ratings"),
    ("winnability", "/winnability"),
    ("api", "/api/docs"),
    ("not-found", "/no-such-page"),
)


@dataclass
class Scene:
    """The site at ``address`` and the browsers of its players, by name: ``new`` has never been here."""

    address: str
    database_url: str
    browsers: dict[str, BrowserContext]
    kinds: list[PageKind] = field(default_factory=list)

    def fill(self, chosen: Collection[str] = ()) -> list[PageKind]:
        """Play games, open rooms and tables, found a league; returns the pages that show all that.

        Waits for what the server computes in the background if a page of it is chosen, or if all pages are.
        """
        self.kinds = [PageKind(name, path, "new") for name, path in _PLAIN]
        self._add("home", "/", "new")
        self._name("anna", "Annika")
        self._games()
        self._dailies()
        self._together()
        self._race()
        self._league()
        self._challenge()
        self._own_pages()
        self._staff()
        for kind in self.kinds:
            if kind.name in _COMPUTED and (not chosen or kind.name in chosen):
                self._wait_for(kind)
        return self.kinds

    def _wait_for(self, kind: PageKind) -> None:
        request = self.browsers[kind.viewer].request
        if kind.name == "review":
            game = kind.path.removesuffix("/help/review")
            self._post(kind.viewer, f"{game}/review")
            _patiently(lambda: request.get(f"{self.address}/api/v1{game}/review"))
        else:
            _patiently(lambda: request.get(self.address + kind.path))

    def _add(self, name: str, path: str, viewer: str = "anna") -> None:
        self.kinds.append(PageKind(name, path, viewer))

    def _post(
        self, viewer: str, path: str, data: Mapping[str, object] | None = None
    ) -> APIResponse:
        """Send JSON to the API."""
        request = self.browsers[viewer].request
        return _patiently(
            lambda: request.post(f"{self.address}/api/v1{path}", data=dict(data or {}))
        )

    def _submit(self, viewer: str, path: str, **form: str | float | bool) -> str:
        """Send a form; returns the path of the page it leads to."""
        request = self.browsers[viewer].request
        headers = {"Origin": self.address}
        answer = _patiently(lambda: request.post(self.address + path, form=form, headers=headers))
        return answer.url.removeprefix(self.address)

    def _name(self, viewer: str, name: str) -> None:
        self._post(viewer, "/me/claim", {"name": name, "password": _PASSWORD})

    def _play(self, viewer: str, record: str, moves: int | None = None) -> str:
        """The path of a game that follows a record, to its end or for some moves."""
        found = next(one for one in RECORDS if one.name == record)
        start = {"ruleset": found.ruleset, "code": found.code}
        game = self._post(viewer, "/games", start).json()["id"]
        for version, move in enumerate(found.moves[:moves]):
            self._post(viewer, f"/games/{game}/moves", {"version": version, "move": move})
        return f"/games/{game}"

    def _games(self) -> None:
        self._add("table", self._play("anna", "bristol-won", 12))
        self._add("table-two-decks", self._play("anna", "rouge-et-noir-won", 60))
        won, lost = self._play("anna", "bristol-won"), self._play("anna", "bristol-lost")
        self._add("table-won", won)
        self._add("table-lost", lost)
        self._add("replay", f"{won}/replay?step=20")
        self._add("review", f"{won}/help/review")
        self._add("table-new", self._play("guest", "signora-won", 0), "guest")
        self._add("home-guest", "/", "guest")
        self._add("home-named", "/")
        self._add("games-named", "/games")
        self._submit(
            "anna", f"{self._play('anna', 'terrace-won', 8)}/watch/audience", audience="public"
        )
        self._add("watch", "/watch", "new")

    def _dailies(self) -> None:
        yesterday = datetime.now(UTC).date() - _DAY
        me = self.browsers["anna"].request.get(f"{self.address}/api/v1/me").json()["id"]
        with ThreadPoolExecutor(1) as thread:  # the browser has the event loop of this one
            thread.submit(asyncio.run, self._close(yesterday, me)).result()
        self._add("daily", "/daily", "new")
        self._post("anna", "/daily/today/bristol/attempt")
        self._add("daily-begun", "/daily")
        self._add("daily-deal", f"/daily/{yesterday + _DAY}/bristol")
        self._add("daily-closed", f"/daily/{yesterday}")
        self._add("daily-results", f"/daily/{yesterday}/bristol")
        self._add("explorer", f"/daily/{yesterday}/bristol/explorer")
        self._add("daily-archive", "/daily/archive")
        self._add("reminder", "/reminder")

    async def _close(self, day: date, player_id: str) -> None:
        """A closed day with three results, made by a server that lives on that day; and deals for races."""
        database = Database(self.database_url)
        server = DailyServer(database, Clock(at("12:00", day)), {player_id})
        await server.deal_winnable(day)
        await server.add_players("robin", "marian")
        await server.solve(player_id, seconds=200)
        await server.solve("robin", detours=4, seconds=320)
        await server.start("marian")
        server.clock.now = settled_ms(day)
        await server.closing.close(day)
        await put(database, *(sealed_deal(BRISTOL, f"race {number}") for number in range(9)))
        database.engine.dispose()

    def _together(self) -> None:
        table = self._submit("anna", "/together", ruleset="signora")
        page = self.browsers["anna"].request.get(self.address + table).text()
        invitation = _find(r"/together/[\w-]{12,}", page)
        self._add("shared-invitation", invitation, "new")
        self._submit("guest", invitation)
        self._add("shared-table", table)
        self._add("together", "/together")
        self._add("new-challenge", "/challenge")

    def _race(self) -> None:
        room = self._submit("anna", "/race", ruleset="bristol", minutes="10")
        self._add("race-invited", room, "new")
        self._submit("guest", f"{room}/join", name="Marian")
        self._add("race-room", room)
        over = self._submit("guest", "/race", ruleset="bristol", minutes="10")
        self._submit("anna", f"{over}/join")
        for viewer in ("anna", "guest"):
            self._submit(viewer, f"{over}/ready", is_ready=True)
        self._submit("guest", f"{over}/start")
        for viewer in ("anna", "guest"):
            self._submit(viewer, f"{over}/give-up")
        self._add("race-finished", over)

    def _league(self) -> None:
        games = {"name": "The Tuesday card club", "games": ["bristol", "signora"]}
        link = self._post("anna", "/leagues", games).json()["link"]
        self._add("league-invited", f"/league/{link}", "new")
        self._post("guest", f"/leagues/{link}/join")
        self._add("league", f"/league/{link}")
        self._add("leagues", "/leagues")

    def _challenge(self) -> None:
        game = self._play("guest", "falling-star-lost")
        challenge = self._submit("guest", f"{game}/ghost/make")
        self._add("challenge-hosted", challenge, "guest")
        self._add("challenge", challenge, "new")

    def _own_pages(self) -> None:
        self._add("profile", "/players/Annika", "new")
        for name in ("statistics", "calendar", "passkeys"):
            self._add(name, f"/me/{name}")
        self._add("me", "/me")
        self._add("me-guest", "/me", "guest")
        self._add("name", "/me/name", "guest")

    def _staff(self) -> None:
        """An administrator who has re-authenticated."""
        command = [sys.executable, "-m", "app", "admin", "create", "Vera"]
        environment = {**os.environ, "DATABASE_URL": self.database_url}
        subprocess.run(command, env=environment, input=_PASSWORD, text=True, check=True)
        self._submit("vera", "/login", name="Vera", password=_PASSWORD)
        code = new_code(self.database_url, "Vera")
        self._submit("vera", "/admin/enter", password=_PASSWORD, code=code, back="/admin/games")
        game = next(kind.path for kind in self.kinds if kind.name == "table-won")
        for name in ("games", "overview", "leagues", "audit", "second-factor"):
            self._add(f"admin-{name}", f"/admin/{name}", "vera")
        self._add("admin-game", f"/admin{game}", "vera")
        log = self.browsers["vera"].request.get(f"{self.address}/admin{game}").text()
        self._add("admin-player", _find(r"/admin/players/[\w-]+", log), "vera")


def _patiently(send: Callable[[], APIResponse]) -> APIResponse:
    """Repeat a request that comes too early: a new site makes its deals, and explorers of them, in the background."""
    until = time.monotonic() + _PATIENCE
    answer = send()
    while answer.status in _TOO_EARLY and time.monotonic() < until:
        time.sleep(1)
        answer = send()
    if not answer.ok:
        raise RuntimeError(f"{answer.url}: {answer.status} {answer.text()[:300]}")
    return answer


def _find(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if found is None:
        raise RuntimeError(f"No {pattern} in the page.")
    return found.group()
