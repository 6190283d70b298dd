"""The account services as several server processes have them, on one database and one clock."""

import time

from sqlalchemy import Connection, insert

from app.db.engine import Database
from app.db.schema import events, games
from app.identity.account_changes import AccountChanges
from app.identity.account_merge import AccountCallbacks
from app.identity.accounts import Accounts
from app.identity.model import ClientInfo, Player, SignedIn
from app.identity.passwords import Passwords
from app.identity.sessions import Sessions
from tests.support.known import PASSWORD

HOME = ClientInfo("192.0.2.1", "Firefox on Linux")
AWAY = ClientInfo("198.51.100.7", "Safari on iPhone")
MINUTE = 60


class FakeClock:
    """Wall clock and monotonic clock in one, moved by hand."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def __call__(self) -> float:
        return self.seconds

    def ms(self) -> int:
        return int(self.seconds * 1000)


class CountingPasswords(Passwords):
    """Records the hashes that passwords are checked against."""

    def __init__(self) -> None:
        super().__init__()
        self.compared: list[str] = []

    def _check(self, password_hash: str, password: bytes) -> bool:
        self.compared.append(password_hash)
        return super()._check(password_hash, password)


class ServerProcess:
    """The account services of one server process."""

    def __init__(self, url: str, clock: FakeClock) -> None:
        self.database = Database(url)
        self.sessions = Sessions(self.database, 30, clock.ms, clock)
        self.passwords = CountingPasswords()
        self.called_back: list[tuple[str, ...]] = []
        self.commit_delay = 0.0  # seconds between a claim and its commit
        self.accounts = Accounts(
            self.database,
            self.sessions,
            self.passwords,
            AccountCallbacks(
                on_new_account=[self._call_back],
                on_merge=[
                    lambda _, guest_id, player_id: self.called_back.append((guest_id, player_id))
                ],
            ),
        )
        self.changes = AccountChanges(self.database, self.sessions, self.passwords, self.accounts)

    def _call_back(self, _connection: Connection, player_id: str) -> None:
        self.called_back.append((player_id,))
        time.sleep(self.commit_delay)

    async def create_account(self, name: str = "Anna", guest: Player | None = None) -> SignedIn:
        return await self.accounts.create_account(guest, name, PASSWORD, HOME)

    async def sign_in(
        self, name: str = "Anna", password: str = PASSWORD, place: ClientInfo = HOME
    ) -> SignedIn:
        return await self.accounts.sign_in(name, password, place, keep_games=False)

    def give_game(self, owner_id: str, game_id: str) -> None:
        with self.database.engine.begin() as connection:
            connection.execute(
                insert(games).values(
                    id=game_id,
                    ruleset="bristol",
                    revision=1,
                    deal_version=1,
                    kind="open",
                    code="X",
                    owner_id=owner_id,
                    started_ms=0,
                    updated_ms=0,
                    version=1,
                    status="playing",
                )
            )
            connection.execute(
                insert(events).values(
                    game_id=game_id, seq=1, action="deal", actor_id=owner_id, at_ms=0, month=0
                )
            )
