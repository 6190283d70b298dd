"""Names: claiming them, signing in on another device, and bringing a guest's games along."""

from __future__ import annotations

from simulation.network import ConnectionLostError
from simulation.people.person import Person
from simulation.template import PASSWORD


class Named(Person):
    """A player who may claim a name, sign out, play as a guest and sign in again."""

    async def create_account(self) -> None:
        """Claim a name. If the answer is lost, signing in shows whether it was claimed."""
        wanted = f"Player {self.name}".replace("-", " ")
        body = {"name": wanted, "password": PASSWORD}
        old = self.client.cookies["fd_session"]
        try:
            answer = await self.client.post("/api/v1/me/claim", body)
        except ConnectionLostError:
            await self.sign_in(wanted)
            return
        if answer.is_ok:
            self.world.ended(old)
            self.account, self.is_named = wanted, True
            self.world.ledger.named.add(self.player_id)

    async def sign_in(self, name: str, *, bring: bool = False) -> None:
        """Sign in, with the games of the guest that this browser is now."""
        guest_id = self.player_id
        body = {"name": name, "password": PASSWORD, "bring": bring}
        try:
            answer = await self.client.insist("POST", "/api/v1/sessions", body)
        except ConnectionLostError:
            await self.identify()  # it may have worked all the same
            return
        if answer.is_ok:
            self.account, self.is_named = name, True
            self.player_id = answer.json["id"]
            self.client.cookies["fd_session"] = answer.json["token"]
            self.world.ledger.named.add(self.player_id)
            if bring:
                self.world.merged(guest_id, self.player_id)
        else:
            await self.arrive_anew()

    async def arrive_anew(self) -> None:
        """Forget the session and become another guest."""
        self.client.cookies.pop("fd_session", None)
        self.player_id, self.is_named = "", False
        await self.arrive()

    async def _bring_a_game(self) -> None:
        """Begin a game as a guest, sign in, and play on."""
        state = await self.deal("bristol")
        for _ in range(self.chance.randint(1, 3)):
            state = state and (await self.move(state) or await self.look(state["id"]))
        await self.sign_in(self.account, bring=True)
        for _ in range(self.chance.randint(1, 4)):
            state = state and await self.look(state["id"])
            if state:
                await self.move(state)

    async def maybe_change_identity(self) -> None:
        """Claim a name late, or play as a guest for a while and come back."""
        choice = self.chance.random()
        if not self.account and choice < 0.4:
            await self.create_account()
        elif self.account and choice < 0.25:
            if self.is_named and self.chance.random() < 0.5:
                await self.world.sign_out(self.client)
            await self.arrive_anew()
            if self.chance.random() < 0.5:
                await self.client.get("/daily")
            if self.chance.random() < 0.5:
                await self._bring_a_game()
        elif self.account and choice < (0.4 if self.is_named else 0.7):
            await self.sign_in(self.account, bring=True)
