"""What all simulated people do: have an identity, read pages, act in games, try again when the connection is lost."""

from __future__ import annotations

import asyncio
from collections import Counter
from http import HTTPStatus
from random import Random
from typing import Any, Final

from simulation.client import Client
from simulation.ledger import Acknowledged
from simulation.network import Answer, ConnectionLostError
from simulation.observed import check_acknowledged, check_not_theirs, may_play
from simulation.together import check_together, count_actions
from simulation.trace import Violation
from simulation.world import World

_PAGES: Final = (
    *("/", "/daily", "/daily/archive", "/daily/check", "/watch", "/races", "/me", "/import"),
    *("/api/v1/daily", "/api/v1/daily/promises", "/api/v1/watch", "/api/v1/me", "/api/v1/rulesets"),
    *("/api/v1/me/export", "/api/v1/me/sessions", "/players/Old Oak", "/api/v1/players/Old Elm"),
    *("/api/v1/daily/today", "/api/v1/daily/today/terrace", "/healthz", "/privacy", "/about"),
)
_WORDS: Final = frozenset({"undo", "redo", "restart", "resign"})

State = dict[str, Any]


class Person:
    """A person with a browser."""

    def __init__(self, world: World, name: str, address: str) -> None:
        self.world = world
        self.name = name
        self.chance: Random = world.stream(name)
        self.client = Client(world.network, name, address)
        self.player_id = ""
        self.account = ""
        """The name that this person owns, even while they play as a guest."""
        self.is_named = False
        self._keys: Counter[str] = Counter()
        self._is_unsure: set[str] = set()
        """Games in which an action may be done later: its answer was lost, or others have been asked."""

    async def live(self) -> None:
        """Everything this person does; ends by itself."""
        raise NotImplementedError

    async def pause(self, mean: float = 2.0) -> None:
        """Do nothing for some seconds."""
        await asyncio.sleep(self.chance.expovariate(1 / mean))

    async def arrive(self) -> None:
        """Become a guest."""
        while not self.player_id:
            try:
                answer = await self.client.post("/api/v1/players")
            except ConnectionLostError:
                await self.pause()
                continue
            if answer.status == 201:
                self.player_id = answer.json["id"]
                self.client.cookies["fd_session"] = answer.json["token"]
            else:
                await self.pause(20.0)

    async def identify(self) -> None:
        """Ask who this browser is; become a guest if it is nobody."""
        self.account, self.player_id, self.is_named = "", "", False
        while True:
            try:
                answer = await self.client.get("/api/v1/me")
                break
            except ConnectionLostError:
                await self.pause()
        if answer.is_ok:
            self.player_id = answer.json["id"]
            self.is_named = not answer.json["guest"]
            self.account = answer.json["name"] if self.is_named else ""
        else:
            self.client.cookies.pop("fd_session", None)
            await self.arrive()

    async def browse(self) -> None:
        """Look at some page that is not about a game of one's own."""
        await self.client.get(self.chance.choice(_PAGES))

    # --- games

    async def deal(self, ruleset: str) -> State | None:
        """Start an open game."""
        answer = await self.client.post("/api/v1/games", {"ruleset": ruleset})
        return self.dealt(answer)

    def dealt(self, answer: Answer) -> State | None:
        """The state of a game that was just dealt, which is now on record."""
        if not answer.is_ok:
            return None
        state: State = answer.json
        self.world.ledger.games.setdefault(state["id"], self.player_id)
        return state

    async def look(self, game_id: str) -> State | None:
        """The game as it is: never older than what was acknowledged before the question."""
        known = max(self.world.ledger.actions[game_id], default=0)
        since = f"?since={known - 1}" if known and self.chance.random() < 0.2 else ""
        answer = await self.client.get(f"/api/v1/games/{game_id}{since}")
        if answer.status == 304 or (answer.is_ok and answer.json["version"] < known):
            raise Violation(
                "what was acknowledged can be read",
                f"version {known} of {game_id} was acknowledged, then {answer.status} {answer.json.get('version')}",
            )
        return answer.json if answer.is_ok else None

    async def act(self, state: State, action: str, *, is_shared: bool = False) -> State | None:
        """Act once, with or without a key; returns the state after it, or ``None`` if it was not accepted.

        With a key the same request is repeated until it is answered. Without one a lost answer leaves the result open.
        """
        game_id, version = state["id"], state["version"]
        key = self._new_key(game_id) if self.chance.random() < 0.5 else None
        word = action in _WORDS
        session = self.client.cookies.get("fd_session")
        path = f"/api/v1/games/{game_id}/{action if word else 'moves'}"
        body = {"version": version} if word else {"version": version, "move": action}
        could_play = may_play(self.world, game_id, self.player_id)
        before, lost = self._count_done(game_id, action), self.client.lost
        try:
            answer = await self._send(path, body, key)
        except ConnectionLostError:
            self._is_unsure.add(game_id)
            raise
        if self.client.lost > lost:
            self._is_unsure.add(game_id)  # a lost answer may have said that others have been asked
        if self.client.cookies.get("fd_session") != session:
            await self.identify()  # the session had ended, and the site made a guest of the browser
            return None
        if answer.code == "not_your_game" and could_play:
            check_not_theirs(self.world, game_id, self.player_id, answer)
        if answer.status != 200:
            if answer.status == 202:
                self._is_unsure.add(game_id)
            # At a table nobody else plays under this player's name. A move may be stored again when another undoes one.
            elif game_id not in self._is_unsure and word and is_shared and answer.status < 500:
                self._check_nothing_done(game_id, action, before, answer)
            return None
        after: State = answer.json
        if not is_shared and after["version"] != version + 1:
            raise Violation(
                "versions without gaps",
                f"{action} on version {version} of {game_id} was answered with version {after['version']}",
            )
        check_acknowledged(
            self.world,
            game_id,
            after["version"],
            Acknowledged("" if is_shared and word else action, key, self.player_id),
            after,
        )
        if is_shared:
            with self.world.reading() as connection:
                check_together(connection, state, action, after, self.player_id)
        return after

    async def move(self, state: State, *, is_shared: bool = False) -> State | None:
        """One legal move, home if possible."""
        legal = state["legal_moves"]
        if not legal:
            return None
        home = [move for move in legal if "-f" in move]
        moves = home if home and self.chance.random() < 0.7 else legal
        return await self.act(state, self.chance.choice(moves), is_shared=is_shared)

    async def _send(self, path: str, body: dict[str, Any], key: str | None) -> Answer:
        if key is None:
            return await self.client.post(path, body)
        answer = await self.client.insist("POST", path, body, key=key)
        if self.chance.random() < 0.1:
            again = await self.client.insist("POST", path, body, key=key)
            self._check_same(path, key, answer, again)
        return answer

    def _count_done(self, game_id: str, action: str) -> int:
        with self.world.reading() as connection:
            return count_actions(connection, game_id, self.player_id, action)

    def _check_nothing_done(self, game_id: str, action: str, before: int, answer: Answer) -> None:
        after = self._count_done(game_id, action)
        if after != before:
            raise Violation(
                "what is refused is not done",
                f"{action} in {game_id} by {self.player_id}: {answer.status} {answer.code}, {before}, then {after}",
            )

    def _new_key(self, game_id: str) -> str:
        # Many programs count their actions in each game: the same key may come in another one.
        self._keys[game_id] += 1
        return f"{self.name}-{self._keys[game_id]}"

    def _check_same(self, path: str, key: str, first: Answer, again: Answer) -> None:
        if again.status == HTTPStatus.TOO_MANY_REQUESTS:
            return  # it was not looked at: people in a hurry repeat themselves too soon
        if first.status == 200 and (again.status, again.json) != (200, first.json):
            raise Violation(
                "a repeated key returns the first answer",
                f"key {key} for {path}: {first.status} version {first.json.get('version')}, "
                f"then {again.status} {again.code or again.json.get('version')}",
            )
