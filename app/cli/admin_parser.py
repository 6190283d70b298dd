"""The commands for those who look after a site, as they are typed. What they do is in app.cli.admin."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final

Command = Callable[[argparse.Namespace], int]

_DATABASE: Final = "sqlite:///path or postgresql://..."
FILTERS: Final = {
    "player": "name or id",
    "ruleset": "id or name",
    "status": "playing, won, lost or resigned",
    "kind": "open, daily, shared or race",
    "code": "of an open deal",
    "from": "first day, such as 2026-11-21 (UTC)",
    "to": "last day",
    "shortest": "at least so many actions",
    "longest": "at most so many actions",
    "flag": "any, quick, even, time, twin, device or seen",
}
"""The words of a filter on the command line, as app.admin.game_log.filters reads them."""

_ROLES: Final = ("moderator", "administrator")


def add_commands(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], run: Command
) -> None:
    """Add them all; ``run`` is handed what was asked for, with the name of the work in ``work``."""
    admin = commands.add_parser("admin", help="say who looks after the site")
    works = admin.add_subparsers(required=True, metavar="WORK")
    create = works.add_parser(
        "create", help="make an account with a role; the password is asked for, or read from a pipe"
    )
    grant = works.add_parser("grant", help="give a role to somebody with an account")
    revoke = works.add_parser("revoke", help="take somebody's role away")
    listing = works.add_parser("list", help="everybody with a role")
    for parser in (create, grant, revoke):
        parser.add_argument("name", metavar="NAME")
    for parser in (create, grant):
        parser.add_argument(
            "--role", choices=_ROLES, default="administrator", help="(administrator)"
        )
    for parser, work in (
        (create, "create"),
        (grant, "grant"),
        (revoke, "revoke"),
        (listing, "list"),
    ):
        parser.add_argument("--database-url", help=_DATABASE)
        parser.set_defaults(command=run, work=work)

    export = commands.add_parser("export", help="write down games and their logs")
    export.add_argument("--format", choices=("jsonl", "csv"), default="jsonl", help="(jsonl)")
    export.add_argument("--output", metavar="FILE", help="(standard output)")
    export.add_argument("--game", metavar="ID", help="one game only")
    for word, text in FILTERS.items():
        export.add_argument(f"--{word}", dest=f"filter_{word}", metavar="X", help=text)
    export.set_defaults(command=run, work="export")

    verify = commands.add_parser(
        "verify", help="play stored games again and report what differs from what is stored"
    )
    which = verify.add_mutually_exclusive_group(required=True)
    which.add_argument("games", metavar="GAME", nargs="*", default=[])
    which.add_argument("--all", action="store_true", help="every game")
    verify.set_defaults(command=run, work="verify")

    backup = commands.add_parser(
        "backup", help="write everything in the database into a file, while the site goes on"
    )
    backup.add_argument("file", metavar="FILE", help="a new file; keep it as safe as the database")
    backup.set_defaults(command=run, work="backup")
    restore = commands.add_parser(
        "restore", help="put a backup back into the database, all of it or nothing, then verify it"
    )
    restore.add_argument("file", metavar="FILE")
    restore.add_argument(
        "--replace", action="store_true", help="drop everything that is in the database now"
    )
    restore.add_argument(
        "--unverified", action="store_true", help="do not play every game again afterwards"
    )
    restore.set_defaults(command=run, work="restore")
    for parser in (export, verify, backup, restore):
        parser.add_argument("--database-url", help=_DATABASE)
