"""Foresight: how far the choices of a game agree with the true order of the hidden cards beyond what could be known.

A *turn* is what a player does until the next card is turned. The solver, told every card, has a line that wins; in a
turn, the player *agrees* with it if both leave the same position. Whether they do is asked for the true order, and for
orders drawn at random among those that look the same to the player.

Let S be the sight at the beginning of a turn, c what the player did, and A(w) whether c agrees with the solver in the
order w. An honest player chooses c from S alone, so given S and c the true order is one draw like the others:
A(w0), A(w1), ..., A(wK) are exchangeable. If m of these K + 1 are true, the true order agrees with the chance
p = m / (K + 1), exactly, whatever the skill of the player: a turn adds A(w0) - p to a sum whose mean is 0, and
p (1 - p) to its variance. A turn in which all agree, or none, adds nothing, and is left out. The *z-score* is the sum
divided by the root of the variance. What is not exact is that variance, since turns of one game share their hidden
cards, and the shape of the distribution; so the shares above a threshold are measured (``bench/foresight.py``).

Daily deals are selected: each can be won. So only orders count in which the solver, within ``POSITIONS``, wins from the
beginning of the turn, the true one included. That implies that the deal can be won, so given it, the choice of the deal
says no more about the order, and the true one is again like the others.

Everything follows from the positions and the seed, so the same game has the same score everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import Final, NamedTuple, Self

from app.engine.actions import Action
from app.engine.position import Position, has_revealed, hidden_cards
from app.engine.ruleset import Ruleset
from app.engine.transition import apply
from app.solver.board import Board, decode_move
from app.solver.portfolio import portfolio_for
from app.solver.rule_tables import rule_tables
from app.solver.search import WON
from app.solver.sight import Sight, see

WORLDS: Final = 24  # orders drawn for each turn
POSITIONS: Final = 2_000  # to solve one of them
MAX_TURNS: Final = 60  # later turns of a very long game are not judged

CancelAfter = Callable[[int], bool]
"""Called with the number of turns judged; says whether to stop."""


class PlayedMove(NamedTuple):
    """A move of the kept line, with the position and the version of the game before it.

    ``shown`` are earlier positions, of undone lines, in which the player saw cards that lie face down now.
    """

    position: Position
    action: Action
    version: int
    shown: tuple[Position, ...] = ()


class Decision(NamedTuple):
    """A turn to judge: where it began, what its player knew then, and what they did until a card was turned."""

    position: Position
    sight: Sight
    actions: tuple[Action, ...]
    version: int
    """The version of the game when the turn began."""


def decisions_of(moves: Iterable[PlayedMove]) -> list[Decision]:
    """The turns of a game that end by turning a card; what came after the last one decided nothing."""
    found: list[Decision] = []
    begin: PlayedMove | None = None
    actions: list[Action] = []
    last: PlayedMove | None = None
    for move in moves:
        if begin and last and has_revealed(begin.position, move.position):
            sight = see(begin.position, last.shown)
            found.append(Decision(begin.position, sight, tuple(actions), begin.version))
            begin = None
        if begin is None:
            begin, actions = move, []
        actions.append(move.action)
        last = move
    return found


class JudgedTurn(NamedTuple):
    """A judged turn. ``expected`` is the share of orders, the true one included, in which it agrees."""

    version: int
    agrees: bool
    expected: float
    orders: int

    @property
    def excess(self) -> float:
        """The amount it adds to the score: the mean is 0 for every honest player."""
        return self.agrees - self.expected

    @property
    def variance(self) -> float:
        """The variance of ``excess``; 0 if nothing could be learned."""
        return self.expected * (1 - self.expected)


class Foresight(NamedTuple):
    """The judged turns of a game in which honest players could agree or not."""

    choices: tuple[JudgedTurn, ...]

    @property
    def agreed(self) -> int:
        """In how many turns the player did what the solver would have done."""
        return sum(choice.agrees for choice in self.choices)

    @property
    def expected(self) -> float:
        """In how many they would have, had the hidden cards lain in other orders."""
        return sum(choice.expected for choice in self.choices)

    @property
    def excess(self) -> float:
        """By how many turns they agree more often than that."""
        return sum(choice.excess for choice in self.choices)

    @property
    def variance(self) -> float:
        """The variance of ``agreed``."""
        return sum(choice.variance for choice in self.choices)

    @property
    def z(self) -> float:
        """By how many standard deviations the game agrees more often than expected; 0 if nothing is known."""
        return z_score(self.excess, self.variance)

    def most_telling(self, count: int) -> list[JudgedTurn]:
        """The turns that raise the score most, at most ``count``."""
        raising = [choice for choice in self.choices if choice.excess > 0]
        return sorted(raising, key=lambda choice: (-choice.excess, choice.version))[:count]

    def __str__(self) -> str:
        """The text that is stored of it."""
        return json.dumps([list(choice) for choice in self.choices])

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of ``str``."""
        return cls(tuple(JudgedTurn(*choice) for choice in json.loads(text)))


def z_score(excess: float, variance: float) -> float:
    """How many standard deviations an excess is, of one game or of several together."""
    return excess / sqrt(variance) if variance else 0.0


def measure(
    rules: Ruleset,
    decisions: Iterable[Decision],
    seed: str,
    *,
    worlds: int = WORLDS,
    positions: int = POSITIONS,
    cancelled: CancelAfter | None = None,
) -> Foresight:
    """Judge the turns of a game. If cancelled, of its first ones."""
    choices: list[JudgedTurn] = []
    for number, decision in enumerate(decisions):
        if number == MAX_TURNS or (cancelled and cancelled(number)):
            break
        guesses = (
            decision.sight.world(rules, world, f"{seed}/{number}") for world in range(worlds)
        )
        choice = judge(rules, decision, guesses, positions)
        if choice and choice.variance:
            choices.append(choice)
    return Foresight(tuple(choices))


def judge(
    rules: Ruleset, decision: Decision, guesses: Iterable[Position], positions: int = POSITIONS
) -> JudgedTurn | None:
    """Judge one turn, compared with other orders; ``None`` if the solver does not win from where it began."""
    truth = agrees(rules, decision.position, decision.actions, positions)
    if truth is None:
        return None
    guessed = (agrees(rules, guess, decision.actions, positions) for guess in guesses)
    found = [truth, *(one for one in guessed if one is not None)]
    return JudgedTurn(decision.version, truth, sum(found) / len(found), len(found))


def agrees(
    rules: Ruleset, position: Position, actions: Sequence[Action], positions: int
) -> bool | None:
    """Whether these actions lead where the solver, which knows every card, goes; ``None`` if it does not win.

    The order of moves does not matter, only the position after a card was turned.
    """
    line = winning_line(rules, position, positions)
    if line is None:
        return None
    hidden, there = hidden_cards(position), position
    for action in line:
        there = apply(rules, there, action)
        if hidden_cards(there) < hidden:
            break
    for action in actions:
        position = apply(rules, position, action)
    return there == position


def winning_line(rules: Ruleset, position: Position, positions: int) -> list[Action] | None:
    """A line that wins, by the first search of the portfolio; ``None`` if it finds none."""
    tables = rule_tables(rules)
    search = portfolio_for(tables)[0].search(tables, Board(tables, position))
    if search.advance(positions) != WON:
        return None
    return [decode_move(tables, move) for move in search.solution()]
