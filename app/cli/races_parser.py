"""What the command line says about races."""

from __future__ import annotations

import argparse
from collections.abc import Callable

Command = Callable[[argparse.Namespace], int]


def add_commands(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], run: Command
) -> None:
    """Add ``fairdeal race void``."""
    race = commands.add_parser("race", help="let a race count for nobody")
    void = race.add_subparsers(required=True, metavar="JOB").add_parser(
        "void", help="take the result of a race back, with a reason for its players"
    )
    void.add_argument("code", metavar="CODE", help="the code of its room, such as 7KQ4M2")
    void.add_argument("reason", metavar="REASON", help="a sentence for the players")
    void.add_argument("--database-url", help="sqlite:///path or postgresql://...")
    void.set_defaults(command=run)
