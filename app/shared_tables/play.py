"""Playing at a shared table: judges each action at the version its player saw, and rebases it where possible."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.db.engine import Database
from app.errors import NotYourGameError
from app.games import outcome
from app.games.concurrency import answer_unjudged
from app.games.event_log import EventLog
from app.games.model import Game, GameEvent
from app.games.outcome import Outcome
from app.games.replay import replay_to_end
from app.games.repository import read_log
from app.games.service import ActionRequest
from app.shared_tables import repository
from app.shared_tables.conflicts import Conflict, find_conflict, steps_in_effect, undo_own_move
from app.shared_tables.model import SeatState
from app.shared_tables.proposals import ProposalService
from app.shared_tables.service import SharedTableService

_MAX_RETRIES: Final = 20  # each failure means that another player's move was stored


class SharedPlay:
    """The game service hands it every action at a shared table."""

    def __init__(
        self, database: Database, tables: SharedTableService, proposals: ProposalService
    ) -> None:
        """``proposals`` asks the others for actions that need their consent."""
        self._database = database
        self._tables = tables
        self._proposals = proposals

    async def is_seated(self, game_id: str, player_id: str) -> bool:
        """Whether a player may play at a shared table."""
        return await self._database.read(
            partial(repository.is_seated, game_id=game_id, player_id=player_id)
        )

    async def last(self, game: Game, viewer_id: str | None) -> tuple[str, str]:
        """The last action, and the name of its player; both empty for the viewer's own."""

        def find(connection: Connection) -> tuple[str, str]:
            events = read_log(connection, game.id, game.version - 1)
            if not events or (
                viewer_id and events[0].actor_id in repository.ids_of(connection, viewer_id)
            ):
                return "", ""
            return repository.name_of(connection, events[0].actor_id), events[0].action

        return await self._database.read(find)

    async def act(self, log: EventLog, request: ActionRequest) -> Outcome:
        """As ``GameService.act``, but an older version may still do. Raises ``NotYourGameError``."""
        if not await self.is_seated(request.game_id, request.player_id):
            raise NotYourGameError("You have no seat at this table.")
        self._tables.heartbeat(request.game_id, request.player_id)
        for _ in range(_MAX_RETRIES):
            game = await log.load(request.game_id)
            result = await self._try(log, request, game)
            if result:
                return result
        return outcome.stale(await log.load(request.game_id))

    async def _try(self, log: EventLog, request: ActionRequest, game: Game) -> Outcome | None:
        """The outcome of a request on the game as it is; ``None`` when another player was faster again."""
        settled = await answer_unjudged(log, game, game.version, request.key)
        if settled:
            return settled
        if request.version > game.version:
            return outcome.stale(game)
        if isinstance(request.action, str):
            return await self._apply_word(log, request, game)
        seen = game
        if request.version < game.version:
            seen = await log.load_at(request.game_id, request.version)
            since = await self._events_after(game, request.version)
            conflict = find_conflict(seen, since, request.action)
            if conflict:
                return await self._stale(game, request, conflict)
        event = log.new_event(game, request.player_id, request.text, request.key)
        return await self._append(log, seen, game, [event])

    async def _apply_word(
        self, log: EventLog, request: ActionRequest, game: Game
    ) -> Outcome | None:
        """As ``_try``, for undo and the other words of the log: the others may have to agree."""
        since = await self._events_after(game, request.version)
        own_ids = await self._database.read(partial(repository.ids_of, player_id=request.player_id))
        if any(event.actor_id in own_ids for event in since):
            return outcome.stale(game)  # the player has moved since, in another tab
        seen = await log.load_at(request.game_id, request.version) if since else game
        event = log.new_event(game, request.player_id, request.text, request.key)
        if request.action == "undo":
            opening = await log.load_at(request.game_id, 0)
            steps = steps_in_effect(opening, await self._events_after(game, 0))
            undo = undo_own_move(game.rules, steps, own_ids)
            if undo:
                events = [
                    replace(
                        event,
                        action=new.action,
                        actor_id=new.actor_id or request.player_id,
                        key=None,
                    )
                    for new in undo
                ]
                events[-1] = replace(events[-1], key=request.key)
                return await self._append(log, seen, game, events)
        if since:
            return outcome.stale(game)
        if await self._proposals.others(request.game_id, request.player_id):
            try:
                game.after(event)  # don't ask for an action that is impossible
            except ValueError as error:
                return outcome.unplayable(game, error)
            sentence = await self._proposals.propose(
                request.game_id, request.player_id, game.version, request.text
            )
            return outcome.asked(game, sentence)
        return await self._append(log, seen, game, [event])

    async def _append(
        self, log: EventLog, seen: Game, game: Game, events: list[GameEvent]
    ) -> Outcome | None:
        try:
            after = replay_to_end(game, events)
        except ValueError as error:
            return outcome.unplayable(game, error)
        actor_id = events[0].actor_id

        def check_seat(connection: Connection) -> None:
            seat = repository.find_seat(connection, game.id, actor_id)
            if seat is None or seat.state is not SeatState.SEATED:
                raise NotYourGameError("You no longer have a seat at this table.")
            if not seat.moved:
                repository.set_moved(connection, game.id, actor_id)

        if not await log.append(game, events, after, check_seat):
            return None
        return outcome.accepted(seen, after)

    async def _events_after(self, game: Game, version: int) -> list[GameEvent]:
        events = await self._database.read(partial(read_log, game_id=game.id, after=version))
        return list(events[: game.version - version])

    async def _stale(self, game: Game, request: ActionRequest, conflict: Conflict) -> Outcome:
        def find_name(connection: Connection) -> str:
            if conflict.actor_id in repository.ids_of(connection, request.player_id):
                return ""
            return repository.name_of(connection, conflict.actor_id)

        name = await self._database.read(find_name)
        return outcome.stale(game, f"{name} moved it first.") if name else outcome.stale(game)
