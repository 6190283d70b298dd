"""Safe moves lose nothing, and an automatic finish wins."""

import random
from itertools import permutations

import pytest

from app.engine.actions import DEAL, parse_action
from app.engine.cards import Suit, fresh_deck
from app.engine.notation import parse_position
from app.engine.position import EMPTY, Pile, Position
from app.engine.rules import legal_actions, runs_home
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.rulesets import RULESETS
from app.rulesets.klondike import DRAW_THREE, KLONDIKE, ONE_PASS
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.spider import SPIDER
from app.rulesets.yukon import SCORPION
from app.solver.auto_finish import (
    automatic_finish,
    can_finish,
    complete_runs,
    finishing_moves,
    moves_to_make,
    safe_moves,
)
from app.solver.solve import Budget, SearchOutcome, solve_from
from tests.solver.small_games import ending, small

CARD_BY_CARD = pytest.mark.parametrize(
    "rules",
    [rules for rules in RULESETS if not rules.has_only_whole_runs],
    ids=lambda rules: rules.id,
)
EVERY_GAME = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)


@CARD_BY_CARD
def test_a_safe_move_does_not_change_the_outcome(rules: Ruleset):
    table = small(rules)
    rng = random.Random(f"safe {rules.id}")
    tried = 0
    for _ in range(40):
        position = ending(table, rng)
        for _ in range(rng.randint(0, 12)):
            legal = legal_actions(table, position)
            if not legal:
                break
            position = apply(table, position, rng.choice(legal))
        before = None
        for action in safe_moves(table, position):
            before = before or solve_from(table, position, Budget(60_000)).outcome
            assert before is not SearchOutcome.UNDECIDED
            after = solve_from(table, apply(table, position, action), Budget(60_000)).outcome
            assert after is before, (position, action)
            tried += 1
    assert tried >= 3


@CARD_BY_CARD
def test_an_automatic_finish_brings_everything_home(rules: Ruleset):
    table = small(rules)
    rng = random.Random(f"plain {rules.id}")
    found = 0
    for _ in range(60):
        position = ending(table, rng)
        for _ in range(30):
            actions = automatic_finish(table, position)
            legal = legal_actions(table, position)
            if actions or not legal:
                break
            moves_home = [action for action in legal if "-f" in str(action)]
            position = apply(table, position, rng.choice(moves_home or legal))
        if actions and not is_won(table, position):
            found += 1
            for action in actions:
                position = apply(table, position, action)
            assert is_won(table, position)
    assert found >= 3


WITH_STOCK = [rules for rules in RULESETS if rules.has_stock]
"""Games in which cards may be face down in the stock when the rest lies open."""


def endgame(rules: Ruleset, rng: random.Random) -> Position:
    """A random position with most cards home and the others face up in columns, or in the stock and on the waste."""
    layout = rules.layout
    home = {suit: rng.randint(5, 13) for suit in Suit}
    cards = [card for card in fresh_deck(1) if card.rank > home[card.suit]]
    rng.shuffle(cards)
    if rng.random() < 0.7:  # such that most can go home: the columns lie in order
        cards.sort(key=lambda card: -card.rank + rng.randint(0, 2))
    undealt = [
        cards.pop(rng.randrange(len(cards))) for _ in range(min(len(cards), rng.choice((0, 6))))
    ]
    dealt = undealt[: rng.randint(0, len(undealt))] if layout.waste else []
    piles = [EMPTY] * len(layout.ids)
    piles[layout.stock] = Pile(tuple(undealt[len(dealt) :]), len(undealt) - len(dealt))
    if layout.waste:
        piles[layout.waste] = Pile(tuple(dealt), 0)
    for suit, index in zip(Suit, layout.foundations, strict=False):
        there = tuple(
            card for card in fresh_deck(1) if card.suit is suit and card.rank <= home[suit]
        )
        piles[index] = Pile(there, 0)
    for index in layout.tableau:
        count = rng.randint(0, len(cards)) if index < layout.tableau.stop - 1 else len(cards)
        piles[index], cards = Pile(tuple(cards[:count]), 0), cards[count:]
    return Position(tuple(piles))


def look_alike(rules: Ruleset, position: Position, rng: random.Random) -> Position:
    """The same to the eye: the face-down cards of the stock lie in another order."""
    stock = position.piles[rules.layout.stock]
    hidden = list(stock.cards[: stock.down])
    rng.shuffle(hidden)
    piles = list(position.piles)
    piles[rules.layout.stock] = Pile((*hidden, *stock.cards[stock.down :]), stock.down)
    return Position(tuple(piles), position.redeals)


@pytest.mark.parametrize("rules", WITH_STOCK, ids=lambda rules: rules.id)
def test_a_finish_that_is_offered_wins_in_whatever_order_the_hidden_cards_lie(rules: Ruleset):
    rng = random.Random(f"round {rules.id}")
    offered = with_stock = 0
    for _ in range(150):
        # In most games nothing is offered while cards are in stock; if it is, it has to win there, too.
        position = endgame(rules, rng) if rules.decks == 1 else ending(small(rules), rng)
        table = rules if rules.decks == 1 else small(rules)
        if is_won(table, position):
            continue
        undealt = len(position.piles[table.layout.stock].cards)
        is_offered = can_finish(table, position)
        for other in (position, *(look_alike(table, position, rng) for _ in range(4))):
            assert can_finish(table, other) == is_offered, (position, other)
            actions = automatic_finish(table, other)
            assert bool(actions) == is_offered
            for action in actions:
                other = apply(table, other, action)  # noqa: PLW2901 - played to the end
            assert is_won(table, other) == is_offered
        offered += is_offered
        with_stock += is_offered and undealt > 0
    assert offered >= 3 or rules.decks == 2 or rules.has_only_whole_runs
    assert (with_stock >= 10) == (rules is KLONDIKE)


def klondike_with(stock: str, waste: str = "") -> str:
    """A Klondike position with all of spades, hearts and diamonds home, and of clubs up to the nine."""
    ranks = "A23456789TJQK"
    home = [f"f{n}: {' '.join(rank + suit for rank in ranks)}" for n, suit in enumerate("SHD", 1)]
    clubs = f"f4: {' '.join(rank + 'C' for rank in ranks[:9])}"
    return "\n".join([f"stock: {stock}", f"waste: {waste}", *home, clubs])


def test_with_everything_else_face_up_the_stock_is_dealt_until_all_is_home():
    position = parse_position(KLONDIKE, klondike_with("[TC JC QC]", "KC"))
    assert can_finish(KLONDIKE, position)
    # The next card of the stock is its top: the queen.
    assert " ".join(map(str, automatic_finish(KLONDIKE, position))) == (
        "deal deal deal waste-f4 waste-f4 waste-f4 waste-f4"
    )
    for rules in (DRAW_THREE, ONE_PASS):  # some cards may not come by again
        assert not can_finish(rules, parse_position(rules, klondike_with("[TC JC QC]", "KC")))
    below = parse_position(KLONDIKE, klondike_with("[JC QC]", "KC") + "\nt1: [TC] 9H")
    assert not can_finish(KLONDIKE, below)


def test_the_last_moves_home_of_a_won_game_finish_it():
    position = parse_position(KLONDIKE, klondike_with("[TC JC QC]") + "\nt1: KC")
    played = ["t1-t2", *["deal"] * 3, *["waste-f4"] * 3, "t2-f4"]
    actions = [parse_action(KLONDIKE.layout, word) for word in played]
    positions = [position]
    for action in actions:
        positions.append(apply(KLONDIKE, positions[-1], action))
    assert finishing_moves(KLONDIKE, positions, actions) == 7
    assert finishing_moves(KLONDIKE, positions[:-1], actions[:-1]) == 0  # not won
    # Where the stock does not come by again, deals are decisions.
    assert finishing_moves(ONE_PASS, positions, actions) == 4


def test_a_card_that_lies_on_one_that_has_to_go_first_keeps_a_game_from_being_finished():
    position = parse_position(KLONDIKE, klondike_with("[JC QC]") + "\nt1: TC KC")
    assert not can_finish(KLONDIKE, position)


def test_a_finish_takes_no_more_deals_than_promised():
    clubs = [f"{rank}C" for rank in "TJQK"]
    for order in permutations(clubs):
        position = parse_position(KLONDIKE, klondike_with(f"[{' '.join(order)}]"))
        actions = automatic_finish(KLONDIKE, position)
        assert actions.count(DEAL) <= len(order) * (len(order) + 3) // 2


def test_hidden_cards_are_never_used_to_finish():
    bristol = RULESETS[0]
    home = " ".join(f"{rank}S" for rank in "A23456789TJQ")
    position = parse_position(bristol, f"stock: [KS]\nf1: {home}")
    assert automatic_finish(bristol, position) == []


def test_a_card_that_another_can_be_laid_on_is_not_safe():
    bristol = RULESETS[0]
    position = parse_position(bristol, "f1: AS\nt1: 2S\nt2: AH")
    assert [str(action) for action in safe_moves(bristol, position)] == ["t2-f2", "t2-f3", "t2-f4"]


RUN = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"
OTHERS = "\n".join(f"t{column}: 9H" for column in range(2, 11))
STOCK = f"stock: [{' '.join(['3H'] * 10)}]"


@pytest.mark.parametrize(
    ("rules", "text", "runs"),
    [
        (SPIDER, f"{STOCK}\nt1: 9D {RUN}\n{OTHERS}", {"t1"}),
        (SPIDER, f"{STOCK}\nt1: {RUN}\n{OTHERS}", set()),  # no deal would be left to make
        (SPIDER, f"t1: {RUN}\n{OTHERS}", {"t1"}),
        (SPIDER, f"t1: {RUN} 9D\nt2: {RUN[3:]}", set()),
        (SCORPION, f"stock: [3H]\nt1: {RUN}", {"t1"}),
    ],
)
def test_a_complete_run_goes_home_where_only_those_do(rules: Ruleset, text: str, runs: set[str]):
    position = parse_position(rules, text)
    assert {move.source for move in complete_runs(rules, position)} == runs
    assert {*complete_runs(rules, position)} <= {*moves_to_make(rules, position)}


def test_a_run_is_the_players_choice_where_cards_also_go_home_one_by_one():
    run = "KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS"
    position = parse_position(ROUGE_ET_NOIR, f"t1: {run}")
    assert runs_home(ROUGE_ET_NOIR, legal_actions(ROUGE_ET_NOIR, position))
    assert complete_runs(ROUGE_ET_NOIR, position) == []
