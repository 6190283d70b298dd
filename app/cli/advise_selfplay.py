"""``fairdeal advise`` and ``selfplay``: chances to win from the cards in sight, without a server.

Seconds stand for positions, at a fixed rate. So an answer does not depend on how fast the machine is.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Final

from app.cli.deal_play_solve import (
    add_ruleset_and_code,
    add_ruleset_and_deck,
    after_line,
    find_rules,
    game_of,
    positive,
)
from app.engine.shuffle import deck_of_code
from app.errors import AppError, MalformedError
from app.games.lookup import read_code
from app.games.model import Game
from app.solver.insight import estimate
from app.solver.self_play import play_out, turns_of
from app.solver.sight import see

RATE: Final = 500_000  # positions in a second
SEED: Final = "advise"
DIGITS: Final = 4
MOST: Final = 3600.0  # seconds


def add_advise(parser: argparse.ArgumentParser) -> None:
    add_ruleset_and_deck(parser)
    _add_seconds(parser, 1)
    parser.set_defaults(run=_advise)


def add_selfplay(parser: argparse.ArgumentParser) -> None:
    add_ruleset_and_code(parser)
    _add_seconds(parser, 10)
    parser.set_defaults(run=_selfplay)


def _add_seconds(parser: argparse.ArgumentParser, default: int) -> None:
    parser.add_argument(
        "--seconds",
        type=positive(float),
        default=default,
        help=f"seconds to compute ({default}), counted as {RATE:,} positions each,"
        " so that the answer is the same on every machine",
    )


def _budget(seconds: float) -> int:
    if seconds > MOST:
        raise MalformedError(f"--seconds can be at most {MOST:.0f}.")
    return max(1, round(seconds * RATE))


def _advise(args: argparse.Namespace) -> int:
    budget = _budget(args.seconds)
    game = game_of(args)
    shown = [game.position]
    for number, line in enumerate(sys.stdin.buffer, 1):
        word = line.decode(errors="replace").strip()
        if word:
            game = _after(game, word, number)
            shown.append(game.position)
    actions = []
    if not game.is_over:
        found = estimate(see(game.position, shown), game.rules, SEED, budget)
        actions = [
            {
                "action": str(one.action),
                "chance": round(one.chance, DIGITS),
                "error": round(one.deviation, DIGITS),
            }
            for one in found.actions
        ]
    print(json.dumps({"actions": actions}))
    return 0


def _after(game: Game, word: str, number: int) -> Game:
    if word == "state":
        return game
    try:
        return after_line(game, word)
    except AppError as error:
        # The position that was meant can't be known, so there is nothing to advise.
        raise type(error)(f"Line {number}: {error.detail}") from error


def _selfplay(args: argparse.Namespace) -> int:
    budget = _budget(args.seconds)
    rules = find_rules(args.ruleset)
    deck = deck_of_code(read_code(args.code, rules), rules.decks)
    started = time.monotonic()
    played = play_out(deck, rules, SEED, max(1, budget // turns_of(rules)))
    answer = {
        "outcome": "won" if played.won else "lost",
        "actions": [str(action) for action in played.actions],
        "chances": [round(chance, DIGITS) for chance in played.chance_of_actions(rules.id)],
        "seconds": round(time.monotonic() - started, 3),
    }
    print(json.dumps(answer))
    return 0
