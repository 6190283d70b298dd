"""The search's board is the engine's twin: same moves, same results, and true symmetries."""

import random

import pytest

from app.engine.actions import Action
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply, cards_home
from app.rulesets import RULESETS
from app.solver.board import Board, action_of, code_of
from app.solver.rulebook import Rulebook, rulebook

EVERY_GAME = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)


def fingerprint(board: Board) -> tuple[int, int]:
    board.seal()
    return board.key_a, board.key_b


def listed(book: Rulebook, board: Board) -> list[Action]:
    return [action_of(book, board.moves[i]) for i in range(board.list_moves())]


def kinds(book: Rulebook, position: Position) -> list[list[int]]:
    return [[book.kind(card) for card in pile.cards] for pile in position.piles]


def on_board(board: Board) -> list[list[int]]:
    return [
        [board.cards[(pile << 7) + i] for i in range(board.size[pile])]
        for pile in range(board.piles)
    ]


@EVERY_GAME
def test_a_game_played_at_random_goes_the_same_way_on_the_board_and_by_the_rules(rules: Ruleset):
    rng = random.Random(rules.id)
    book = rulebook(rules)
    position = opening(rules, deck_of_seed(rng.randbytes(32), rules.decks))
    board = Board(book, position)
    for _ in range(120):
        legal = legal_actions(rules, position)
        if not legal:
            break
        mine = listed(book, board)
        assert set(mine) <= set(legal)
        # What the board leaves out leads only to positions that are the same but for symmetry.
        here = fingerprint(board)
        reached = {here}
        for action in mine:
            board.play(code_of(book, action))
            reached.add(fingerprint(board))
            board.revert()
            assert fingerprint(board) == here
        for action in legal:
            assert fingerprint(Board(book, apply(rules, position, action))) in reached
        homeward = [action for action in legal if "-f" in str(action)]
        action = rng.choice(homeward if homeward and rng.random() < 0.5 else legal)
        position = apply(rules, position, action)
        board.play(code_of(book, action))
        assert on_board(board) == kinds(book, position)
        assert board.home == cards_home(rules, position)
        assert [board.down[pile] for pile in rules.layout.tableau] == [
            position.piles[pile].down for pile in rules.layout.tableau
        ]


def reordered(rules: Ruleset, position: Position, rng: random.Random) -> Position:
    """The same piles with the tableau in another order."""
    piles = list(position.piles)
    tableau = [piles[index] for index in rules.layout.tableau]
    rng.shuffle(tableau)
    for index, pile in zip(rules.layout.tableau, tableau, strict=True):
        piles[index] = pile
    return Position(tuple(piles))


@EVERY_GAME
def test_the_order_of_columns_counts_only_while_deals_go_to_them(rules: Ruleset):
    rng = random.Random(7)
    book = rulebook(rules)
    position = opening(rules, deck_of_seed(rng.randbytes(32), rules.decks))
    one = fingerprint(Board(book, position))
    other = fingerprint(Board(book, reordered(rules, position, rng)))
    assert (one == other) == (not rules.id.startswith("rouge"))


def test_reserve_piles_differ_as_long_as_deals_go_to_them():
    bristol = RULESETS[0]
    book = rulebook(bristol)
    position = opening(bristol, deck_of_seed(bytes(32), 1))
    piles = list(position.piles)
    first, second, _ = bristol.layout.reserves
    assert piles[first].cards[0].rank is not piles[second].cards[0].rank
    piles[first], piles[second] = piles[second], piles[first]
    assert fingerprint(Board(book, position)) != fingerprint(Board(book, Position(tuple(piles))))


@EVERY_GAME
def test_positions_that_differ_have_different_fingerprints(rules: Ruleset):
    # Every position of some random games, told apart by hand without any symmetry but the kinds.
    rng = random.Random(11)
    book = rulebook(rules)
    seen: dict[tuple[int, int], object] = {}
    for _ in range(3):
        position = opening(rules, deck_of_seed(rng.randbytes(32), rules.decks))
        for _ in range(80):
            legal = legal_actions(rules, position)
            if not legal:
                break
            position = apply(rules, position, rng.choice(legal))
            key = fingerprint(Board(book, position))
            plain = sorted(map(str, kinds(book, position)[rules.layout.tableau.start :]))
            assert seen.setdefault(key, plain) == plain
