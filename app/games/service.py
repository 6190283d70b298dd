"""Starting and playing games: every action is judged, stored and published here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from app.clock import now_ms
from app.db.engine import Database
from app.db.ids import new_id
from app.engine.actions import Action
from app.engine.history import History
from app.engine.ruleset import Ruleset
from app.engine.shuffle import ALGORITHM, Code, new_code
from app.errors import AppError, MalformedError, NotYourGameError
from app.games import outcome
from app.games.callbacks import (
    CheckEvent,
    IsPrivate,
    OnCreated,
    OnRefused,
    OnStatusChanged,
    PublishVersion,
    accept_event,
    always_private,
    ignore_refusal,
    never_private,
    publish_nothing,
)
from app.games.concurrency import answer_unjudged, check_idempotency_key
from app.games.event_log import EventLog
from app.games.model import (
    Game,
    GameAction,
    Kind,
    deck_of,
    get_ruleset,
    parse_game_action,
    read_code,
)
from app.games.outcome import Outcome, Result
from app.games.repository import GameRow

_NOT_A_PLAYER: Final = "Only players at this table can play."
_RANKED_PRIVATE: Final = "This game is private until everyone else has finished the same deal."
_WATCHING_OFF: Final = "The players have turned off watching for this game."


class ActionRequest(NamedTuple):
    """An action that a player asks for, who saw the game at ``version``."""

    game_id: str
    player_id: str
    version: int
    action: GameAction
    text: str
    """The action as it was sent, which is how it goes into the event log."""
    key: str | None


class SharedTables(Protocol):
    """Judges actions in shared games, and knows who plays them."""

    async def act(self, log: EventLog, request: ActionRequest, /) -> Outcome:
        """As ``GameService.act``, by the rules of shared tables."""
        ...

    async def is_seated(self, game_id: str, player_id: str, /) -> bool:
        """Whether a player may play at a shared table."""
        ...

    async def last(self, game: Game, viewer_id: str | None, /) -> tuple[str, str]:
        """The name of the player who acted last (empty if that is the viewer), and the action."""
        ...


class NoSharedTables:
    """For a site without shared tables."""

    async def act(self, _log: EventLog, _request: ActionRequest) -> Outcome:
        raise NotYourGameError("There are no shared tables on this site.")

    async def is_seated(self, _game_id: str, _player_id: str) -> bool:
        return False

    async def last(self, _game: Game, _viewer_id: str | None) -> tuple[str, str]:
        return "", ""


class GameService(EventLog):
    """The event log, and the rules of who may see a game and what may be appended to it."""

    def __init__(
        self,
        database: Database,
        publish: PublishVersion = publish_nothing,
        clock: Callable[[], int] = now_ms,
        on_status_changed: Sequence[OnStatusChanged] = (),
        *,
        is_ranked_private: IsPrivate = always_private,
        is_open_private: IsPrivate = never_private,
        check_event: CheckEvent = accept_event,
        on_refused: OnRefused = ignore_refusal,
        shared_tables: SharedTables | None = None,
    ) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        super().__init__(database, publish, clock, on_status_changed)
        self.shared_tables: SharedTables = shared_tables or NoSharedTables()
        self._is_ranked_private = is_ranked_private
        self._is_open_private = is_open_private
        self._check_event = check_event
        self._on_refused = on_refused

    # --- starting

    async def start(self, player_id: str, ruleset: str, code: str | None) -> Game:
        """Deal a new game to a player; without a code, a random open deal."""
        rules = get_ruleset(ruleset)
        deal = read_code(code) if code is not None else new_code()
        return await self.deal_out(player_id, rules, deal, Kind.OPEN)

    async def deal_out(
        self,
        player_id: str,
        rules: Ruleset,
        deal: Code | bytes,
        kind: Kind,
        on_created: OnCreated | None = None,
    ) -> Game:
        """Start a game with an open code, the secret seed of a sealed deal, or a packed deck.

        ``on_created`` runs in the transaction that stores the game; if it raises, there is no game.
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
        await self.add(row, game, on_created)
        return game

    # --- who may see and play

    async def load_visible(self, game_id: str, viewer_id: str | None) -> Game:
        """As ``load``, for a viewer who may see the game; raises ``NotYourGameError`` too.

        Anyone may watch an open game unless its players turned that off. A ranked game is private until its deal is
        closed, because others may be about to play the same cards.
        """
        game = await self.load(game_id)
        if game.owner_id == viewer_id:
            return game
        is_private = self._is_ranked_private if game.kind.is_ranked else self._is_open_private
        hidden = await self._database.read(lambda connection: is_private(connection, game_id))
        if hidden and not await self.may_play(game, viewer_id):
            raise NotYourGameError(_RANKED_PRIVATE if game.kind.is_ranked else _WATCHING_OFF)
        return game

    async def may_play(self, game: Game, player_id: str | None) -> bool:
        """Whether a player plays this game; needs a query only for shared games."""
        if player_id is None or game.kind is not Kind.SHARED:
            return game.owner_id == player_id
        return await self.shared_tables.is_seated(game.id, player_id)

    # --- playing

    async def act(
        self,
        game_id: str,
        player_id: str,
        version: int,
        action: Action | str,
        key: str | None = None,
    ) -> Outcome:
        """Judge, store and publish one action of a player who saw the game at ``version``.

        ``action`` is an action, or the text of one (``t3-f1``, ``deal`` or one of ``WORDS``) as a program sends it.
        An idempotency ``key`` used before on this game answers with its outcome of then. Raises
        ``GameNotFoundError``, ``NotYourGameError`` and, for unreadable input, ``MalformedError``.
        """
        check_idempotency_key(key)
        game = self._cache.get(game_id) or await self.load(game_id)
        if game.version != version or game.owner_id != player_id or (key and key in game.keys):
            game = await self.load(game_id)
        if game.kind is not Kind.SHARED and game.owner_id != player_id:
            raise NotYourGameError(_NOT_A_PLAYER)
        parsed = _parse(game, action)
        request = ActionRequest(game_id, player_id, version, parsed, str(action), key)
        result = await self._judge(game, request)
        if result.result not in {Result.ACCEPTED, Result.ASKED}:
            self._on_refused(player_id, version, request.text, result)
        return result

    async def _judge(self, game: Game, request: ActionRequest) -> Outcome:
        if game.kind is Kind.SHARED:
            return await self.shared_tables.act(self, request)
        known = await answer_unjudged(self, game, request.version, request.key)
        if known:
            return known
        event = self.new_event(game, request.player_id, request.text, request.key)
        try:
            after = game.after(event, request.action)
        except ValueError as error:
            return outcome.unplayable(game, error)
        is_stored = await self.append(
            game, [event], after, lambda connection: self._check_event(connection, game, event)
        )
        if is_stored:
            return outcome.accepted(game, after)
        # Another action was stored in the meantime, or the game became a shared one.
        game = await self.load(game.id)
        if game.kind is Kind.SHARED:
            return await self.shared_tables.act(self, request)
        known = await answer_unjudged(self, game, request.version, request.key)
        return known or outcome.stale(game)


def _parse(game: Game, action: Action | str) -> GameAction:
    if not isinstance(action, str):
        return action
    try:
        return parse_game_action(game.rules.layout, action)
    except ValueError as error:
        raise MalformedError(str(error)) from error


@dataclass(frozen=True, slots=True)
class MayWatch:
    """Whether a game may still be watched; the same for everyone who does not play it."""

    games: GameService
    game_id: str

    async def __call__(self) -> bool:
        try:
            await self.games.load_visible(self.game_id, None)
        except AppError:
            return False
        return True
