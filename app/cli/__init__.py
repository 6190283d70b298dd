"""The command line: ``fairdeal COMMAND``.

Only the module of the command that runs is imported, so ``fairdeal deal`` needs no server, database or settings.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pkgutil import resolve_name
from typing import Final, TextIO

from app.errors import AppError
from app.i18n.speaking import say
from app.text import sentence_of

_FAILED: Final = 1
_BAD_INPUT: Final = 2
_INTERRUPTED: Final = 130
_BAR_WIDTH: Final = 30

_COMMANDS: Final = {
    "serve": ("app.cli.serve:add_serve", "bring the database up to date, then serve the site"),
    "migrate": ("app.cli.serve:add_migrate", "bring the database up to date"),
    "daily": ("app.cli.daily:add_daily", "close a day of the daily deal, or prepare coming days"),
    "deal": ("app.cli.deal_play_solve:add_deal", "show a deal as JSON, face-down cards included"),
    "play": (
        "app.cli.deal_play_solve:add_play",
        "read moves from standard input, answer each as JSON",
    ),
    "solve": (
        "app.cli.deal_play_solve:add_solve",
        "find out whether a deal can be won; answers in JSON",
    ),
    "advise": (
        "app.cli.advise_selfplay:add_advise",
        "read moves from standard input, then rate the legal actions from the cards in sight; answers in JSON",
    ),
    "selfplay": (
        "app.cli.advise_selfplay:add_selfplay",
        "play a deal from the cards in sight; answers in JSON",
    ),
    "pool": ("app.cli.deals:add_pool", "show or fill the stock of deals proven winnable"),
    "race": ("app.cli.races:add_race", "void a race"),
    "ratings": ("app.cli.ratings:add_ratings", "compute all ratings again and compare them"),
    "admin": ("app.cli.admin:add_admin", "manage moderators and administrators"),
    "export": ("app.cli.game_log:add_export", "export games and their event logs"),
    "verify": ("app.cli.game_log:add_verify", "replay stored games and report differences"),
    "archive": (
        "app.cli.archive:add_archive",
        "take the event log of a month out of the database, into a file",
    ),
    "backup": ("app.cli.backup:add_backup", "back up the database while the site runs"),
    "restore": (
        "app.cli.backup:add_restore",
        "restore a backup completely or not at all, then verify",
    ),
}
"""For each command the function that adds its arguments to a parser and sets ``run``, and its help."""


class CommandFailedError(Exception):
    """A command can't do its work; the message says why, in a sentence for people."""


class OutputError(OSError):
    """Output can't be written: an error of neither the database nor the command."""


class ProgressBar:
    """Draws a bar on a terminal. Elsewhere it writes nothing, so logs and pipes stay clean."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_drawn = False

    def draw(self, share: float, text: str) -> None:
        """Draw the bar, filled up to ``share``, and a text over the last one."""
        if self._stream.isatty():
            full = round(min(share, 1) * _BAR_WIDTH)
            self._stream.write(f"\r[{'#' * full}{'.' * (_BAR_WIDTH - full)}] {text}")
            self._stream.flush()
            self._is_drawn = True

    def close(self) -> None:
        """End the line if anything was drawn."""
        if self._is_drawn:
            self._stream.write("\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, 1 for a failure, 2 for bad input."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    args = _parser(arguments[:1]).parse_args(arguments)
    _speak_language_of(os.environ)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except CommandFailedError as error:
        return _print_error(error, _FAILED)
    except AppError as error:
        return _print_error(error, _BAD_INPUT)
    except BrokenPipeError:  # the reader of the output is gone
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        return _print_error(CommandFailedError(f"Can't read or write: {error}."), _FAILED)
    except KeyboardInterrupt:
        return _INTERRUPTED
    return code


def _speak_language_of(variables: Mapping[str, str]) -> None:
    """Say sentences for players in the language of ``LC_ALL``, ``LC_MESSAGES`` or ``LANG``; codes never change."""
    names = (variables.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, names), "")
    tag = locale.partition(".")[0].replace("_", "-")
    if tag in {"", "C", "POSIX"} or tag.startswith("en"):
        return  # and nothing about languages is loaded
    from app.i18n.languages import negotiate  # noqa: PLC0415
    from app.i18n.speaking import ENGLISH_INFO  # noqa: PLC0415
    from app.i18n.wording import speak  # noqa: PLC0415

    speak(negotiate(tag) or ENGLISH_INFO)


def _parser(chosen: Sequence[str]) -> argparse.ArgumentParser:
    """A parser that knows all commands by name, and the arguments of the chosen one."""
    parser = argparse.ArgumentParser(
        prog="fairdeal", description="A patience site on your own server."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (add_arguments, text) in _COMMANDS.items():
        command = commands.add_parser(name, help=text, description=_as_sentence(text))
        if name in chosen:
            resolve_name(add_arguments)(command)
    return parser


def _discard_output() -> None:
    """Flushing the rest of the buffer must not raise again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _as_sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _print_error(error: Exception, code: int) -> int:
    print(f"fairdeal: {say(sentence_of(error))}", file=sys.stderr)
    return code
