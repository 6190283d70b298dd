"""The search's board agrees with the engine: same moves, same positions, valid symmetries."""

import random
from dataclasses import replace

import pytest

from app.engine.actions import DEAL, Action
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply, cards_home
from app.engine.vocabulary import DealTo
from app.rulesets import RULESETS
from app.solver.board import Board, decode_move, encode_action
from app.solver.rule_tables import RuleTables, rule_tables

EVERY_GAME = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)


def position_hash(board: Board) -> tuple[int, int]:
    board.update_hash()
    return board.hash_a, board.hash_b


def listed(tables: RuleTables, board: Board) -> list[Action]:
    return [decode_move(tables, board.moves[i]) for i in range(board.generate_moves())]


def kinds(tables: RuleTables, position: Position) -> list[list[int]]:
    return [[tables.kind(card) for card in pile.cards] for pile in position.piles]


def on_board(board: Board) -> list[list[int]]:
    return [
        [board.cards[(pile << 7) + i] for i in range(board.size[pile])]
        for pile in range(board.piles)
    ]


@EVERY_GAME
def test_random_games_go_the_same_way_on_the_board_and_in_the_engine(rules: Ruleset):
    rng = random.Random(rules.id)
    tables = rule_tables(rules)
    position = opening(rules, deck_of_seed(rng.randbytes(32), rules.decks))
    board = Board(tables, position)
    for _ in range(120):
        legal = legal_actions(rules, position)
        if not legal:
            break
        generated = listed(tables, board)
        assert set(generated) <= set(legal)
        # Moves the board leaves out lead only to positions that are equal up to symmetry.
        here = position_hash(board)
        reached = {here}
        for action in generated:
            board.make(encode_action(tables, action))
            reached.add(position_hash(board))
            board.unmake()
            assert position_hash(board) == here
        for action in legal:
            assert position_hash(Board(tables, apply(rules, position, action))) in reached
        moves_home = [action for action in legal if "-f" in str(action)]
        action = rng.choice(moves_home if moves_home and rng.random() < 0.5 else legal)
        position = apply(rules, position, action)
        board.make(encode_action(tables, action))
        assert on_board(board) == kinds(tables, position)
        assert board.home == cards_home(rules, position)
        assert [board.down[pile] for pile in rules.layout.tableau] == [
            position.piles[pile].down for pile in rules.layout.tableau
        ]


def test_a_waste_of_two_decks_can_be_turned_over_and_back():
    """Each card is an entry of the undo log, and the compiled board checks no bounds."""
    thieves = next(rules for rules in RULESETS if rules.id == "forty-thieves")
    rules = replace(thieves, stock=replace(thieves.stock, redeals=None))
    tables = rule_tables(rules)
    position = opening(rules, deck_of_seed(bytes(32), rules.decks))
    while position.piles[rules.layout.stock].cards:
        position = apply(rules, position, DEAL)
    turned = len(position.piles[tables.waste].cards)
    assert turned >= 64
    board = Board(tables, position)
    here = position_hash(board)
    board.make(encode_action(tables, DEAL))
    assert board.undo_count == turned + 1
    assert 4 * board.undo_count <= len(board.undo_log)
    assert on_board(board) == kinds(tables, apply(rules, position, DEAL))
    board.unmake()
    assert position_hash(board) == here
    assert on_board(board) == kinds(tables, position)


_DEALS_TO_COLUMNS = {DealTo.EACH_TABLEAU, DealTo.EACH_FILLED_TABLEAU}


def reordered(rules: Ruleset, position: Position, rng: random.Random) -> Position:
    """The same piles with the tableau in another order."""
    piles = list(position.piles)
    tableau = [piles[index] for index in rules.layout.tableau]
    rng.shuffle(tableau)
    for index, pile in zip(rules.layout.tableau, tableau, strict=True):
        piles[index] = pile
    return Position(tuple(piles))


@EVERY_GAME
def test_the_order_of_columns_matters_only_while_deals_go_to_them(rules: Ruleset):
    rng = random.Random(7)
    tables = rule_tables(rules)
    position = opening(rules, deck_of_seed(rng.randbytes(32), rules.decks))
    one = position_hash(Board(tables, position))
    other = position_hash(Board(tables, reordered(rules, position, rng)))
    assert (one == other) == (rules.stock.deals_to not in _DEALS_TO_COLUMNS)


def test_reserve_piles_differ_as_long_as_deals_go_to_them():
    bristol = RULESETS[0]
    tables = rule_tables(bristol)
    position = opening(bristol, deck_of_seed(bytes(32), 1))
    piles = list(position.piles)
    first, second, _ = bristol.layout.reserves
    assert piles[first].cards[0].rank is not piles[second].cards[0].rank
    piles[first], piles[second] = piles[second], piles[first]
    assert position_hash(Board(tables, position)) != position_hash(
        Board(tables, Position(tuple(piles)))
    )


@EVERY_GAME
def test_different_positions_have_different_hashes(rules: Ruleset):
    # Positions of random games, compared by their kinds of cards, with tableau piles in any order.
    rng = random.Random(11)
    tables = rule_tables(rules)
    seen: dict[tuple[int, int], object] = {}
    for _ in range(3):
        position = opening(rules, deck_of_seed(rng.randbytes(32), rules.decks))
        for _ in range(80):
            legal = legal_actions(rules, position)
            if not legal:
                break
            position = apply(rules, position, rng.choice(legal))
            key = position_hash(Board(tables, position))
            plain = sorted(map(str, kinds(tables, position)[rules.layout.tableau.start :]))
            assert seen.setdefault(key, plain) == plain
