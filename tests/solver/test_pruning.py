"""Pruning never loses a win: it agrees with an exhaustive search that prunes nothing."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from app.engine.deal import opening
from app.engine.notation import parse_position
from app.engine.position import Pile, Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import apply, is_won
from app.rulesets import HOUSE_RULESETS, RULESETS, find_ruleset
from app.solver.board import Board, decode_move, encode_action
from app.solver.fan_pruning import FanPruning
from app.solver.group_pruning import GroupPruning
from app.solver.klondike_pruning import KlondikePruning
from app.solver.locked_reserve import is_locked
from app.solver.portfolio import portfolio_for
from app.solver.pruning import Pruning
from app.solver.pruning_choice import pruning_for
from app.solver.rule_tables import rule_tables
from app.solver.search import EXHAUSTED, RUNNING, WON, Search
from app.solver.solve import Budget, SearchOutcome, solve, solve_from
from app.solver.suit_pruning import SuitPruning
from tests.solver.small_games import dealt, ending, exhaustive, small

PRUNED = [rules for rules in RULESETS if type(pruning_for(rule_tables(rules))) is not Pruning]
# For two-deck games, also small tables with every card twice.
TABLES = [small(rules) for rules in PRUNED] + [
    small(rules, decks=2) for rules in PRUNED if rules.decks == 2
]
EVERY_TABLE = pytest.mark.parametrize(
    "table", TABLES, ids=lambda table: f"{table.id} of {table.decks}"
)
EVERY_TABLE_WITH_DEAD_ENDS = pytest.mark.parametrize(
    "table",
    [table for table in TABLES if type(pruning_for(rule_tables(table))) is not SuitPruning],
    ids=lambda table: f"{table.id} of {table.decks}",
)
MOST = 4000  # positions of an exhaustive search


def home_to(rank: str) -> str:
    """Three Bristol foundations up to ``rank``, and a column from that rank down to the five."""
    ranks = "A23456789TJQK"[: "A23456789TJQK".index(rank) + 1]
    runs = [" ".join(card + suit for card in ranks) for suit in "HCD"]
    column = " ".join(card + "S" for card in ranks[:3:-1])
    return "".join(f"f{i}: {run}\n" for i, run in enumerate(runs, 1)) + f"t2: {column}\n"


TO_QUEENS = home_to("Q") + "t1: AS\n"
TO_JACKS = home_to("J")


def positions(rules: Ruleset, games: int) -> list[tuple[Position, Board]]:
    """Positions from random play of small games, and the board of each."""
    rng = random.Random(f"cuts {rules.id}")
    found: dict[Position, Board] = {}
    for _ in range(games):
        position = ending(rules, rng)
        for _ in range(rng.randint(0, 10)):
            found[position] = Board(rule_tables(rules), position)
            legal = legal_actions(rules, position)
            if not legal:
                break
            position = apply(rules, position, rng.choice(legal))
    return list(found.items())


def test_every_game_without_runs_has_pruning():
    kinds = {rules.id: type(pruning_for(rule_tables(rules))) for rules in HOUSE_RULESETS}
    assert kinds["bristol"] is FanPruning
    assert {name for name, kind in kinds.items() if kind is Pruning} == {
        "rouge-et-noir",
        "rouge-et-noir-classic",
    }
    assert all(
        type(pruning_for(rule_tables(small(rules)))) is kinds[rules.id] for rules in HOUSE_RULESETS
    )


@EVERY_TABLE_WITH_DEAD_ENDS
def test_a_dead_end_cannot_be_won(table: Ruleset):
    pruning = pruning_for(rule_tables(table))
    checked = 0
    for position, board in positions(table, 80):
        if pruning.is_dead_end(board):
            truth = truth_of(table, position)
            assert truth is not SearchOutcome.WON, position
            checked += truth is SearchOutcome.UNWINNABLE
    assert checked >= 10


@pytest.mark.parametrize("reserves", [2, 3])
def test_dead_ends_by_covering_deals_agree_with_an_exhaustive_search(reserves: int):
    table = small(RULESETS[0])
    assert table.reserve
    table = replace(table, reserve=replace(table.reserve, count=reserves))
    tables = rule_tables(table)
    pruning = pruning_for(tables)
    rng = random.Random(f"deals {reserves}")
    dead_ends: Counter[SearchOutcome] = Counter()
    for _ in range(300):
        position = dealt(table, rng)
        for _ in range(rng.randint(0, 6)):
            legal = legal_actions(table, position)
            if legal:
                position = apply(table, position, rng.choice(legal))
        truth = exhaustive(table, position, MOST)
        if truth is not SearchOutcome.UNDECIDED:
            assert solve_from(table, position, Budget(positions=MOST)).outcome is truth, position
            dead_ends[truth] += pruning.is_dead_end(Board(tables, position))
    assert dead_ends[SearchOutcome.WON] == 0
    assert dead_ends[SearchOutcome.UNWINNABLE] >= 30


@pytest.mark.parametrize("game", ["yukon", "russian-solitaire"])
def test_dead_ends_below_face_down_cards_agree_with_an_exhaustive_search(game: str):
    rules = find_ruleset(game)
    assert rules
    table = small(rules)
    tables = rule_tables(table)
    pruning = pruning_for(tables)
    assert isinstance(pruning, GroupPruning)
    rng = random.Random(f"face down {game}")
    outcomes: Counter[SearchOutcome] = Counter()
    dead_ends: Counter[SearchOutcome] = Counter()
    for _ in range(300):
        position = face_down(table, ending(table, rng, ranks=rng.choice((4, 5, 6))), rng)
        truth = exhaustive(table, position, MOST)
        if truth is SearchOutcome.UNDECIDED:
            continue
        assert solve_from(table, position, Budget(positions=MOST)).outcome is truth, position
        outcomes[truth] += 1
        dead_ends[truth] += pruning.is_dead_end(Board(tables, position))
    assert dead_ends[SearchOutcome.WON] == 0
    assert dead_ends[SearchOutcome.UNWINNABLE] >= 30
    assert min(outcomes.values()) >= 30


KLONDIKES = [
    "klondike",
    "klondike-draw-three",
    "klondike-one-pass",
    "klondike-three-passes",
    "spike",
]


@pytest.mark.parametrize("game", KLONDIKES)
def test_klondike_is_decided_with_its_pruning_as_without_any(game: str):
    rules = find_ruleset(game)
    assert rules
    table = small(rules)
    tables = rule_tables(table)
    pruning = pruning_for(tables)
    assert isinstance(pruning, KlondikePruning)
    rng = random.Random(f"cards come back {game}")
    outcomes: Counter[int] = Counter()
    dead_ends = saved = 0
    for _ in range(150):
        position = face_down(table, ending(table, rng, ranks=rng.choice((6, 7, 8))), rng)
        truth, count = decided(table, position, Pruning())
        outcome, fewer = decided(table, position, pruning)
        if RUNNING in {truth, outcome}:
            continue
        assert outcome == truth, position
        outcomes[truth] += 1
        saved += count - fewer
        if pruning.is_dead_end(Board(tables, position)):
            assert truth == EXHAUSTED, position
            dead_ends += 1
    assert dead_ends >= 5
    assert saved > 1000
    assert min(outcomes[WON], outcomes[EXHAUSTED]) >= 20


def truth_of(table: Ruleset, position: Position) -> SearchOutcome:
    """By the engine alone. Cards that come back make too many positions for it: there by a search without pruning."""
    if not isinstance(pruning_for(rule_tables(table)), KlondikePruning):
        return exhaustive(table, position, MOST)
    status, _ = decided(table, position, Pruning())
    outcomes = {WON: SearchOutcome.WON, EXHAUSTED: SearchOutcome.UNWINNABLE}
    return outcomes.get(status, SearchOutcome.UNDECIDED)


def decided(table: Ruleset, position: Position, pruning: Pruning) -> tuple[int, int]:
    """The status of a search of a position, and how many positions it has seen."""
    tables = rule_tables(table)
    heuristic = portfolio_for(tables)[0].heuristic(tables)
    search = Search(Board(tables, position), heuristic, 3, pruning)
    return search.advance(20 * MOST), search.seen_count


def face_down(table: Ruleset, position: Position, rng: random.Random) -> Position:
    """The position with some cards of each column turned face down."""
    piles = [
        Pile(pile.cards, rng.randint(0, max(0, len(pile.cards) - 1)))
        if index in table.layout.tableau
        else pile
        for index, pile in enumerate(position.piles)
    ]
    return Position(tuple(piles))


@EVERY_TABLE
def test_a_safe_move_does_not_change_the_outcome(table: Ruleset):
    tables = rule_tables(table)
    pruning = pruning_for(tables)
    outcomes = []
    for position, board in positions(table, 80):
        move = pruning.safe_move(board)
        if move:
            action = decode_move(tables, move)
            assert action in legal_actions(table, position)
            before = truth_of(table, position)
            after = truth_of(table, apply(table, position, action))
            if SearchOutcome.UNDECIDED not in {before, after}:
                assert before is after, (position, action)
                outcomes.append(before)
    assert outcomes.count(SearchOutcome.WON) >= 10
    assert outcomes.count(SearchOutcome.UNWINNABLE) >= 3


def homes(*tops: str) -> str:
    """Four foundations of alternating suits, each from its first to its last named card."""
    ranks = "A23456789TJQK" * 2
    text = ""
    for i, (first, last) in enumerate(map(str.split, tops), 1):
        at = ranks.index(first[0])
        run = ranks[at : ranks.index(last, at) + 1]
        text += f"f{i}: " + " ".join(c + first[1:][j % 2] for j, c in enumerate(run)) + "\n"
    return text


NOT_SAFE = [
    # A base card on the tableau: other cards can still be placed on it.
    (
        "signora",
        "waste: 2D\nr1: JD\nt1: KC QD JC TD 9C 8D 7C 6D 5C 4D 3C\nt2: TC KD\nt3: QC AC\n",
        ["ASH K", "AHS K", "ADC 9"],
    ),
    # The only card of a reserve pile: the ten keeps the jack off it at the next deal.
    ("bristol", "stock: [QD KD JC]\nr1: KC JD QC\nr2: TD\n", ["ASH K", "AHS K", "ACD T", "ADC 9"]),
    # The pile would be filled, with a card that is needed in the waste
    (
        "signora",
        "stock: [KC TD KH 2C]\nwaste: JC QS 2H AS\nr1: JH\nt1: AD\nt2: TS\nt3: QD\n",
        ["3SH 2", "3HS 9", "3CD 9", "3DC 2"],
    ),
    # or in the stock.
    (
        "blondes-and-brunettes",
        "stock: [4D 7H 6S]\nwaste: 2D 7C\nr1: 4S 3C\nt1: 6D 5C\nt2: 5H\nt3: 3H\n",
        ["8SH 7", "8HS 2", "8CD A", "8DC 7"],
    ),
    # In suit: the five of the waste has no place but the black six.
    (
        "generals-patience",
        "waste: 4D 5D\nt1: KD 6S\nt2: JD TD 9D 8D 7D 6D\nt3: QD KS QS JS TS 9S 8S 7S\n",
        ["ASS 5", "AHH K", "ACC K", "ADD 3"],
    ),
]


@pytest.mark.parametrize(("game", "text", "tops"), NOT_SAFE)
def test_moves_home_that_lose_the_game_are_not_safe_moves(game: str, text: str, tops: list[str]):
    rules = find_ruleset(game)
    assert rules
    table = small(rules)
    position = parse_position(table, text + homes(*tops))
    losing = [
        action
        for action in legal_actions(table, position)
        if exhaustive(table, apply(table, position, action), MOST) is SearchOutcome.UNWINNABLE
    ]
    tables = rule_tables(table)
    assert encode_action(tables, losing[0]) & 31 >= tables.first_reserve
    assert pruning_for(tables).safe_move(Board(tables, position)) not in {
        encode_action(tables, a) for a in losing
    }
    assert exhaustive(table, position, MOST) is SearchOutcome.WON
    assert solve_from(table, position, Budget(positions=MOST)).outcome is SearchOutcome.WON


@pytest.mark.parametrize(
    ("text", "tops"),
    [
        # One king may end up under the other, though it could have left before.
        ("stock: [KC TD JD QD]\nr2: KD\n", ["ASH K", "AHS K", "ACD 9", "ADC Q"]),
        # The king may be alone where the ten lay when the jack is dealt.
        ("stock: [JS KS QH]\nr1: TH\nt1: 9S\n", ["ASH 8", "AHS K", "ACD K", "ADC K"]),
    ],
)
def test_a_card_that_could_have_left_before_a_deal_may_still_be_there(text: str, tops: list[str]):
    table = small(RULESETS[0])
    position = parse_position(table, text + homes(*tops))
    assert exhaustive(table, position, MOST) is SearchOutcome.WON
    assert solve_from(table, position, Budget(positions=MOST)).outcome is SearchOutcome.WON


def test_a_winnable_position_can_be_won_without_dominated_moves():
    table = small(RULESETS[0])
    tables = rule_tables(table)
    pruning = pruning_for(tables)
    checked = 0
    for position, board in positions(table, 40):
        dominated = {
            decode_move(tables, board.moves[i])
            for i in range(board.generate_moves())
            if pruning.is_dominated(board, board.moves[i])
        }
        truth = exhaustive(table, position, MOST) if dominated else SearchOutcome.UNDECIDED
        if truth is SearchOutcome.UNDECIDED or is_won(table, position):
            continue
        checked += 1
        others = [action for action in legal_actions(table, position) if action not in dominated]
        after = [exhaustive(table, apply(table, position, action), MOST) for action in others]
        assert (SearchOutcome.WON in after) == (truth is SearchOutcome.WON), position
    assert checked >= 10


def test_the_only_way_to_a_covered_card_is_not_dominated():
    rules = RULESETS[0]
    position = parse_position(rules, f"{home_to('K')}f4: AS\nr1: 3S\nt1: 2S 4S")
    assert solve_from(rules, position, Budget(positions=1000)).outcome is SearchOutcome.WON


@pytest.mark.parametrize(
    ("game", "text", "is_dead_end"),
    [
        # The only three lies under a king, which goes home last.
        ("bristol", "f1: AS 2S\nt1: 3S KS\nt2: 4H", True),
        ("bristol", "f1: AS 2S\nt1: KS 3S\nt2: 4H", False),
        # Another three has gone home already, and so can the king.
        ("bristol", "f1: AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS\nt1: 3H KS\nt2: 4H", False),
        # All four kings lie on lower cards; a king at the bottom of its pile does not.
        ("bristol", f"{TO_QUEENS}r1: 2S KS\nr2: 3S KH\nr3: 4S KC KD", True),
        ("bristol", f"{TO_QUEENS}r1: 2S KS\nr2: 3S KH\nr3: KC 4S KD", False),
        # All queens lie on lower cards; but one can move to a king uncovered on the tableau.
        ("bristol", f"{TO_JACKS}r1: KC KD KH KS 2S QS\nr2: 3S QH\nr3: 4S QC QD\nt1: AS", True),
        ("bristol", f"{TO_JACKS}r1: KC KD KH 2S QS\nr2: 3S QH\nr3: 4S QC QD\nt1: KS AS", False),
        # The two lies on the ace, and can only leave it for a red three: there is none,
        ("yukon", "t1: AS 2S\nt2: KH", True),
        ("yukon", "t1: AS 2S\nt2: 3H", False),
        # or the only one lies below the ace.
        ("yukon", "t1: 3H AS 2S\nt2: KH", True),
        ("russian-solitaire", "t1: AS 2S\nt2: 3H", True),
        ("russian-solitaire", "t1: AS 2S\nt2: 3S", False),
        # Both black fours of each suit lie under the five that waits for one of them.
        ("signora", "r1: 4C 4S 4C 4S 5H\nf1: 3H", True),
        ("signora", "r1: 4C 4S 4C 5H\nf1: 3H\nwaste: 4S", False),
        ("signora", "r1: 4C 4S 4C 5H 4S\nf1: 3H", False),
        # Both red fives wait for a black four, and only one can be free before they are home.
        ("signora", "r1: 4C 4S 4C 5H 5D\nf1: 3H", True),
        ("signora", "r1: 4C 4S 5H 5D\nf1: 3H", False),
        # The queen takes one foundation up, the jack needs the other, and its two lies below it.
        ("mamy-susan", "r1: 2C JC QC", True),
        ("mamy-susan", "r1: 2C QC JC", False),
        ("mamy-susan", "r1: JC 2C QC", False),
        ("mamy-susan", "r1: 2C JC QS", False),
        # Both nines need a four, and one of those lies below them.
        ("mamy-susan", "r1: 4H 9H 9H", True),
        ("mamy-susan", "r1: 9H 4H 9H", False),
        # The other nine has gone home on the other four.
        ("mamy-susan", "r1: 4H 9H\nf1: AH 2H 3H 4H 5H 6H 7H 8H 9H", True),
        ("mamy-susan", "r1: 4H 9H\nf1: AH 2H 3H 4H 5H 6H 7H 8H", False),
        # With the king as base, the king goes home first and the queen last.
        ("generals-patience", "r1: 2C JC QC\nf1: KS", True),
        ("generals-patience", "r1: 2C JC KC\nf1: KS", False),
        ("generals-patience", "r1: 2C JC KC\nf1: AS", True),
    ],
)
def test_only_deadlocks_are_found(game: str, text: str, is_dead_end: bool):
    rules = find_ruleset(game)
    assert rules
    tables = rule_tables(rules)
    assert (
        pruning_for(tables).is_dead_end(Board(tables, parse_position(rules, text))) == is_dead_end
    )


@pytest.mark.parametrize(
    ("game", "code"),
    [
        ("bristol", "26112-102VF"),
        ("blondes-and-brunettes", "26112-1055W"),
        ("falling-star", "26112-1055W"),
        ("signora", "00000-0025P"),  # with every base that the player can choose
        ("terrace", "00000-007B1"),
        ("mamy-susan", "00000-00004"),
        ("generals-patience", "00000-00001"),
    ],
)
def test_whole_deals_are_proven_unwinnable(game: str, code: str):
    rules = find_ruleset(game)
    assert rules
    result = solve(rules, deck_of_code(parse_code(code), rules.decks), Budget(positions=1000))
    assert result.outcome is SearchOutcome.UNWINNABLE


@pytest.mark.parametrize("ruleset", ["falling-star", "terrace", "generals-patience"])
def test_a_deal_whose_reserve_is_seen_to_lock_itself_is_lost(ruleset):
    rules = find_ruleset(ruleset)
    assert rules
    locked = 0
    for number in range(40):
        code = parse_code(f"{number:05d}-00000")
        position = opening(rules, deck_of_code(code, rules.decks))
        if is_locked(rules, position):
            locked += 1
            found = solve_from(rules, position, Budget(positions=2_000))
            assert found.outcome is SearchOutcome.UNWINNABLE, code
    assert locked


def test_of_a_reserve_that_hides_a_card_nothing_is_told():
    rules = find_ruleset("falling-star")
    assert rules
    for number in range(40):
        deck = deck_of_code(parse_code(f"{number:05d}-00000"), rules.decks)
        position = opening(rules, deck)
        if is_locked(rules, position):
            break
    assert is_locked(rules, position)
    (index,) = rules.layout.reserves
    piles = list(position.piles)
    piles[index] = piles[index]._replace(down=1)
    assert not is_locked(rules, position._replace(piles=tuple(piles)))
