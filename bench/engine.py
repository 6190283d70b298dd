"""The rules engine compared with python-chess: judging one move, and listing legal moves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

import chess

from app.engine.actions import parse_action
from app.engine.history import History
from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import apply
from app.rulesets import RULESETS
from bench.report import Figure, at_most, side_by_side

_GAMES = 12
_LONGEST = 120
_ROUNDS = 30


def run() -> Iterator[Figure]:
    """Compare every rule set; the limits hold for the slowest."""
    samples = [_walks(rules) for rules in RULESETS]
    boards = _chess_walks()
    moves = sum(len(sample) for sample in samples)
    detail = f"{moves} positions of {len(RULESETS)} rule sets, {len(boards)} of chess"

    works = [
        partial(_judge_all, rules, sample) for rules, sample in zip(RULESETS, samples, strict=True)
    ]
    times = side_by_side(
        [*works, partial(_chess_san, boards), partial(_chess_uci, boards)], _ROUNDS
    )
    each = [time / len(sample) for time, sample in zip(times, samples, strict=False)]
    san, uci = (time / len(boards) for time in times[len(works) :])
    slowest, rules = max(zip(each, RULESETS, strict=True), key=lambda pair: pair[0])
    told = f"{rules.id} {slowest:.1f} us; {detail}"
    what = "parse + judge + apply / python-chess parse_san + push"
    yield at_most(what, slowest / san, 0.5, f"{told}; chess {san:.1f} us")
    what = "parse + judge + apply / python-chess parse_uci + push"
    yield at_most(what, slowest / uci, 1.0, f"{told}; chess {uci:.1f} us")

    works = [
        partial(_list_all, rules, sample) for rules, sample in zip(RULESETS, samples, strict=True)
    ]
    times = side_by_side([*works, partial(_chess_list, boards)], _ROUNDS)
    each = [time / len(sample) for time, sample in zip(times, samples, strict=False)]
    yardstick = times[-1] / len(boards)
    slowest, rules = max(zip(each, RULESETS, strict=True), key=lambda pair: pair[0])
    told = f"{rules.id} {slowest:.1f} us, chess {yardstick:.1f} us"
    yield at_most("legal moves / python-chess legal moves", slowest / yardstick, 1.0, told)


def _walks(rules: Ruleset) -> list[tuple[Position, str]]:
    """Positions from random games, each with the move chosen there."""
    chance = random.Random(rules.id)
    sample = []
    for number in range(_GAMES):
        line = History.start(rules, deck_of_code(parse_code(f"{number:010}"), rules.decks))
        for _ in range(_LONGEST):
            actions = legal_actions(rules, line.position)
            if not actions:
                break
            home = [action for action in actions if "-f" in str(action)]
            action = chance.choice(home or actions)
            sample.append((line.position, str(action)))
            line = line.apply(action)
    return sample


def _judge_all(rules: Ruleset, sample: list[tuple[Position, str]]) -> None:
    for position, text in sample:
        apply(rules, position, parse_action(rules.layout, text))


def _list_all(rules: Ruleset, sample: list[tuple[Position, str]]) -> None:
    for position, _ in sample:
        legal_actions(rules, position)


def _chess_walks() -> list[tuple[chess.Board, str, str]]:
    chance = random.Random("chess")
    sample = []
    for _ in range(_GAMES):
        board = chess.Board()
        for _ in range(_LONGEST):
            if board.is_game_over():
                break
            move = chance.choice(list(board.legal_moves))
            sample.append((board.copy(stack=False), board.san(move), move.uci()))
            board.push(move)
    return sample


def _chess_san(boards: list[tuple[chess.Board, str, str]]) -> None:
    for board, san, _ in boards:
        board.push(board.parse_san(san))
        board.pop()


def _chess_uci(boards: list[tuple[chess.Board, str, str]]) -> None:
    for board, _, uci in boards:
        board.push(board.parse_uci(uci))
        board.pop()


def _chess_list(boards: list[tuple[chess.Board, str, str]]) -> None:
    for board, _, _ in boards:
        list(board.legal_moves)
