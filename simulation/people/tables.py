"""Players at shared tables: they move at the same time, ask each other, come, go and are removed."""

from __future__ import annotations

from typing import ClassVar

from simulation.client import Listener
from simulation.network import ConnectionLostError
from simulation.people.person import Person, State

_SAYINGS = ("nice", "thanks", "oops", "wait", "yours")


class TableOwner(Person):
    """Shares a game and plays it with those who join."""

    ruleset: ClassVar[str] = "bristol"

    async def live(self) -> None:
        await self.arrive()
        try:
            state = await self.deal(self.ruleset)
            if state is None:
                return
            answer = await self.client.insist("POST", f"/api/v1/games/{state['id']}/together")
            if not answer.is_ok:
                return
            invitation = str(answer.json["invitation"]).rsplit("/", 1)[-1]
            self.world.offer(f"table of {self.ruleset}", invitation)
        except ConnectionLostError:
            return
        await play_together(self, state["id"], is_owner=True)


class TableGuest(Person):
    """Joins a shared table."""

    ruleset: ClassVar[str] = "bristol"

    async def live(self) -> None:
        await self.arrive()
        for _ in range(10):
            await self.pause(5.0)
            token = self.world.find(f"table of {self.ruleset}", self.chance)
            if token is None:
                continue
            try:
                answer = await self.client.insist("POST", f"/api/v1/together/{token}")
            except ConnectionLostError:
                continue
            if answer.is_ok:
                await play_together(self, answer.json["game"], is_owner=False)
                return


class CellOwner(TableOwner):
    """Shares a game with cells. They take any card, so a move on an old page may fit with another card."""

    ruleset = "freecell"


class CellGuest(TableGuest):
    """Joins a game with cells."""

    ruleset = "freecell"


async def play_together(person: Person, game_id: str, *, is_owner: bool) -> None:
    """Play until the game is over or the player has had enough."""
    listener = Listener(person.client, f"/api/v1/games/{game_id}/stream", lambda _version: None)
    person.world.listen(f"table:{game_id}", listener, person.player_id)
    state: State | None = None
    for _ in range(person.chance.randint(10, 50)):
        await person.pause(1.0)
        try:
            # Not every page is up to date: the table has to rebase or refuse.
            if state is None or person.chance.random() < 0.4:
                state = await person.look(game_id)
            if state is None or state["status"] in {"won", "resigned"}:
                return
            state = await _step(person, state, is_owner=is_owner) or state
        except ConnectionLostError:
            state = None


async def _step(person: Person, state: State, *, is_owner: bool) -> State | None:
    choice, path = person.chance.random(), f"/api/v1/games/{state['id']}/together"
    if choice < 0.6:
        return await person.move(state, is_shared=True)
    if choice < 0.7:
        return await person.act(state, "undo", is_shared=True)
    if choice < 0.73:
        return await person.act(state, "restart", is_shared=True)
    if choice < 0.88:
        await _answer(person, path)
    elif choice < 0.93:
        await person.client.post(f"{path}/say", {"saying": person.chance.choice(_SAYINGS)})
    elif choice < 0.97:
        await person.client.get(f"/games/{state['id']}")
    elif is_owner:
        answer = await person.client.get(path)
        others = [
            seat["player"] for seat in answer.json["seats"] if seat["player"] != person.player_id
        ]
        if others:
            word = person.chance.choice(("unseat", "seat"))
            await person.client.post(f"{path}/{word}", {"player": person.chance.choice(others)})
    return None


async def _answer(person: Person, path: str) -> None:
    answer = await person.client.get(path)
    asked = answer.json.get("asked") if answer.is_ok else None
    if asked and asked["by"] != person.player_id:
        body = {"number": asked["number"], "agrees": person.chance.random() < 0.7}
        await person.client.post(f"{path}/answer", body)
