"""``fairdeal admin``: moderators and administrators."""

from __future__ import annotations

import argparse
import getpass
import shlex
import sys
from collections.abc import Awaitable, Callable
from functools import partial

from app.admin.auth.repository import Role
from app.admin.auth.service import StaffService
from app.cli.database import add_database_option, run_with_current_schema, settings_of
from app.clock import now_ms
from app.db.engine import Database
from app.errors import MalformedError
from app.i18n.formats import date_time
from app.identity.accounts import Accounts
from app.identity.build import build_authenticators
from app.identity.passwords import Passwords
from app.identity.sessions import Sessions
from app.logs import command_logging

Action = Callable[[argparse.Namespace, StaffService], Awaitable[None]]


def add_admin(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    create = actions.add_parser(
        "create",
        help="create an account with a role; asks for the password, or reads it from a pipe",
    )
    grant = actions.add_parser("grant", help="give a role to an existing account")
    revoke = actions.add_parser("revoke", help="take an account's role away")
    authenticator = actions.add_parser(
        "authenticator",
        help="make a new secret for the authenticator app of an account with a role, and print it",
    )
    reset = actions.add_parser(
        "reset-second-factor",
        help="remove the passkeys and the authenticator app of a player who is locked out",
    )
    listing = actions.add_parser("list", help="list all accounts with a role")
    for action in (create, grant, revoke, authenticator, reset):
        action.add_argument("name", metavar="NAME")
    for action in (create, grant):
        action.add_argument(
            "--role",
            choices=list(map(str, Role)),
            default=str(Role.ADMINISTRATOR),
            help="(%(default)s)",
        )
    for action, run in (
        (create, _create),
        (grant, _grant),
        (revoke, _revoke),
        (authenticator, _authenticator),
        (reset, _reset),
        (listing, _list),
    ):
        add_database_option(action)
        action.set_defaults(run=partial(_run, run))


def _run(action: Action, args: argparse.Namespace) -> int:
    settings = settings_of(args)

    async def run(database: Database) -> None:
        passwords = Passwords()
        sessions = Sessions(database, settings.session_days, max_days=settings.session_max_days)
        accounts = Accounts(database, sessions, passwords)
        try:
            authenticators = build_authenticators(database, settings, now_ms)
            staff = StaffService(database, sessions, accounts, authenticators, now_ms)
            await action(args, staff)
        finally:
            passwords.close()

    with command_logging(settings.log_level):  # changes of roles belong in the security log
        run_with_current_schema(settings, run)
    return 0


async def _create(args: argparse.Namespace, staff: StaffService) -> None:
    player = await staff.create_account(args.name, _read_password(), Role(args.role))
    print(f"{player.name} can now sign in as {args.role}.")
    _say_next(player.name)


async def _grant(args: argparse.Namespace, staff: StaffService) -> None:
    name = await staff.grant_role(args.name, Role(args.role))
    print(f"{name} is now {args.role}.")
    _say_next(name)


async def _revoke(args: argparse.Namespace, staff: StaffService) -> None:
    print(f"{await staff.revoke_role(args.name)} no longer has a role.")


async def _authenticator(args: argparse.Namespace, staff: StaffService) -> None:
    made = await staff.issue_authenticator(args.name)
    print(
        "Add this to an authenticator app (TOTP). It is shown only once, and replaces any earlier app."
    )
    print(f"Secret: {made.secret}")
    print(f"Link:   {made.link}")


async def _reset(args: argparse.Namespace, staff: StaffService) -> None:
    name = await staff.reset_second_factor(args.name)
    print(f"{name} has no passkey and no authenticator app any more.")
    _say_next(name)


def _say_next(name: str) -> None:
    print(
        "Next: sign in on the site and open /admin. It asks for the password, then shows how to set up a second "
        f"factor; or get a secret for an authenticator app with: fairdeal admin authenticator {shlex.quote(name)}"
    )


async def _list(_args: argparse.Namespace, staff: StaffService) -> None:
    for grant in await staff.list_role_grants():
        print(f"{grant.role:<13}  since {date_time(grant.granted_ms)} UTC  {grant.name}")


def _read_password() -> str:
    """Ask a person for the password without showing it, or read the first line of a pipe."""
    if sys.stdin.isatty():
        password = getpass.getpass("Password: ")
        if getpass.getpass("Repeat the password: ") != password:
            raise MalformedError("The two passwords are not the same.")
        return password
    return sys.stdin.readline().rstrip("\r\n")
