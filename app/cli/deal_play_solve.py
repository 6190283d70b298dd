"""``fairdeal deal``, ``play`` and ``solve``: the engine without a server or a database.

Programs that know nothing of the site can check the rules with them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from app.cli import ProgressBar
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.fc_solve import MOST_CHARACTERS, read_board, write_board
from app.engine.history import History
from app.engine.microsoft import check_game, deck_of_number
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, read_deck
from app.engine.transition import IllegalActionError
from app.errors import (
    AppError,
    DealNotFoundError,
    GameOverError,
    IllegalMoveError,
    MalformedError,
    RulesetNotFoundError,
)
from app.games.game_actions import WORDS
from app.games.json_state import JsonObject, piles_of, state_of
from app.games.lookup import read_code
from app.games.model import Game, Status
from app.games.moments import GameEvent
from app.i18n.speaking import say
from app.rulesets import RULESETS, find_ruleset
from app.solver.solve import Budget, SearchProgress, solve_from
from app.text import sentence_of


def add_deal(parser: argparse.ArgumentParser) -> None:
    _add_ruleset_and_deal(parser)
    parser.add_argument(
        "--format",
        choices=("json", "fc-solve"),
        default="json",
        help="fc-solve: a board for other solvers, for games that it can say (json)",
    )
    parser.set_defaults(run=_deal)


def add_play(parser: argparse.ArgumentParser) -> None:
    add_ruleset_and_deck(parser)
    parser.set_defaults(run=_play)


def add_solve(parser: argparse.ArgumentParser) -> None:
    deal = _add_ruleset_and_deal(parser)
    deal.add_argument(
        "--board",
        metavar="FILE",
        help="a position as fc-solve and PySolFC write it, instead of a code; - is standard input",
    )
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--seconds", type=positive(float), help="seconds to search (10)")
    limit.add_argument(
        "--positions",
        type=positive(int),
        help="positions to search; gives the same answer on every machine",
    )
    parser.set_defaults(run=_solve)


def add_ruleset_and_deck(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a game to play: its rule set, and a file with the deck."""
    add_ruleset(parser)
    parser.add_argument(
        "--deck", required=True, metavar="FILE", help="JSON list of cards in dealing order"
    )


def add_ruleset_and_code(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a deal: its rule set and code."""
    add_ruleset(parser)
    parser.add_argument("code", metavar="CODE", help="a deal code, such as 7KQ4M-2XWTP")


def _add_ruleset_and_deal(
    parser: argparse.ArgumentParser,
) -> argparse._MutuallyExclusiveGroup:
    add_ruleset(parser)
    deal = parser.add_mutually_exclusive_group(required=True)
    deal.add_argument("code", metavar="CODE", nargs="?", help="a deal code, such as 7KQ4M-2XWTP")
    deal.add_argument(
        "--ms",
        type=int,
        metavar="N",
        help="Microsoft's number of a FreeCell deal, instead of a code",
    )
    return deal


def add_ruleset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ruleset", metavar="RULESET", help="id or name of a game")


def game_of(args: argparse.Namespace) -> Game:
    """The game that the arguments of ``add_ruleset_and_deck`` describe, at its start."""
    rules = find_rules(args.ruleset)
    try:
        deck = Path(args.deck).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedError(f"Can't read the deck: {error}.") from error
    history = History.start(rules, _parse_deck(deck, rules))
    return Game.start(game_id="", history=history, code=None, owner_id="", at_ms=0)


def positive(kind: type[int | float]) -> Callable[[str], float]:
    """A reader of positive numbers for an argument."""

    def read(text: str) -> float:
        number = kind(text)
        if number > 0:  # not so for nan
            return number
        raise ValueError

    read.__name__ = "positive number"  # argparse names it in its message
    return read


def _deal(args: argparse.Namespace) -> int:
    rules = find_rules(args.ruleset)
    code, deck = _code_and_deck(args, rules)
    position = opening(rules, deck)
    if args.format == "fc-solve":
        print(_board(rules, position))
        return 0
    layout = zip(rules.layout.ids, position.piles, strict=True)
    deal = {
        "ruleset": rules.id,
        "revision": rules.revision,
        "code": code,
        "deck": [card.text for card in deck],
        "piles": {name: [card.text for card in pile.cards] for name, pile in layout},
    }
    print(json.dumps(deal))
    return 0


def _play(args: argparse.Namespace) -> int:
    game = game_of(args)
    # Bytes, because a line that is not UTF-8 is a bad line, not the end of the game.
    for line in sys.stdin.buffer:
        word = line.decode(errors="replace").strip()
        answer: JsonObject
        try:
            game = game if word == "state" else after_line(game, word)
            answer = {**state_of(game), "piles": piles_of(game.rules, game.position, reveal=True)}
        except AppError as error:
            answer = {"error": error.code, "detail": say(error.detail)}
        print(json.dumps(answer), flush=True)
    return 0


def _solve(args: argparse.Namespace) -> int:
    rules = find_rules(args.ruleset)
    position = _start(args, rules)
    budget = Budget(seconds=10)
    if args.positions:
        budget = Budget(positions=args.positions)
    elif args.seconds:
        budget = Budget(seconds=args.seconds)
    bar = ProgressBar(sys.stderr)
    result = solve_from(rules, position, budget, progress=partial(draw_progress, bar, budget))
    bar.close()
    answer = {
        "outcome": result.outcome.value,
        "actions": [str(action) for action in result.actions],
        "positions": result.positions,
        "seconds": round(result.seconds, 3),
    }
    print(json.dumps(answer))
    return 0


def _start(args: argparse.Namespace, rules: Ruleset) -> Position:
    """The position of a board, or the opening of a deal."""
    if args.board is None:
        _, deck = _code_and_deck(args, rules)
        return opening(rules, deck)
    try:
        if args.board == "-":
            return read_board(rules, sys.stdin.read(MOST_CHARACTERS + 1))
        with Path(args.board).open(encoding="utf-8") as file:
            return read_board(rules, file.read(MOST_CHARACTERS + 1))
    except (OSError, ValueError) as error:
        raise MalformedError(f"Can't read the board. {error}") from error


def _board(rules: Ruleset, position: Position) -> str:
    try:
        return write_board(rules, position)
    except ValueError as error:
        raise MalformedError(sentence_of(error)) from error


def _code_and_deck(
    args: argparse.Namespace, rules: Ruleset
) -> tuple[Code | None, tuple[Card, ...]]:
    if args.ms is None:
        code = read_code(args.code, rules)
        return code, deck_of_code(code, rules.decks)
    try:
        check_game(rules)
        return None, deck_of_number(args.ms)
    except ValueError as error:
        raise DealNotFoundError(sentence_of(error)) from error


def find_rules(name: str) -> Ruleset:
    """The rule set of an id or name; raises ``RulesetNotFoundError``."""
    rules = find_ruleset(name)
    if rules is None:
        known = ", ".join(rules.id for rules in RULESETS)
        raise RulesetNotFoundError(f"Unknown rule set {name!r}. Choose one of: {known}.")
    return rules


def _parse_deck(text: str, rules: Ruleset) -> tuple[Card, ...]:
    try:
        names = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"The deck isn't JSON: {error}.") from error
    if not isinstance(names, list):
        raise MalformedError('The deck must be a JSON list of cards, such as ["7H", "TD", ...].')
    try:
        return read_deck(names, rules.decks)
    except ValueError as error:
        raise MalformedError(sentence_of(error)) from error


def after_line(game: Game, word: str) -> Game:
    """The game after a line of input, an action or ``undo``, ``redo`` and the like; raises ``AppError``."""
    if game.is_over:
        raise GameOverError(f"The game is over: {game.status}.")
    try:
        return game.after(GameEvent(action=word, at_ms=0, actor_id="", key=None))
    except IllegalActionError as error:
        if game.status is Status.LOST:
            raise GameOverError("No moves left. Undo to try another way.") from error
        raise IllegalMoveError(sentence_of(error)) from error
    except ValueError as error:
        # A known word that is not possible now, or text that is not an action.
        kind = IllegalMoveError if word in WORDS else MalformedError
        raise kind(sentence_of(error)) from error


def draw_progress(bar: ProgressBar, budget: Budget, progress: SearchProgress) -> None:
    """Draw how much of a budget a search has spent."""
    spent = progress.positions / budget.positions
    if budget.seconds:
        spent = max(spent, progress.seconds / budget.seconds)
    bar.draw(spent, f"{progress.positions:,} positions, {progress.seconds:.1f} s")
