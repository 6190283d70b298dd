"""``fairdeal export`` and ``fairdeal verify``: games and their event logs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

from app.admin.game_log.export import ExportFormat, export_games
from app.admin.game_log.filters import Flag, GameFilter, parse_filter
from app.admin.game_log.repository import find_game_summary
from app.admin.integrity.verify import print_verification
from app.admin.moderation.repository import search_players
from app.cli import OutputError
from app.cli.database import add_database_option, run_with_current_schema, settings_of
from app.db.engine import Database
from app.errors import GameNotFoundError, MalformedError, PlayerNotFoundError
from app.games.model import Kind, Status


def _choice(kind: type[StrEnum]) -> str:
    *others, last = kind
    return f"{', '.join(others)} or {last}"


_FILTERS: Final = {
    "player": "name or id",
    "ruleset": "id or name",
    "status": _choice(Status),
    "kind": _choice(Kind),
    "code": "of an open deal",
    "from": "first day, such as 2026-11-21 (UTC)",
    "to": "last day",
    "shortest": "minimum number of moves",
    "longest": "maximum number of moves",
    "flag": _choice(Flag),
}
"""The filters of the game list, as ``parse_filter`` reads them."""


def add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("jsonl", "csv"), default="jsonl", help="(jsonl)")
    parser.add_argument("--output", metavar="FILE", help="(standard output)")
    parser.add_argument("--game", metavar="ID", help="export one game only")
    for name, text in _FILTERS.items():
        parser.add_argument(f"--{name}", dest=f"filter_{name}", metavar="X", help=text)
    add_database_option(parser)
    parser.set_defaults(run=_export)


def add_verify(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("games", metavar="GAME", nargs="*", default=[], help="ids of games")
    which.add_argument("--all", action="store_true", help="verify every game")
    add_database_option(parser)
    parser.set_defaults(run=_verify)


def _export(args: argparse.Namespace) -> int:
    async def run(database: Database) -> None:
        words = {name: getattr(args, f"filter_{name}") or "" for name in _FILTERS}
        wanted = parse_filter({**words, "q": args.game or words["player"]})
        if args.game and await database.read(partial(find_game_summary, game_id=args.game)) is None:
            raise GameNotFoundError(f"No game has the id {args.game!r}.")
        if not args.game and wanted.search:
            found = await database.read(partial(search_players, query=wanted.search))
            if not found:
                raise PlayerNotFoundError(f"No player has the name or id {wanted.search!r}.")
        await _write_export(database, wanted, ExportFormat(args.format), args.output)

    run_with_current_schema(settings_of(args), run)
    return 0


@contextmanager
def _output_errors() -> Iterator[None]:
    """A full disk isn't the fault of the database."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(str(error)) from error


def _write_output(text: str) -> None:
    with _output_errors():
        sys.stdout.write(text)


async def _write_export(
    database: Database, wanted: GameFilter, form: ExportFormat, output: str | None
) -> None:
    if output is None:
        async for portion in export_games(database, wanted, form):
            _write_output(portion)
        return
    try:
        # Nothing else runs in this process, so it may wait for the disk.
        file = Path(output).open("w", encoding="utf-8", newline="")  # noqa: ASYNC230, SIM115
    except OSError as error:
        raise MalformedError(f"Can't write the file: {error}.") from error
    try:
        async for portion in export_games(database, wanted, form):
            with _output_errors():
                file.write(portion)
    finally:
        with _output_errors():
            file.close()


def _verify(args: argparse.Namespace) -> int:
    ids = None if args.all else args.games
    return run_with_current_schema(
        settings_of(args), lambda database: print_verification(database, ids, _write_output)
    )
