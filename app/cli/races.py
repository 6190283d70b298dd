"""``fairdeal race``: void a race."""

from __future__ import annotations

import argparse

from app.cli.database import add_database_option, run_with_current_schema, settings_of
from app.clock import now_ms
from app.db.engine import Database
from app.deals.service import SealedDeal
from app.engine.ruleset import Ruleset
from app.errors import UnavailableError
from app.games.service import GameService
from app.pubsub.service import PubSub, VersionPublisher
from app.races import repository, results
from app.races.room import ROOM_TOPIC
from app.races.service import RaceService


def add_race(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    void = actions.add_parser("void", help="void a race, with a reason for its players")
    void.add_argument("code", metavar="CODE", help="the race code, such as 7KQ4M2")
    void.add_argument("reason", metavar="REASON", help="a sentence that the players will see")
    add_database_option(void)
    void.set_defaults(run=_void)


def _void(args: argparse.Namespace) -> int:
    async def void(database: Database) -> str:
        games = GameService(
            database,
            on_status_changed=[results.record_result],
            check_race_event=results.refuse_late_action,
        )
        publisher = VersionPublisher(
            PubSub(database), database, ROOM_TOPIC, repository.list_versions
        )
        races = RaceService(database, games, _draw_nothing, now_ms, publisher.publish)
        room = await races.void(args.code, args.reason)
        return room.code

    code = run_with_current_schema(settings_of(args), void)
    print(f"Race {code} is void: {args.reason}")
    return 0


async def _draw_nothing(_rules: Ruleset, _player_id: str) -> SealedDeal:
    raise UnavailableError("This command draws no deals.")
