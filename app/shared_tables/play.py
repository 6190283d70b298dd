"""Acting at a shared table: what the play service asks when a game is shared."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.db.engine import Database
from app.errors import NotYourGameError
from app.games import outcome
from app.games.event_log import EventLog
from app.games.model import Game, GameEvent
from app.games.outcome import Outcome
from app.games.replay import replay_to_end
from app.games.repository import read_log
from app.games.service import ActionRequest
from app.shared_tables import repository as seats
from app.shared_tables.proposals import ProposalService
from app.shared_tables.reconcile import Overtaken, judge, own_undo, steps_of
from app.shared_tables.repository import State
from app.shared_tables.service import SharedTableService

_TRIES: Final = 20
"""Each try that fails means that somebody else's move was stored: nobody is kept waiting for nothing."""


class SharedPlay:
    """Judges what seated players do, each at the version that they saw."""

    def __init__(
        self, database: Database, company: SharedTableService, asking: ProposalService
    ) -> None:
        """``company`` knows who is there; ``asking`` puts to the others what is not one's own to do."""
        self._database = database
        self._company = company
        self._asking = asking

    async def is_seated(self, game_id: str, player_id: str) -> bool:
        """Whether somebody may play at a shared table."""
        known = await self._database.read(
            partial(seats.state_of, game_id=game_id, player_id=player_id)
        )
        return known is not None and known[0] is State.SEATED

    async def last(self, game: Game, viewer_id: str | None) -> tuple[str, str]:
        """Who did what led to ``table``: a name, empty for the viewer themselves, and the action."""

        def find(connection: Connection) -> tuple[str, str]:
            log = read_log(connection, game.id, game.version - 1)
            if not log or (viewer_id and log[0].actor_id in seats.ids_of(connection, viewer_id)):
                return "", ""
            return seats.name_of(connection, log[0].actor_id), log[0].action

        return await self._database.read(find)

    async def act(self, log: EventLog, request: ActionRequest) -> Outcome:
        """As ``GameService.act``, but an older version may still count. Raises ``NotYourGameError``."""
        if not await self.is_seated(request.game_id, request.player_id):
            raise NotYourGameError("You have no seat at this table.")
        self._company.beat(request.game_id, request.player_id)
        for _ in range(_TRIES):
            game = await log.load(request.game_id)
            fate = await self._try(log, request, game)
            if fate:
                return fate
        return outcome.stale(await log.load(request.game_id))

    async def _try(self, log: EventLog, request: ActionRequest, game: Game) -> Outcome | None:
        """The fate of a turn on the table as it is; ``None`` when somebody was faster once more."""
        settled = await log.check_version(game, game.version, request.key)
        if settled:
            return settled
        if request.version > game.version:
            return outcome.stale(game)
        if isinstance(request.action, str):
            return await self._apply_word(log, request, game)
        seen = game
        if request.version < game.version:
            seen = await log.load_at(request.game_id, request.version)
            since = await self._since(game, request.version)
            ruling = judge(seen, since, request.action)
            if isinstance(ruling, Overtaken):
                return await self._overtaken(game, request, ruling.actor_id)
        entry = log.new_event(game, request.player_id, request.text, request.key)
        return await self._append(log, seen, game, [entry])

    async def _apply_word(
        self, log: EventLog, request: ActionRequest, game: Game
    ) -> Outcome | None:
        since = await self._since(game, request.version)
        mine = await self._database.read(partial(seats.ids_of, player_id=request.player_id))
        if any(entry.actor_id in mine for entry in since):
            return outcome.stale(game)  # the player has acted since, in another tab
        seen = await log.load_at(request.game_id, request.version) if since else game
        if request.action == "undo":
            opening = await log.load_at(request.game_id, 0)
            laid = own_undo(game.rules, steps_of(opening, await self._since(game, 0)), mine)
            if laid:
                first = log.new_event(game, request.player_id, request.text, request.key)
                entries = [
                    replace(
                        first,
                        action=one.action,
                        actor_id=one.actor_id or request.player_id,
                        key=None,
                    )
                    for one in laid
                ]
                entries[-1] = replace(entries[-1], key=request.key)
                return await self._append(log, seen, game, entries)
        if since:
            return outcome.stale(game)
        entry = log.new_event(game, request.player_id, request.text, request.key)
        if await self._asking.others(request.game_id, request.player_id):
            try:
                game.after(entry)  # nobody is asked for what cannot be done
            except ValueError as error:
                return outcome.unplayable(game, error)
            return outcome.asked(
                game,
                await self._asking.ask(
                    request.game_id, request.player_id, game.version, request.text
                ),
            )
        return await self._append(log, seen, game, [entry])

    async def _append(
        self, log: EventLog, seen: Game, game: Game, entries: list[GameEvent]
    ) -> Outcome | None:
        try:
            after = replay_to_end(game, entries)
        except ValueError as error:
            return outcome.unplayable(game, error)
        actor_id = entries[0].actor_id

        def sits(connection: Connection) -> None:
            known = seats.state_of(connection, game.id, actor_id)
            if known is None or known[0] is not State.SEATED:
                raise NotYourGameError("Your seat was taken back.")
            if not known[1]:
                seats.note_move(connection, game.id, actor_id)

        if not await log.append(game, entries, after, sits):
            return None
        return outcome.accepted(seen, after)

    async def _since(self, game: Game, version: int) -> list[GameEvent]:
        log = await self._database.read(partial(read_log, game_id=game.id, after=version))
        return list(log[: game.version - version])

    async def _overtaken(self, game: Game, request: ActionRequest, actor_id: str) -> Outcome:
        def name(connection: Connection) -> str:
            if actor_id in seats.ids_of(connection, request.player_id):
                return ""
            return seats.name_of(connection, actor_id)

        who = await self._database.read(name)
        return outcome.stale(game, f"{who} moved it first.") if who else outcome.stale(game)
