"""Starting, loading and playing games: what pages, the API and other stories stand on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from app.clock import now_ms
from app.db.engine import Database
from app.db.ids import new_id
from app.engine.actions import parse_action
from app.engine.history import History
from app.engine.ruleset import Ruleset
from app.engine.shuffle import ALGORITHM, Code, new_code
from app.errors import (
    MalformedError,
    NotYourGameError,
)
from app.games import outcome
from app.games.callbacks import (
    Also,
    Announce,
    AtEnd,
    Check,
    IsVeiled,
    NoSharedTables,
    OnRefusal,
    Referee,
    Shared,
    Turn,
    announce_nothing,
    close_nothing,
    forget_refusal,
    let_play,
    veil_for_ever,
)
from app.games.decks import deck_of, read_code
from app.games.event_log import EventLog
from app.games.model import WORDS, Game, GameEvent, Kind, get_ruleset
from app.games.outcome import Outcome, Result
from app.games.repository import (
    GameRow,
    add_game,
    append_entry,
)

_LONGEST_KEY = 200


class GameService(EventLog):
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
        referee: Referee = let_play,
        shared: Shared | None = None,
        is_closed: IsVeiled = close_nothing,
    ) -> None:
        """``clock`` gives milliseconds since 1970, UTC; ``at_end`` books what a result means."""
        super().__init__(database, is_veiled, is_closed)
        self.shared: Shared = shared or NoSharedTables()
        self._on_refusal = on_refusal
        self._referee = referee
        self._at_end = at_end
        self._announce = announce
        self._clock = clock

    async def start(self, player_id: str, ruleset: str, code: str | None) -> Game:
        """Deal a new game to a player; without a code, a fresh open deal."""
        rules = get_ruleset(ruleset)
        deal = read_code(code) if code is not None else new_code()
        return await self.deal_out(player_id, rules, deal, Kind.OPEN)

    async def deal_out(
        self,
        player_id: str,
        rules: Ruleset,
        deal: Code | bytes,
        kind: Kind,
        also: Also | None = None,
    ) -> Game:
        """Deal an open code, the secret seed of a sealed deal, or a packed deck, to a player.

        ``also`` runs in the transaction that stores the game; if it raises, there is no game.
        """
        at_ms = self._clock()
        code, seed = (None, deal) if isinstance(deal, bytes) else (deal, None)
        game = Game.start(
            game_id=new_id(),
            kind=kind,
            history=History.start(rules, deck_of(rules, code, seed)),
            code=code,
            owner_id=player_id,
            at_ms=at_ms,
        )
        row = GameRow(
            id=game.id,
            ruleset=rules.id,
            revision=rules.revision,
            deal_version=ALGORITHM,
            kind=kind,
            code=code,
            seed=seed,
            owner_id=player_id,
            started_ms=at_ms,
            updated_ms=at_ms,
            version=0,
            status=game.status,
        )

        def store(connection: Connection) -> None:
            add_game(connection, row)
            if also:
                also(connection, game)

        await self._database.write(store)
        self._cache.put(game)
        return game

    async def may_play(self, game: Game, player_id: str | None) -> bool:
        """Whether somebody sits at a table; for one's own, or somebody else's own, without a query."""
        if player_id is None or game.kind is not Kind.SHARED:
            return game.owner_id == player_id
        return await self.shared.is_seated(game.id, player_id)

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
        game = self._cache.get(game_id) or await self.load(game_id)
        if game.version != version or game.owner_id != player_id or (key and key in game.keys):
            game = await self.load(game_id)
        turn = Turn(game_id, player_id, version, action, key)
        if game.kind is Kind.SHARED:
            return await self._shared(game, turn)
        if game.owner_id != player_id:
            raise NotYourGameError("Only the player who sits at this table can play here.")
        _check_readable(game, action)
        settled = await self.settled(game, version, key)
        if settled:
            return self._noted(turn, settled)
        entry = self.entry(game, turn)
        try:
            after = game.after(entry)
        except ValueError as error:
            return self._noted(turn, outcome.unplayable(game, error))
        if not await self.store(
            game, [entry], after, lambda connection: self._referee(connection, game, entry)
        ):
            # Somebody was faster between our look and our write, or the table is shared by now.
            game = await self.load(game_id)
            if game.kind is Kind.SHARED:
                return await self._shared(game, turn)
            return self._noted(turn, await self.settled(game, version, key) or outcome.stale(game))
        return outcome.accepted(game, after)

    def entry(self, game: Game, turn: Turn) -> GameEvent:
        """A turn as it would stand in the log behind ``table``."""
        return GameEvent(
            action=turn.action,
            at_ms=max(self._clock(), game.updated_ms),
            actor_id=turn.player_id,
            key=turn.key,
        )

    async def store(
        self, before: Game, entries: Sequence[GameEvent], after: Game, check: Check | None = None
    ) -> bool:
        """Store what leads from one table to the other, all or nothing; ``False`` when the game has moved on."""
        witnesses = self._at_end if after.status is not before.status else ()

        def store(connection: Connection) -> bool:
            if check:
                check(connection)
            for seen, entry in enumerate(entries, before.version):
                if not append_entry(connection, before, seen, entry, after.status):
                    return False
            for witness in witnesses:
                witness(connection, after)
            return True

        if not await self._database.write(store):
            return False
        self._cache.put(after)
        self._announce(after.id, after.version)
        return True

    async def settled(self, game: Game, version: int, key: str | None) -> Outcome | None:
        """What can be said of an action before it is judged."""
        if key and key in game.keys:
            made = game.keys[key]
            before = await self.load_at(game.id, made - 1)
            return outcome.accepted(before, await self.load_at(game.id, made))
        if version != game.version:
            return outcome.stale(game)
        return outcome.over(game) if game.is_over else None

    async def _shared(self, game: Game, turn: Turn) -> Outcome:
        _check_readable(game, turn.action)
        return self._noted(turn, await self.shared.act(self, turn))

    def _noted(self, turn: Turn, fate: Outcome) -> Outcome:
        if fate.result not in {Result.ACCEPTED, Result.ASKED}:
            self._on_refusal(turn.player_id, turn.version, turn.action, fate)
        return fate


def _check_readable(game: Game, action: str) -> None:
    if action in WORDS:
        return
    try:
        parse_action(game.rules.layout, action)
    except ValueError as error:
        raise MalformedError(str(error)) from error
