"""Starting, loading and playing games: what pages, the API and other stories stand on."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from sqlalchemy import Connection

from app.engine.actions import parse_action
from app.engine.line import Line
from app.engine.play import IllegalActionError
from app.engine.shuffle import ALGORITHM, Code, new_code
from app.engine.spec import GameSpec
from app.games import find_game as find_spec
from app.play import outcome
from app.play.cache import TableCache
from app.play.decks import deck_of, read_code
from app.play.hooks import (
    Also,
    Announce,
    AtEnd,
    IsVeiled,
    OnRefusal,
    announce_nothing,
    forget_refusal,
    veil_for_ever,
)
from app.play.outcome import Outcome, Result
from app.play.repository import (
    GameRow,
    Seat,
    add_game,
    append_entry,
    find_game,
    find_seat,
    read_log,
    recent_games,
)
from app.play.table import WORDS, Entry, Kind, Table, stored_spec
from app.storage.database import Database
from app.web.errors import (
    GameNotFoundError,
    MalformedError,
    NotYourGameError,
    RulesetNotFoundError,
)

_LONGEST_KEY = 200


def now_ms() -> int:
    """The machine's clock, in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


class PlayService:
    """The authority: judges every action, stores what it accepts, then tells."""

    def __init__(
        self,
        database: Database,
        announce: Announce = announce_nothing,
        clock: Callable[[], int] = now_ms,
        at_end: Sequence[AtEnd] = (),
        is_veiled: IsVeiled = veil_for_ever,
        *,
        on_refusal: OnRefusal = forget_refusal,
    ) -> None:
        """``clock`` gives milliseconds since 1970, UTC; ``at_end`` books what a result means."""
        self._on_refusal = on_refusal
        self._at_end = at_end
        self._is_veiled = is_veiled
        self._database = database
        self._announce = announce
        self._clock = clock
        self._cache = TableCache()

    async def start(self, player_id: str, ruleset: str, code: str | None) -> Table:
        """Deal a new game to a player; without a code, a fresh open deal."""
        spec = find_spec(ruleset)
        if spec is None:
            raise RulesetNotFoundError(f"There is no game called {ruleset[:60]!r} here.")
        deal = read_code(code) if code is not None else new_code()
        return await self.deal_out(player_id, spec, deal, Kind.OPEN)

    async def deal_out(
        self,
        player_id: str,
        spec: GameSpec,
        deal: Code | bytes,
        kind: Kind,
        also: Also | None = None,
    ) -> Table:
        """Deal an open code, the secret seed of a sealed deal, or a packed deck, to a player.

        ``also`` runs in the transaction that stores the game; if it raises, there is no game.
        """
        at_ms = self._clock()
        code, seed = (None, deal) if isinstance(deal, bytes) else (deal, None)
        table = Table.start(
            game_id=secrets.token_urlsafe(12),
            kind=kind,
            line=Line.start(spec, deck_of(spec, code, seed)),
            code=code,
            owner_id=player_id,
            at_ms=at_ms,
        )
        row = GameRow(
            id=table.id,
            ruleset=spec.id,
            revision=spec.revision,
            deal_version=ALGORITHM,
            kind=kind,
            code=code,
            seed=seed,
            owner_id=player_id,
            started_ms=at_ms,
            updated_ms=at_ms,
            version=0,
            status=table.status,
        )

        def store(connection: Connection) -> None:
            add_game(connection, row)
            if also:
                also(connection, table)

        await self._database.write(store)
        self._cache.put(table)
        return table

    async def load(self, game_id: str) -> Table:
        """The table as it is now; raises ``GameNotFoundError``."""
        cached = self._cache.get(game_id)
        version, owner_id = await self._seat(game_id)
        if cached and cached.version >= version and cached.owner_id == owner_id:
            return cached
        table = await self._catch_up(cached or await self._opening(game_id))
        table = replace(table, owner_id=owner_id)  # a guest who logs in brings their games along
        self._cache.put(table)
        return table

    async def shown(self, game_id: str, viewer_id: str | None) -> Table:
        """The table as ``load`` gives it, for somebody who may look at it.

        Anybody may watch an open game. A ranked one is for its player alone until its deal is closed: whoever
        watches may be about to play the same cards. Raises ``GameNotFoundError`` and ``NotYourGameError``.
        """
        table = await self.load(game_id)
        if table.kind.is_ranked and table.owner_id != viewer_id:
            veiled = await self._database.read(
                lambda connection: self._is_veiled(connection, game_id)
            )
            if veiled:
                raise NotYourGameError("This game is for its player alone until its day is over.")
        return table

    async def seen(self, game_id: str, version: int) -> Table:
        """The table at ``version`` when this process knows it, which costs no query; else as it is.

        For reading what a player meant: only ``act`` decides whether that version still holds.
        """
        cached = self._cache.get(game_id)
        return cached if cached and cached.version == version else await self.load(game_id)

    async def version(self, game_id: str) -> int:
        """The version of a table as it is now; raises ``GameNotFoundError``."""
        return (await self._seat(game_id)).version

    async def load_at(self, game_id: str, version: int) -> Table:
        """The table as it was at ``version``; raises ``GameNotFoundError``."""
        table = await self._opening(game_id)
        log = await self._database.read(partial(read_log, game_id=game_id))
        for entry in islice(log, version):
            table = table.after(entry)
        return table

    async def log(self, game_id: str) -> Sequence[Entry]:
        """Everything accepted so far, in order; raises ``GameNotFoundError``."""
        await self.load(game_id)
        return await self._database.read(partial(read_log, game_id=game_id))

    async def recent(self, player_id: str, most: int) -> Sequence[GameRow]:
        """A player's games, the last touched first."""
        return await self._database.read(partial(recent_games, owner_id=player_id, most=most))

    async def act(
        self, game_id: str, player_id: str, version: int, action: str, key: str | None = None
    ) -> Outcome:
        """Judge and store one action, seen by the player at ``version``.

        ``action`` is a move (``t3-f1``, ``deal``) or one of ``WORDS``. A ``key`` used before on
        this game answers with what it made then, and nothing moves twice. Raises
        ``GameNotFoundError``, ``NotYourGameError`` and, for unreadable input, ``MalformedError``.
        """
        if key is not None and not 0 < len(key) <= _LONGEST_KEY:
            raise MalformedError(f"An idempotency key has 1 to {_LONGEST_KEY} characters.")
        table = self._cache.get(game_id) or await self.load(game_id)
        if table.version != version or table.owner_id != player_id or (key and key in table.keys):
            table = await self.load(game_id)
        if table.owner_id != player_id:
            raise NotYourGameError("Only the player who sits at this table can play here.")
        _check_readable(table, action)
        settled = await self._settled(table, version, key)
        if settled:
            return self._noted(player_id, version, action, settled)
        entry = Entry(
            action=action,
            at_ms=max(self._clock(), table.updated_ms),
            actor_id=player_id,
            key=key,
        )
        try:
            after = table.after(entry)
        except IllegalActionError as error:
            return self._noted(player_id, version, action, outcome.refused(table, error))
        except ValueError as error:
            fate = outcome.impossible(table, str(error))
            return self._noted(player_id, version, action, fate)
        witnesses = self._at_end if after.status is not table.status else ()

        def store(connection: Connection) -> bool:
            stored = append_entry(connection, game_id, version, entry, after.status)
            for witness in witnesses if stored else ():
                witness(connection, after)
            return stored

        stored = await self._database.write(store)
        if not stored:
            # Somebody was faster between our look and our write.
            table = await self.load(game_id)
            fate = await self._settled(table, version, key) or outcome.stale(table)
            return self._noted(player_id, version, action, fate)
        self._cache.put(after)
        self._announce(game_id, after.version)
        return outcome.accepted(table, after)

    def _noted(self, player_id: str, seen: int, action: str, fate: Outcome) -> Outcome:
        if fate.result is not Result.ACCEPTED:
            self._on_refusal(player_id, seen, action, fate)
        return fate

    async def _settled(self, table: Table, version: int, key: str | None) -> Outcome | None:
        """What can be said of an action before it is judged."""
        if key and key in table.keys:
            made = table.keys[key]
            before = await self.load_at(table.id, made - 1)
            return outcome.accepted(before, await self.load_at(table.id, made))
        if version != table.version:
            return outcome.stale(table)
        return outcome.over(table) if table.is_over else None

    async def _seat(self, game_id: str) -> Seat:
        seat = await self._database.read(partial(find_seat, game_id=game_id))
        if seat is None:
            raise GameNotFoundError(_NO_GAME)
        return seat

    async def _opening(self, game_id: str) -> Table:
        row = await self._database.read(partial(find_game, game_id=game_id))
        if row is None:
            raise GameNotFoundError(_NO_GAME)
        spec = stored_spec(row.ruleset, row.revision)
        return Table.start(
            game_id=row.id,
            kind=Kind(row.kind),
            line=Line.start(spec, deck_of(spec, row.code, row.seed)),
            code=row.code,
            owner_id=row.owner_id,
            at_ms=row.started_ms,
        )

    async def _catch_up(self, table: Table) -> Table:
        log = await self._database.read(partial(read_log, game_id=table.id, after=table.version))
        for entry in log:
            table = table.after(entry)
        return table


_NO_GAME = "There is no game at this address."


def _check_readable(table: Table, action: str) -> None:
    if action in WORDS:
        return
    try:
        parse_action(table.spec.layout, action)
    except ValueError as error:
        raise MalformedError(str(error)) from error
