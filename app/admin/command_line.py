"""The commands for those who look after a site, as they are typed. What they do is in app.admin.commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final

Command = Callable[[argparse.Namespace], int]

_DATABASE: Final = "sqlite:///path or postgresql://..."
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
