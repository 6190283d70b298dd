"""Estimates of a position use only what a player knows, repeat, and agree with exhaustive search."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.engine.actions import DEAL, parse_action
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.history import History
from app.engine.notation import parse_position
from app.engine.position import Pile, Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, deck_of_seed, parse_code
from app.engine.transition import apply, is_won
from app.rulesets import RULESETS, find_ruleset
from app.solver.board import Board
from app.solver.calibration import calibrated, slope
from app.solver.estimates import Estimate
from app.solver.fast_player import new_turn, player_weights
from app.solver.insight import estimate, estimator_for
from app.solver.player_weights import PLAYERS
from app.solver.portfolio import player_heuristic
from app.solver.pruning_choice import pruning_for
from app.solver.rule_tables import rule_tables
from app.solver.self_play import play_out, turns_of
from app.solver.sight import see
from app.solver.solve import SearchOutcome
from app.solver.turn_estimator import ROOT_SAMPLES, TurnEstimator
from app.winnability.model import wilson
from bench import insight as insight_bench
from tests.golden.records import RECORDS
from tests.solver.small_games import ending, exhaustive, small
from tests.support.games import WITH_HIDDEN_CARDS

EVERY_GAME = pytest.mark.parametrize("rules", WITH_HIDDEN_CARDS, ids=lambda rules: rules.id)
LITTLE = 3_000  # positions
BUDGETS = (1_000, 2_000, 6_000)
SMALL = [small(rules, decks) for rules in RULESETS for decks in (1, 2)]


def game(name: str) -> Ruleset:
    rules = find_ruleset(name)
    assert rules
    return rules


def middle(rules: Ruleset, seed: int) -> Position:
    """A position some random actions into a game, with a card face down."""
    rng = random.Random(f"{rules.id} {seed}")
    position = opening(rules, deck_of_seed(rng.randbytes(32), rules.decks))
    for _ in range(rng.randint(0, 30)):
        legal = legal_actions(rules, position)
        there = apply(rules, position, rng.choice(legal)) if legal else position
        if not see(there).hidden():
            break
        position = there
    return position


def late(rules: Ruleset, seed: int) -> Position:
    """A position many random actions into a game: with empty columns, long fans and an empty stock."""
    rng = random.Random(f"late {rules.id} {seed}")
    position = opening(rules, deck_of_seed(rng.randbytes(32), rules.decks))
    for _ in range(rng.randint(60, 240)):
        legal = legal_actions(rules, position)
        if not legal:
            break
        position = apply(rules, position, rng.choice(legal))
    return position


def with_other_order(position: Position) -> Position:
    """The position with its face-down cards in another order; knows nothing of ``see``."""
    cards = [card for pile in position.piles for card in pile.cards[: pile.down]]
    random.Random(5).shuffle(cards)
    return Position(
        tuple(
            pile._replace(
                cards=(*(cards.pop() for _ in range(pile.down)), *pile.cards[pile.down :])
            )
            for pile in position.piles
        )
    )


@EVERY_GAME
def test_positions_that_look_alike_get_the_same_estimates(rules: Ruleset):
    position = middle(rules, 1)
    sight = see(position)
    twin = with_other_order(position)
    assert twin != position
    assert see(twin) == sight
    assert estimate(see(twin), rules, "a", LITTLE) == estimate(sight, rules, "a", LITTLE)


@EVERY_GAME
def test_every_legal_action_has_one_estimate_between_0_and_1_the_best_first(rules: Ruleset):
    position = middle(rules, 2)
    found = estimate(see(position), rules, "a", LITTLE)
    assert {one.action for one in found.actions} == set(legal_actions(rules, position))
    assert len(found.actions) == len(legal_actions(rules, position))
    chances = [one.chance for one in found.actions]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= one.chance <= 1 and 0 <= one.deviation <= 0.5 for one in found.actions)
    assert found.positions >= LITTLE or all(one.deviation == 0 for one in found.actions)


@EVERY_GAME
def test_a_larger_budget_continues_what_a_smaller_one_began(rules: Ruleset):
    sight = see(middle(rules, 3))
    estimator = estimator_for(rules, sight, "a")
    for budget in BUDGETS:
        estimator.run(budget)
        assert estimator.estimates() == estimate(sight, rules, "a", budget)


@EVERY_GAME
def test_every_action_is_judged_also_those_to_piles_that_are_alike(rules: Ruleset):
    position = opening(rules, deck_of_seed(bytes(32), rules.decks))
    found = estimate(see(position), rules, "a", LITTLE)
    tables = rule_tables(rules)
    pruning = pruning_for(tables)
    for one in found.actions:
        if pruning.is_dead_end(Board(tables, apply(rules, position, one.action))):
            assert one.chance == 0  # the reserve locks itself with this base
        else:
            assert 0 < one.chance < 1
            assert 0 < one.deviation < 0.5
    homes: dict[str, set[tuple[float, float]]] = {}
    for one in found.actions:
        source, _, target = str(one.action).partition("-")
        if target.startswith("f") and not rule_tables(rules).lifts_runs:
            homes.setdefault(source, set()).add((one.chance, one.deviation))
    assert all(len(values) == 1 for values in homes.values())


def test_an_action_to_the_second_empty_column_is_judged():
    """A deal will cover each column with another card, so empty columns are not quite alike."""
    rules = game("rouge-et-noir")
    piles = list(opening(rules, deck_of_seed(bytes(32), 2)).piles)
    t1, t9, t10 = (rules.layout.index[name] for name in ("t1", "t9", "t10"))  # type: ignore[index]
    king = next(card for card in piles[0].cards if card.text == "KS")
    stock = [card for card in piles[0].cards if card is not king]
    moved = [*piles[t9].cards, *piles[t10].cards]
    piles[0] = Pile((*moved, *stock), len(moved) + len(stock))
    piles[t1] = Pile((*piles[t1].cards, king), piles[t1].down)
    piles[t9] = piles[t10] = Pile((), 0)
    found = estimate(see(Position(tuple(piles))), rules, "a", LITTLE)
    chances = {str(one.action): one for one in found.actions}
    for name in ("t1-t9", "t1-t10"):
        assert chances[name].chance > 0
        assert 0 < chances[name].deviation < 0.5


def test_another_seed_guesses_other_orders():
    rules = game("signora")
    sight = see(middle(rules, 4))
    assert len({estimate(sight, rules, seed, LITTLE) for seed in "abcd"}) > 1


@EVERY_GAME
def test_a_game_that_is_played_out_is_legal_and_repeats(rules: Ruleset):
    deck = deck_of_seed(b"1" * 32, rules.decks)  # no reserve of this deal locks itself
    played = play_out(deck, rules, "a", 200)
    position = opening(rules, deck)
    for action in played.actions:
        position = apply(rules, position, action)
    assert is_won(rules, position) == played.won
    chances = played.chance_of_actions(rules.id)
    assert len(chances) == len(played.actions)
    assert chances[0] == calibrated(rules.id, played.chances[0])
    if rules.id in {"bristol", "terrace"}:
        assert play_out(deck, rules, "a", 200) == played
    # A turn ends with a reveal, so no game has more turns than this.
    assert len(played.starts) <= turns_of(rules)


def test_a_game_until_a_card_is_turned_does_not_depend_on_it():
    rules = game("signora")
    position = middle(rules, 4)
    twin = with_other_order(position)
    plans = []
    for here in (position, twin):
        insight = TurnEstimator(rules, see(here), "a", every_action=False)
        insight.run(LITTLE)
        plans.append(insight.plan())
    assert plans[0] == plans[1]
    assert plans[0]


BRISTOL_END = """
stock: [{stock}]
f1: AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC
f2: AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD
f3: AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH
f4: AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS
{columns}
"""


def test_a_certain_win_has_a_chance_near_1():
    rules = game("bristol")
    position = parse_position(rules, BRISTOL_END.format(stock="KC", columns="t1: QC"))
    found = estimate(see(position), rules, "a", LITTLE)
    assert found.chance > 0.98
    assert all(one.chance > 0.98 for one in found.actions)


def test_a_lost_position_has_no_chance():
    rules = game("bristol")
    lost = parse_position(
        rules, BRISTOL_END.format(stock="", columns="t1: QC KC").replace("[]", "-")
    )
    assert estimate(see(lost), rules, "a", LITTLE).chance == 0


@pytest.mark.parametrize(
    ("name", "looks"),
    [("mamy-susan", True), ("bristol", True), ("terrace", False), ("signora", False)],
)
def test_only_cards_in_sight_prove_that_a_turn_is_lost(name: str, *, looks: bool):
    """Mamy Susan's reserve lies face down: that an imagined order of it locks itself says nothing of the real one."""
    rules = game(name)
    tables, position = (
        rule_tables(rules),
        opening(rules, deck_of_code(Code("CB000-00000"), rules.decks)),
    )
    heuristic = player_heuristic(tables, player_weights(rules))
    turn = new_turn(tables, Board(tables, position), see(position), heuristic, 100)
    assert bool(turn.sees_deals) == looks


LAST_CARD = """
stock: [3C]
f1: AC 2C
f2: AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD
f3: AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH
f4: AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS
t1: KC QC JC TC 9C 8C 7C 6C {top}
"""


@pytest.mark.parametrize(("top", "chance"), [("5C 4C", 1), ("4C 5C", 0)])
def test_the_last_hidden_card_is_known_by_elimination(top: str, chance: int):
    """Whoever has counted the cards knows that the three comes, and so whether that wins."""
    rules = game("bristol")
    position = parse_position(rules, LAST_CARD.format(top=top))
    assert see(position).hidden() == 1
    assert see(position).only_position(rules) == position
    found = estimate(see(position), rules, "a", LITTLE).actions
    assert [(str(one.action), one.chance, one.deviation) for one in found] == [("deal", chance, 0)]


def test_wins_that_the_fast_player_misses_are_found_once_a_turned_card_tells_the_last_one():
    """With two cards unseen, each order that is guessed is known after the first of them is turned, and searched."""
    record = next(record for record in RECORDS if record.name == "klondike-won")
    layout, position = record.rules.layout, opening(record.rules, record.cards)
    for move in record.moves[:117]:
        position = apply(record.rules, position, parse_action(layout, move))
    sight = see(position)
    assert len(sight.unseen(record.rules)) == 2
    assert estimate(sight, record.rules, "seed", 30_000).chance > 0.8, "played out, it was 0.2"


def test_cards_that_are_not_equal_may_lie_in_another_order():
    rules = game("bristol")
    position = opening(rules, deck_of_seed(bytes(32), rules.decks))
    assert see(position).only_position(rules) is None


def test_one_action_wins_and_the_other_loses():
    """The queen must go home from below the king before a queen that came first blocks its place."""
    rules = game("bristol")
    # The jack goes home, or onto the queen, from where it comes home as well; the five hides an ace.
    text = """
    f1: AC 2C
    f2: AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD
    f3: AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH
    f4: AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS
    t1: KC QC JC TC 9C 8C 7C 4C
    t2: 3C 5C
    t3: 6C
    """
    position = parse_position(rules, text)
    found = {
        str(one.action): one.chance for one in estimate(see(position), rules, "a", LITTLE).actions
    }
    assert found["t2-t3"] == 1


def test_what_undone_moves_have_shown_is_remembered():
    rules = game("signora")
    position = opening(rules, deck_of_seed(bytes(32), 2))
    home = legal_actions(rules, position)[0]
    before = apply(rules, position, home)
    after = apply(rules, before, parse_action(rules.layout, "deal"))
    assert see(before).piles[0][-1] is None
    sight = see(before, [after])
    assert sight.piles[0][-1] is before.piles[0].cards[-1]
    assert sight.piles[0][-2] is None
    assert sight.down == see(before).down
    assert sight.world(rules, 1, "a").piles[0].cards[-1] is before.piles[0].cards[-1]


def test_face_down_cards_of_columns_are_remembered():
    rules = game("rouge-et-noir")
    hidden = parse_position(rules, "t1: [2C] 3D\nt2: 4S")
    shown = parse_position(rules, "t1: 2C\nt2: 4S 3D")
    assert see(hidden).piles[rules.layout.index["t1"]][0] is None  # type: ignore[index]
    assert (
        see(hidden, [shown]).piles
        == see(hidden.__class__(tuple(pile._replace(down=0) for pile in hidden.piles))).piles
    )


def test_the_unseen_cards_are_those_of_the_deck_that_do_not_show():
    rules = game("bristol")
    position = opening(rules, deck_of_seed(bytes(32), 1))
    unseen = see(position).unseen(rules)
    assert sorted(unseen, key=str) == sorted(position.piles[0].cards, key=str)
    assert unseen[0] is Card.parse(unseen[0].text)


@EVERY_GAME
def test_calibration_keeps_the_order_and_what_is_certain(rules: Ruleset):
    chances = [calibrated(rules.id, share / 200) for share in range(201)]
    assert chances == sorted(chances)
    assert (chances[0], chances[-1]) == (0, 1)
    assert len(set(chances)) > 190
    assert all(slope(rules.id, share / 200) > 0 for share in range(2, 199))


def test_the_order_of_actions_does_not_depend_on_calibration(monkeypatch: pytest.MonkeyPatch):
    sight = see(middle(game("bristol"), 2))
    found = estimate(sight, game("bristol"), "a", LITTLE)
    monkeypatch.setattr("app.solver.calibration.CALIBRATION", {})
    raw = estimate(sight, game("bristol"), "a", LITTLE)
    assert [one.action for one in found.actions] == [one.action for one in raw.actions]
    assert raw.chance < found.chance < 1


@pytest.mark.parametrize("name", PLAYERS)
def test_learned_weights_are_of_features_that_exist(name: str):
    tables, weights = rule_tables(game(name)), PLAYERS[name]
    heuristic = player_heuristic(tables, weights)
    assert set(weights) <= set(heuristic.names)
    assert len(set(heuristic.names)) == len(heuristic.feature)
    known = {
        each: (heuristic.early[i], heuristic.late[i]) for i, each in enumerate(heuristic.names)
    }
    assert {each: pair for each, pair in known.items() if any(pair)} == weights


@pytest.mark.parametrize("method", ["games", "fast", "worlds", "votes", "hints"])
def test_every_method_of_the_benchmark_plays_a_legal_game(method: str, tmp_path: Path):
    notes = insight_bench.Notes(tmp_path / "games.jsonl")
    played = notes.play(game("bristol"), Code("00000-00000"), method, 3_000, "a")
    assert (
        insight_bench.Notes(tmp_path / "games.jsonl").play(
            game("bristol"), Code("00000-00000"), method, 3_000, "a"
        )
        == played
    )
    assert "bristol" in insight_bench.line([played])


def test_the_interval_of_a_share():
    low, high = wilson(20, 40)
    assert (round(low, 3), round(high, 3)) == (0.352, 0.648)


def test_what_is_said_to_be_lost_is_lost_by_exhaustive_search():
    found = {SearchOutcome.UNWINNABLE: 0, SearchOutcome.UNDECIDED: 0, SearchOutcome.WON: 0}
    hidden = 0
    for number, rules in enumerate(SMALL * 8):
        position = ending(rules, random.Random(number))
        for one in estimate(see(position), rules, "a", 1_000).actions:
            if one.deviation == 0:
                assert one.chance in {0, 1}
            if one.deviation == 0 and one.chance == 0:
                found[exhaustive(rules, apply(rules, position, one.action), 300)] += 1
                hidden += see(position).hidden() > 0
    assert found[SearchOutcome.WON] == 0
    assert found[SearchOutcome.UNWINNABLE] > 20
    assert hidden > 10


def test_a_proven_win_can_be_played():
    """Towards the end of a game that was won, wins are proven; what is left to play shows each."""
    rules = game("bristol")
    decks = (deck_of_seed(bytes([number] * 32), 1) for number in range(9))
    won = (deck for deck in decks if play_out(deck, rules, "a", 500).won)
    deck = next(won)
    position = opening(rules, deck)
    proven = 0
    for action in play_out(deck, rules, "a", 500).actions:
        estimator = estimator_for(rules, see(position), "a")
        estimator.run(LITTLE)
        best = estimator.estimates().actions[0]
        if best.chance == 1:
            assert best.deviation == 0
            there = position
            for step in estimator.plan():
                there = apply(rules, there, step)
            assert is_won(rules, there)
            proven += 1
        position = apply(rules, position, action)
    assert proven > 5


def test_a_position_that_several_actions_lead_to_is_judged_once():
    """Eight actions of this game of Spider lead to equal positions: its value was multiplied once for each of them."""
    rules = game("spider-one-suit")
    rng = random.Random("spider-one-suit 208567")
    position = opening(rules, deck_of_seed(rng.randbytes(32), rules.decks))
    for _ in range(rng.randint(5, 150)):
        position = apply(rules, position, rng.choice(legal_actions(rules, position)))
    estimator = TurnEstimator(rules, see(position), "a")
    root = estimator._root
    several = {node for node, count in Counter(estimator._node_of.values()).items() if count == 8}
    ordinary = [root.value[node] for node in estimator._leaves if node not in several]
    assert several & set(estimator._leaves)
    for node in several:
        assert root.value[node] % ROOT_SAMPLES == 0
        assert root.value[node] < 10 * max(ordinary)


def test_people_are_told_the_shorter_of_two_ways_that_are_about_as_good():
    """In this deal of Klondike chance chose ways round the stock; each turn begins after the short way of the last."""
    rules = game("klondike")
    history = History.start(rules, deck_of_code(parse_code("HNT00-00003"), 1))
    lengths = [0, 0]
    deals = [0, 0]
    for _ in range(35):
        sight = see(history.position, history.positions())
        plain = TurnEstimator(rules, sight, "hint")
        people = estimator_for(rules, sight, "hint")
        for number, estimator in enumerate((plain, people)):
            estimator.run(2_000)
            lengths[number] += len(estimator.plan())
            deals[number] += estimator.plan().count(DEAL)
        for action in people.plan():
            history = history.apply(action)
    assert lengths[1] < lengths[0] / 2
    assert deals[1] < deals[0] / 2


def test_the_next_best_is_played_out_and_all_others_stay_as_they_are():
    rules = game("bristol")
    sight = see(opening(rules, deck_of_code(parse_code("JNS00-00007"), 1)))
    estimator, as_it_was = (estimator_for(rules, sight, "hint") for _ in range(2))
    for one in (estimator, as_it_was):
        one.run(200_000)
    before = as_it_was.estimates().actions

    def next_best(found: Sequence[Estimate]) -> Estimate:
        return next(one for one in found if one.chance < found[0].chance)

    assert next_best(before).is_rough
    estimator.play_out_next_best(50_000)
    after = estimator.estimates().actions
    assert not next_best(after).is_rough
    assert after[0] == before[0]
    changed = {one.chance for one in before} - {one.chance for one in after}
    assert 0 < len(changed) < len({one.chance for one in before}) / 2
    # What is refined later goes on as if nothing had been played in between.
    for _ in range(40):
        estimator.refine()
        as_it_was.refine()
    assert estimator.estimates().actions[0] == as_it_was.estimates().actions[0]


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_late_positions_are_judged_as_well(rules: Ruleset):
    for seed in range(4):
        position = late(rules, seed)
        found = estimate(see(position), rules, "a", LITTLE)
        assert {one.action for one in found.actions} == set(legal_actions(rules, position))
        assert 0 <= found.chance <= 1
