"""The search for weights of the fast player."""

from __future__ import annotations

import random

import pytest

from app.engine.cards import fresh_deck
from app.engine.deal import opening
from app.rulesets import find_ruleset
from app.solver.board import Board
from app.solver.fast_player import CAPACITY, LAST, QUICK_LOOK, new_turn
from app.solver.player_weights import PLAYERS
from app.solver.portfolio import player_heuristic
from app.solver.rule_tables import rule_tables
from app.solver.sight import see
from bench import policy_search
from bench.evolution import Evolution
from bench.policy_search import HOME, Parlour, as_weights, solved


def test_evolution_finds_the_top_of_a_noisy_hill():
    noise = random.Random(1)
    top = [3.0, -2.0, 0.5, 0.0, 7.0]
    search = Evolution([0.0] * 5, 1.0)

    def height(point: list[float]) -> float:
        return -sum((x - t) ** 2 for x, t in zip(point, top, strict=True)) + noise.gauss(0, 0.1)

    for _ in range(80):
        search.tell([height(point) for point in search.ask()])
    assert search.mean == pytest.approx(top, abs=0.4)


def test_evolution_depends_on_its_seed_alone():
    one, same, other = (Evolution([0.0] * 3, 1.0, seed) for seed in "aab")
    assert one.ask() == same.ask() != other.ask()


@pytest.mark.parametrize(
    "name", ["bristol", "signora", "blondes-and-brunettes", "terrace", "rouge-et-noir"]
)
def test_a_game_on_the_shared_board_is_the_same_as_on_a_board_of_its_own(name: str):
    rules = find_ruleset(name)
    assert rules
    tables = rule_tables(rules)
    heuristic = player_heuristic(tables, PLAYERS.get(name))
    parlour = Parlour(rules, "test")
    rng = random.Random("test")
    for dealt in [parlour.deal() for _ in range(3)]:
        deck = list(fresh_deck(rules.decks))
        rng.shuffle(deck)
        assert dealt.seed == rng.getrandbits(60)
        position = opening(rules, deck)
        board = Board(tables, position)
        turn = new_turn(tables, board, see(position), heuristic, CAPACITY)
        turn.world[: len(dealt.hidden)] = dealt.hidden
        turn.seed(dealt.seed)
        won = turn.play(*QUICK_LOOK, LAST)
        assert parlour.play(heuristic, dealt) == won + HOME * board.home / board.total
        assert parlour.watch(heuristic, dealt)[0] == won


def test_equations_are_solved():
    assert solved([[0.0, 2.0], [4.0, 1.0]], [6.0, 11.0]) == pytest.approx([2.0, 3.0])


def test_weights_are_pairs_for_a_full_and_an_empty_stock():
    assert as_weights(["a", "b"], [1.2, -2.0, 3.0, 4.6]) == {"a": (1, 3), "b": (-2, 5)}


def test_the_command_prints_weights(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(
        "sys.argv", ["policy_search", "bristol", "--generations", "1", "--games", "2"]
    )
    monkeypatch.setattr(policy_search, "PROBES", 5)
    monkeypatch.setattr(policy_search, "TRIALS", 20)
    policy_search.main()
    assert "'out': (" in capsys.readouterr().out
