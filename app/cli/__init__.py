"""The command ``fairdeal``: serve the site, bring its database up to date, deal and play without it.

Commands that need a server or a database import them when they run: the others start twice as fast.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from app.cli import admin_parser as admin_command_line
from app.cli import deals_parser as pool_command_line
from app.cli import races_parser as race_command_line
from app.cli.console import Console, deck_of, rules_of, shown_deal
from app.errors import AppError
from app.settings import Settings, SettingsError, load_settings, variable_of
from app.solver.progress_bar import ProgressBar
from app.solver.solve import Budget, solve

_FAILED = 1
_BAD_INPUT = 2
_INTERRUPTED = 130

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; answers the exit code: 0, 1 for a failure, 2 for bad input."""
    asked = _parser().parse_args(arguments)
    command: Command = asked.command
    try:
        return command(asked)
    except (SettingsError, AppError) as error:
        return _complain(str(error), _BAD_INPUT)
    except BrokenPipeError:
        # Whoever read our answers has gone; what is left in the buffer must not raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fairdeal", description="Patience games on a server of your own."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="bring the database up to date, then serve the site")
    serve.add_argument("--host", help="address to listen on (127.0.0.1)")
    serve.add_argument("--port", type=int, help="port to listen on (8000)")
    serve.add_argument(
        "--workers", type=int, help="server processes (1); more than one needs Postgres"
    )
    serve.set_defaults(command=_serve)

    migrate = commands.add_parser("migrate", help="bring the database up to date")
    migrate.set_defaults(command=_migrate)

    daily = commands.add_parser("daily", help="close a day of the daily deal, or make coming ones")
    jobs = daily.add_subparsers(required=True, metavar="JOB")
    close = jobs.add_parser("close", help="replay every run of a day, then publish it")
    close.add_argument("day", metavar="DATE", help="such as 2026-11-21")
    close.set_defaults(command=_daily_close)
    prepare = jobs.add_parser("prepare", help="make and promise the deals of the coming days")
    prepare.set_defaults(command=_daily_prepare)
    for command in (serve, migrate, close, prepare):
        command.add_argument("--database-url", help="sqlite:///path or postgresql://...")

    deal = commands.add_parser("deal", help="show a deal, face-down cards included, as JSON")
    deal.add_argument("ruleset", metavar="RULESET")
    deal.add_argument("code", metavar="CODE")
    deal.set_defaults(command=_deal)

    play = commands.add_parser(
        "play", help="judge moves from standard input, one a line, each answered as JSON"
    )
    play.add_argument("ruleset", metavar="RULESET")
    play.add_argument(
        "--deck", required=True, metavar="FILE", help="JSON list of cards in dealing order"
    )
    play.set_defaults(command=_play)

    solve = commands.add_parser(
        "solve", help="find out whether a deal can be won, every card known; answers in JSON"
    )
    solve.add_argument("ruleset", metavar="RULESET")
    solve.add_argument("code", metavar="CODE")
    limit = solve.add_mutually_exclusive_group()
    limit.add_argument("--seconds", type=_positive(float), help="time to spend (10)")
    limit.add_argument(
        "--positions",
        type=_positive(int),
        help="positions to look at: the answer is then the same on every machine",
    )
    solve.set_defaults(command=_solve)

    pool_command_line.add_commands(commands, _pool)
    race_command_line.add_commands(commands, _race)
    admin_command_line.add_commands(commands, _look_after)
    return parser


def _serve(asked: argparse.Namespace) -> int:
    from app.cli import serve as operations

    settings = _settings(asked, "host", "port", "workers", "database_url")
    try:
        operations.bring_up_to_date(settings)
        operations.ensure_free(settings.host, settings.port)
    except operations.OperationError as error:
        return _complain(str(error), _FAILED)
    print(f"Fair Deal: http://{settings.host}:{settings.port} (Ctrl+C stops it)", flush=True)
    operations.serve(settings)
    return 0


def _migrate(asked: argparse.Namespace) -> int:
    from app.cli import serve as operations

    try:
        operations.bring_up_to_date(_settings(asked, "database_url"))
    except operations.OperationError as error:
        return _complain(str(error), _FAILED)
    print("The database is up to date.")
    return 0


def _on_the_database(command: Command) -> Command:
    """Tell in a sentence what is wrong with the database as a whole."""

    def run(asked: argparse.Namespace) -> int:
        from sqlalchemy.exc import DBAPIError  # noqa: PLC0415 - see above

        try:
            return command(asked)
        except BrokenPipeError:
            raise
        except (DBAPIError, OSError) as error:
            reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
            return _complain(f"The database cannot be used: {reason}", _FAILED)

    return run


@_on_the_database
def _look_after(asked: argparse.Namespace) -> int:
    from app.cli import admin as commands

    return commands.run(asked, _settings(asked, "database_url"), sys.stdout.write)


@_on_the_database
def _pool(asked: argparse.Namespace) -> int:
    from app.cli import deals as commands

    return commands.run(asked, _settings(asked, "database_url"), sys.stdout, sys.stderr)


@_on_the_database
def _race(asked: argparse.Namespace) -> int:
    from app.cli import races as commands

    print(commands.void(_settings(asked, "database_url"), asked.code, asked.reason))
    return 0


@_on_the_database
def _daily_close(asked: argparse.Namespace) -> int:
    from app.cli import daily as commands

    print(commands.close(_settings(asked, "database_url"), asked.day))
    return 0


@_on_the_database
def _daily_prepare(asked: argparse.Namespace) -> int:
    from app.cli import daily as commands

    print(commands.prepare(_settings(asked, "database_url")))
    return 0


def _deal(asked: argparse.Namespace) -> int:
    print(json.dumps(shown_deal(rules_of(asked.ruleset), asked.code)))
    return 0


def _play(asked: argparse.Namespace) -> int:
    rules = rules_of(asked.ruleset)
    try:
        deck = Path(asked.deck).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return _complain(f"The deck cannot be read: {error}.", _BAD_INPUT)
    console = Console(rules, deck)
    # A line that is not UTF-8 is a bad line, not the end of the game.
    for line in sys.stdin.buffer:
        print(json.dumps(console.answer(line.decode(errors="replace"))), flush=True)
    return 0


def _solve(asked: argparse.Namespace) -> int:
    rules = rules_of(asked.ruleset)
    deck = deck_of(rules, asked.code)
    budget = Budget(seconds=10)
    if asked.positions:
        budget = Budget(positions=asked.positions)
    elif asked.seconds:
        budget = Budget(seconds=asked.seconds)
    bar = ProgressBar(sys.stderr, budget)
    verdict = solve(rules, deck, budget, progress=bar)
    bar.close()
    answer = {
        "outcome": verdict.outcome.value,
        "actions": [str(action) for action in verdict.actions],
        "positions": verdict.positions,
        "seconds": round(verdict.seconds, 3),
    }
    print(json.dumps(answer))
    return 0


def _positive(kind: type[int | float]) -> Callable[[str], float]:
    def read(text: str) -> float:
        number = kind(text)
        if number > 0:
            return number
        raise ValueError

    read.__name__ = "positive number"  # what argparse says was expected
    return read


def _settings(asked: argparse.Namespace, *flags: str) -> Settings:
    """The settings of the environment, and above them the flags, which worker processes must see too."""
    for flag in flags:
        value = getattr(asked, flag)
        if value is not None:
            os.environ[variable_of(flag)] = str(value)
    return load_settings()


def _complain(sentence: str, code: int) -> int:
    print(f"fairdeal: {sentence}", file=sys.stderr)
    return code
