"""The commands for the stock of proven deals, as they are typed. What they do is in app.cli.deals."""

from __future__ import annotations

import argparse
from collections.abc import Callable

Command = Callable[[argparse.Namespace], int]


def add_commands(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], run: Command
) -> None:
    """Add them; ``run`` is handed what was asked for, with ``work`` being status or fill."""
    pool = commands.add_parser("pool", help="the stock of deals that are proven winnable")
    works = pool.add_subparsers(required=True, metavar="WORK")
    status = works.add_parser("status", help="how many deals there are, for each game")
    fill = works.add_parser("fill", help="prove deals until there are enough")
    fill.add_argument("ruleset", nargs="?", metavar="RULESET", help="of one game only")
    fill.add_argument(
        "--count", type=int, metavar="N", help="how many of each kind there shall be in the end"
    )
    for parser, work in ((status, "status"), (fill, "fill")):
        parser.add_argument("--database-url", help="sqlite:///path or postgresql://...")
        parser.set_defaults(command=run, work=work, ruleset=None, count=None)
