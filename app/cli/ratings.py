"""``fairdeal ratings``: compute all ratings again from the results, and compare or store them."""

from __future__ import annotations

import argparse

from app.cli.database import add_database_option, run_with_current_schema, settings_of
from app.db.engine import Database
from app.ratings.service import Differences, RatingService

_MOST_SHOWN = 20


def add_ratings(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    rebuild = actions.add_parser(
        "rebuild", help="compute all ratings again and verify that the stored ones are equal"
    )
    rebuild.add_argument(
        "--write", action="store_true", help="store the computed ratings where they differ"
    )
    add_database_option(rebuild)
    rebuild.set_defaults(run=_rebuild)


def _rebuild(args: argparse.Namespace) -> int:
    async def work(database: Database) -> Differences:
        ratings = RatingService(database)
        if args.write:
            await ratings.rebuild()
        return await ratings.compare()

    found = run_with_current_schema(settings_of(args), work)
    for key in found.changed_keys[:_MOST_SHOWN]:
        print(f"{key}: its results have changed since it was counted")
    for name in found.wrong[:_MOST_SHOWN]:
        print(f"{name}: the stored rating differs")
    count = len(found.changed_keys) + len(found.wrong)
    outcome = f"{count} differences" if count else "all equal"
    print(f"{found.ratings} ratings from {found.events} events: {outcome}")
    return 1 if found else 0
