"""Playing at a shared table: judges each action at the version its player saw, and rebases it where possible."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sqlalchemy import Connection

from app.db.engine import Database
from app.engine.actions import DEAL
from app.errors import MalformedError, NotYourGameError
from app.games import outcome
from app.games.concurrency import (
    MAX_TRIES,
    answer_repeated,
    answer_unjudged,
    refuse_when_full,
)
from app.games.event_log import EventLog
from app.games.game_actions import RESIGN
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.outcome import ActionOutcome
from app.games.quotas import QuotaReachedError, Quotas
from app.games.service import NOT_SEATED, ActionRequest
from app.shared_tables import repository
from app.shared_tables.conflicts import (
    Conflict,
    find_conflict,
    redoes_own_move,
    steps_in_effect,
    undo_own_move,
)
from app.shared_tables.model import OWNER_HAS_NO_ROOM, OwnerQuotaReachedError, SeatState
from app.shared_tables.proposals import ProposalService
from app.shared_tables.service import SharedTableService
from app.text import gettext


class SharedPlay:
    """The game service hands it every action at a shared table."""

    def __init__(
        self,
        database: Database,
        tables: SharedTableService,
        proposals: ProposalService,
        quotas: Quotas,
    ) -> None:
        """``proposals`` asks the others for actions that need their consent."""
        self._database = database
        self._tables = tables
        self._proposals = proposals
        self._quotas = quotas

    async def is_seated(self, game_id: str, player_id: str) -> bool:
        """Whether a player may play at a shared table."""
        return await self._database.read(
            partial(repository.is_seated, game_id=game_id, player_id=player_id)
        )

    async def last(self, game: Game, viewer_id: str | None) -> tuple[str, str]:
        """The last action, and the name of its player; both empty for the viewer's own."""
        if game.moment is None:
            return "", ""
        event = game.moment.event

        def find(connection: Connection) -> tuple[str, str]:
            if viewer_id and event.actor_id in repository.ids_of(connection, viewer_id):
                return "", ""
            return repository.name_of(connection, event.actor_id), event.action

        return await self._database.read(find)

    async def list_names(self, game_id: str) -> Sequence[str]:
        """The names of those who share in the result: everyone who moved, wherever they are now."""
        return [seat.name for seat in (await self._tables.load(game_id)).seats if seat.moved]

    async def act(self, log: EventLog, request: ActionRequest) -> ActionOutcome:
        """As ``GameService.act``, but an older version may still do.

        Raises ``NotYourGameError``, and ``QuotaReachedError`` when the owner of the table can keep no more actions.
        """
        if request.version < 0:
            raise MalformedError(gettext("A game has no version below 0."))
        if not await self.is_seated(request.game_id, request.player_id):
            raise NotYourGameError(NOT_SEATED)
        self._tables.heartbeat(request.game_id, request.player_id)
        for attempt in range(MAX_TRIES):
            game = await log.load(request.game_id)
            if attempt or request.version < game.version or isinstance(request.action, str):
                # A move on an older version could still be played, and a word could be put to a vote.
                repeated = await answer_repeated(log, game, request.key)
                if repeated:
                    return repeated
            result = await self._try(log, request, game)
            if result:
                return result
        return outcome.stale(await log.load(request.game_id))

    async def _try(self, log: EventLog, request: ActionRequest, game: Game) -> ActionOutcome | None:
        """The outcome of a request on the game as it is; ``None`` when another player was faster again."""
        settled = answer_unjudged(game, game.version) or refuse_when_full(game, request.action)
        if settled:
            return settled
        if request.version > game.version:
            return outcome.stale(game)
        if isinstance(request.action, str):
            return await self._apply_word(log, request, game)
        seen = game.at(request.version)
        conflict = find_conflict(seen, game, request.action)
        if conflict:
            return await self._stale(game, request, conflict)
        event = log.new_event(
            game, request.player_id, request.text, request.key, is_automatic=request.is_automatic
        )
        return await self._append(log, seen, game, [event])

    async def _apply_word(
        self, log: EventLog, request: ActionRequest, game: Game
    ) -> ActionOutcome | None:
        """As ``_try``, for undo and the other words of the log: the others may have to agree."""
        since = game.moments(request.version)
        own_ids = await self._database.read(partial(repository.ids_of, player_id=request.player_id))
        if any(moment.event.actor_id in own_ids for moment in since):
            return outcome.stale(game)  # the player has moved since, in another tab
        seen = game.at(request.version)
        event = log.new_event(game, request.player_id, request.text, request.key)
        if request.action == "undo":
            undo = undo_own_move(game.rules, steps_in_effect(game), own_ids)
            if undo:
                events = [
                    event._replace(
                        action=new.action,
                        actor_id=new.actor_id or request.player_id,
                        key=None,
                        is_automatic=new.is_automatic,
                    )
                    for new in undo
                ]
                events[-1] = events[-1]._replace(key=request.key)
                return await self._append(log, seen, game, events)
        if since:
            return outcome.stale(game)
        if request.action == "redo" and redoes_own_move(game, own_ids):
            return await self._append(log, seen, game, [event])
        if await self._proposals.others(request.game_id, request.player_id):
            try:
                game.after(event)  # don't ask for an action that is impossible
            except ValueError as error:
                return outcome.unplayable(game, error)
            await self._check_quota(game, event)
            sentence = await self._proposals.propose(
                request.game_id, request.player_id, game.version, request.text
            )
            return outcome.asked(game, sentence)
        return await self._append(log, seen, game, [event])

    async def _append(
        self, log: EventLog, seen: Game, game: Game, events: list[GameEvent]
    ) -> ActionOutcome | None:
        after = game
        try:
            for event in events:
                if after.is_full and event.action != RESIGN:
                    return outcome.full(game)
                after = after.after(event)
        except ValueError as error:
            return outcome.unplayable(game, error)
        await self._check_quota(game, *events)
        actor_id = events[0].actor_id

        def check_seat(connection: Connection) -> None:
            seat = repository.find_seat(connection, game.id, actor_id)
            if seat is None or seat.state is not SeatState.SEATED:
                raise NotYourGameError(gettext("You no longer have a seat at this table."))
            if not seat.moved:
                repository.set_moved(connection, game.id, actor_id)

        if not await log.append(game, events, after, check_seat):
            return None
        return outcome.accepted(seen, after)

    async def _check_quota(self, game: Game, *events: GameEvent) -> None:
        """Raise ``QuotaReachedError`` if the table's owner can't keep these events."""
        if events[0].action == RESIGN:
            return
        try:
            await self._quotas.check_action(game, game.owner_id, len(events))
        except QuotaReachedError as error:
            if events[0].actor_id == game.owner_id:
                raise
            raise OwnerQuotaReachedError(OWNER_HAS_NO_ROOM) from error

    async def _stale(self, game: Game, request: ActionRequest, conflict: Conflict) -> ActionOutcome:
        def find_name(connection: Connection) -> str:
            if conflict.actor_id in repository.ids_of(connection, request.player_id):
                return ""
            return repository.name_of(connection, conflict.actor_id)

        name = await self._database.read(find_name)
        if not name:
            return outcome.stale(game)
        if conflict.action == str(DEAL):
            return outcome.stale(game, gettext("%(name)s dealt first.", name=name))
        return outcome.stale(game, gettext("%(name)s moved it first.", name=name))
