"""Starting and playing games: every action is judged, stored and published here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, Protocol

from app.clock import Clock, now_ms
from app.db.engine import Database
from app.db.ids import new_id
from app.engine.actions import Action
from app.engine.history import History
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code
from app.errors import AppError, MalformedError, NotYourGameError
from app.games import outcome
from app.games.callbacks import (
    CheckRaceEvent,
    IsPrivate,
    ListGames,
    OnCreated,
    OnRefused,
    OnStatusChanged,
    PublishVersion,
    accept_event,
    all_watched,
    always_private,
    ignore_refusal,
    publish_nothing,
)
from app.games.concurrency import (
    answer_repeated,
    answer_unjudged,
    check_idempotency_key,
    refuse_when_full,
)
from app.games.event_log import EventLog
from app.games.game_actions import (
    MAX_ACTIONS,
    MAX_OLD_ACTIONS,
    RESIGN,
    GameAction,
    parse_game_action,
)
from app.games.game_row import GameRow
from app.games.lookup import deck_of, get_ruleset, random_code, read_code
from app.games.model import Game, Kind
from app.games.moments import GameEvent
from app.games.outcome import ActionOutcome, ActionResult
from app.games.quotas import Quotas
from app.games.replay import replay
from app.games.visibility import Part, Visibility
from app.identity.repository import find_player_name
from app.text import gettext, sentence_of

_NOT_A_PLAYER: Final = gettext("You can't move here: you aren't one of the players.")
NOT_SEATED: Final = gettext("You have no seat at this table.")


class ActionRequest(NamedTuple):
    """An action that a player who saw the game at ``version`` asks for."""

    game_id: str
    player_id: str
    version: int
    action: GameAction
    text: str
    """The action as it was sent, which is how it goes into the event log."""
    key: str | None
    meanwhile: Callable[[ActionOutcome], None] | None = None
    """See ``GameService.act``."""
    is_automatic: bool = False


class SharedTables(Protocol):
    """Judges actions in shared games, and knows who plays them."""

    async def act(self, log: EventLog, request: ActionRequest, /) -> ActionOutcome:
        """As ``GameService.act``, by the rules of shared tables."""
        ...

    async def is_seated(self, game_id: str, player_id: str, /) -> bool:
        """Whether a player may play at a shared table."""
        ...

    async def last(self, game: Game, viewer_id: str | None, /) -> tuple[str, str]:
        """The name of the player who acted last (empty if that is the viewer), and the action."""
        ...

    async def list_names(self, game_id: str, /) -> Sequence[str]:
        """The names of those who share in the result."""
        ...


class NoSharedTables:
    """For a site without shared tables."""

    async def act(self, _log: EventLog, _request: ActionRequest) -> ActionOutcome:
        raise NotYourGameError(gettext("There are no shared tables on this site."))

    async def is_seated(self, _game_id: str, _player_id: str) -> bool:
        return False

    async def last(self, _game: Game, _viewer_id: str | None) -> tuple[str, str]:
        return "", ""

    async def list_names(self, _game_id: str) -> Sequence[str]:
        return ()


class GameService:
    """Decides who may see a game, and what may be appended to its event log."""

    def __init__(
        self,
        database: Database,
        publish: PublishVersion = publish_nothing,
        clock: Clock = now_ms,
        on_status_changed: Sequence[OnStatusChanged] = (),
        *,
        is_ranked_private: IsPrivate = always_private,
        list_unwatched: ListGames = all_watched,
        check_race_event: CheckRaceEvent = accept_event,
        on_refused: OnRefused = ignore_refusal,
        shared_tables: SharedTables | None = None,
        quotas: Quotas | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self.log = EventLog(database, publish, clock, on_status_changed)
        self.shared_tables: SharedTables = shared_tables or NoSharedTables()
        self.visibility = Visibility(database, is_ranked_private, list_unwatched, self.may_play)
        self.quotas = quotas or Quotas(database)
        self._check_race_event = check_race_event
        self._on_refused = on_refused

    # --- starting

    async def start(self, player_id: str, ruleset: str, code: str | None) -> Game:
        """Deal a new game to a player; without a code, a random open deal."""
        rules = get_ruleset(ruleset)
        deal = read_code(code, rules) if code is not None else random_code(rules)
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

        ``on_created`` runs in the transaction that stores the game; if it raises, there is no game. Raises
        ``QuotaReachedError``.
        """
        await self.quotas.check_new_game(player_id, kind)
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
        row = GameRow.dealt(
            game_id=game.id,
            rules=rules,
            kind=kind,
            code=code,
            seed=seed,
            owner_id=player_id,
            at_ms=at_ms,
            status=game.status,
        )
        await self.log.add(row, game, on_created)
        return game

    # --- who may see and play

    async def load_visible(
        self, game_id: str, viewer_id: str | None, part: Part = Part.CARDS
    ) -> Game:
        """As ``EventLog.load``, for a viewer who may see that part; also raises what ``Access.check`` raises."""
        game = await self.log.load(game_id)
        await self.visibility.check(game, viewer_id, part)
        return game

    async def may_play(self, game: Game, player_id: str | None) -> bool:
        """Whether a player plays this game; needs a query only for shared games."""
        if player_id is None or game.kind is not Kind.SHARED:
            return game.owner_id == player_id
        return await self.shared_tables.is_seated(game.id, player_id)

    async def check_may_play(self, game: Game, player_id: str | None) -> None:
        """Raise ``NotYourGameError`` for all who only watch a game."""
        if player_id is None or not await self.may_play(game, player_id):
            raise NotYourGameError(NOT_SEATED if game.kind is Kind.SHARED else _NOT_A_PLAYER)

    async def list_names(self, game: Game) -> Sequence[str]:
        """The names of those who play a game: several at a shared table."""
        names = await self.shared_tables.list_names(game.id) if game.kind is Kind.SHARED else ()
        if names:
            return names
        return [await self._database.read(partial(find_player_name, player_id=game.owner_id))]

    # --- playing

    async def act(
        self,
        game_id: str,
        player_id: str,
        version: int,
        action: Action | str,
        key: str | None = None,
        *,
        meanwhile: Callable[[ActionOutcome], None] | None = None,
        is_automatic: bool = False,
    ) -> ActionOutcome:
        """Judge, store and publish one action of a player who saw the game at ``version``.

        ``action`` is an action, or the text of one (``t3-f1``, ``deal`` or one of ``WORDS``) as a program sends it.
        An idempotency ``key`` used before on this game answers with the outcome it had. ``meanwhile`` may be
        called with the outcome that there will be if the action can be stored, while the disk works. An action that
        ``is_automatic`` is marked so in the log. Raises ``GameNotFoundError``, ``NotYourGameError`` and, for unreadable
        input, ``MalformedError``.
        """
        check_idempotency_key(key)
        game = self.log.find_cached(game_id) or await self.log.load(game_id)
        # A shared game may be its owner's own again; the cached copy does not know.
        is_kept = game.kind is not Kind.SHARED and game.owner_id == player_id
        if game.version != version or not is_kept:
            game = await self.log.load(game_id)
        if game.kind is not Kind.SHARED and game.owner_id != player_id:
            raise NotYourGameError(_NOT_A_PLAYER)
        parsed = _parse(game, action)
        request = ActionRequest(
            game_id, player_id, version, parsed, str(action), key, meanwhile, is_automatic
        )
        result = await self._judge(game, request)
        if result.result not in {ActionResult.ACCEPTED, ActionResult.ASKED}:
            self._on_refused(player_id, version, request.text, result)
        return result

    async def undo_many(self, game: Game, player_id: str, times: int) -> ActionOutcome:
        """Undo several actions of a player's own game, each an event of its log, all of them or none.

        There must be as many to undo. Raises ``QuotaReachedError``.
        """
        event = self.log.new_event(game, player_id, "undo", None)
        return await self._append_all(game, player_id, [event] * times)

    async def play_automatically(
        self, game: Game, player_id: str, actions: Sequence[Action]
    ) -> ActionOutcome:
        """Play several actions in a player's own game, each an automatic event of its log, all of them or none.

        The rules must allow them, one after another. Raises ``NotYourGameError`` and ``QuotaReachedError``.
        """
        await self.check_may_play(game, player_id)
        event = self.log.new_event(game, player_id, "", None, is_automatic=True)
        events = [event._replace(action=str(action)) for action in actions]
        result = await self._append_all(game, player_id, events)
        if result.result is not ActionResult.ACCEPTED:
            self._on_refused(player_id, game.version, events[0].action, result)
        return result

    async def _append_all(
        self, game: Game, player_id: str, events: Sequence[GameEvent]
    ) -> ActionOutcome:
        """The outcome of events that need not be judged, in one transaction, since each waits for the disk."""
        end = game.version + len(events)
        if game.version <= MAX_ACTIONS < end or end > MAX_OLD_ACTIONS:
            return outcome.full(game)
        await self.quotas.check_action(game, player_id, len(events))
        after = await asyncio.to_thread(replay, game, events)
        # All have one date, so the first stands for them.
        check = partial(self._check_race_event, game=game, event=events[0])
        if await self.log.append(game, events, after, check if game.kind is Kind.RACE else None):
            return outcome.accepted(game, after)
        return outcome.stale(await self.log.load(game.id))

    async def refuse(self, game_id: str, player_id: str, version: int, text: str) -> ActionOutcome:
        """Refuse what has no meaning any more, such as a click on a page of an old version, and note it as ``text``.

        Raises ``GameNotFoundError`` and ``NotYourGameError``.
        """
        game = await self.log.load(game_id)
        await self.check_may_play(game, player_id)
        result = answer_unjudged(game, version) or outcome.stale(game)
        self._on_refused(player_id, version, text, result)
        return result

    async def _judge(self, game: Game, request: ActionRequest) -> ActionOutcome:
        """The outcome of an action. A repeated action gets its first answer, even if it would be refused now."""
        try:
            result = await self._try(game, request)
        except NotYourGameError:
            raise  # an idempotency key grants no access
        except AppError:
            repeated = await answer_repeated(self.log, game, request.key)
            if repeated:
                return repeated
            raise
        if result.result is ActionResult.ACCEPTED:
            return result
        return await answer_repeated(self.log, game, request.key) or result

    async def _try(self, game: Game, request: ActionRequest) -> ActionOutcome:
        if game.kind is Kind.SHARED:
            return await self.shared_tables.act(self.log, request)
        known = answer_unjudged(game, request.version) or refuse_when_full(game, request.action)
        if known:
            return known
        if request.action != RESIGN:
            await self.quotas.check_action(game, request.player_id)
        event = self.log.new_event(
            game, request.player_id, request.text, request.key, is_automatic=request.is_automatic
        )
        try:
            after = game.after(event, request.action)
        except ValueError as error:
            return outcome.unplayable(game, error)
        check = partial(self._check_race_event, game=game, event=event)
        accepted = outcome.accepted(game, after)
        is_stored = await self.log.append(
            game,
            [event],
            after,
            check if game.kind is Kind.RACE else None,
            request.meanwhile and partial(request.meanwhile, accepted),
        )
        if is_stored:
            return accepted
        # Another action was stored in the meantime, or this one was before, or the game became a shared one.
        game = await self.log.load(game.id)
        if game.kind is Kind.SHARED:
            return await self.shared_tables.act(self.log, request)
        return answer_unjudged(game, request.version) or outcome.stale(game)


def _parse(game: Game, action: Action | str) -> GameAction:
    if not isinstance(action, str):
        return action
    try:
        return parse_game_action(game.rules.layout, action)
    except ValueError as error:
        raise MalformedError(sentence_of(error)) from error
