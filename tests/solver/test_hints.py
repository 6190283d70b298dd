"""Hints use only what is visible, are legal, and are explained."""

import random
import re

import pytest

from app.engine.actions import DEAL, Move, parse_action
from app.engine.deal import opening
from app.engine.history import History
from app.engine.notation import parse_position
from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.ruleset import PileId, Ruleset
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply
from app.rulesets import RULESETS, find_ruleset
from app.rulesets.spider import ONE_SUIT
from app.solver.auto_finish import complete_runs, safe_moves
from app.solver.hints import explain, hints, instruction
from app.solver.sight import see
from tests.golden.records import RECORDS

EVERY_GAME = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
POSITIONS = 3  # tested in each game
DEEP = 40  # actions into a game at most


def middle(rules: Ruleset, seed: int) -> Position:
    """A position some random actions into a game."""
    rng = random.Random(f"{rules.id} {seed}")
    position = opening(rules, deck_of_seed(rng.randbytes(32), rules.decks))
    for _ in range(rng.randint(0, DEEP)):
        legal = legal_actions(rules, position)
        if not legal:
            break
        position = apply(rules, position, rng.choice(legal))
    return position


@EVERY_GAME
def test_positions_that_look_alike_get_the_same_hints(rules: Ruleset):
    for seed in range(POSITIONS):
        position = middle(rules, seed)
        sight = see(position)
        lookalike = sight.world(rules, 99, "look-alike")
        assert see(lookalike) == sight
        assert (lookalike != position) == bool(sight.hidden())
        assert hints(rules, see(lookalike)) == hints(rules, sight)


@EVERY_GAME
def test_a_card_that_is_safe_at_home_is_the_first_hint(rules: Ruleset):
    for seed in range(POSITIONS):
        position = middle(rules, seed)
        safe = safe_moves(rules, position)
        first = hints(rules, see(position))[:1]
        assert not safe or (first[0].action in safe and first[0].promising)


def test_a_complete_run_comes_before_a_deal():
    record = next(
        each for each in RECORDS if (each.ruleset, each.end) == ("spider-one-suit", "won")
    )
    history = History.start(ONE_SUIT, record.cards)
    for move in record.moves:
        action = parse_action(ONE_SUIT.layout, move)
        if action in complete_runs(ONE_SUIT, history.position) and DEAL in legal_actions(
            ONE_SUIT, history.position
        ):
            first = hints(ONE_SUIT, see(history.position))[0]
            assert (first.action, first.promising) == (action, True)
        history = history.apply(action)


@EVERY_GAME
def test_every_hint_is_legal_explained_and_given_once(rules: Ruleset):
    for seed in range(POSITIONS):
        position = middle(rules, seed)
        given = hints(rules, see(position))
        legal = legal_actions(rules, position)
        assert {hint.action for hint in given} <= set(legal)
        assert len({hint.action for hint in given}) == len(given)
        assert bool(given) == bool(legal)
        for hint in given:
            if hint.action != DEAL or hint.reason:
                assert re.fullmatch("[A-Z].*[.]", hint.reason)
            told = instruction(rules, see(position), hint.action)
            assert re.match("(Play|Deal|Turn) ", told)
            assert len(told) < 80, told


@EVERY_GAME
def test_a_sampled_position_holds_the_whole_deck(rules: Ruleset):
    position = middle(rules, 1)
    sampled = see(position).world(rules, 3, "any")
    assert sorted(card.text for pile in sampled.piles for card in pile.cards) == sorted(
        card.text for pile in position.piles for card in pile.cards
    )


def said(rules: Ruleset, text: str, word: str) -> str:
    sight = see(parse_position(rules, text))
    return next(hint.reason for hint in hints(rules, sight) if str(hint.action) == word)


def test_the_explanation_names_the_effect_of_the_move():
    bristol, signora, rouge = RULESETS[0], RULESETS[1], find_ruleset("rouge-et-noir")
    assert rouge
    assert said(bristol, "f1: AS\nt1: 3D 2H", "t1-f1") == "The two of hearts goes home."
    assert (
        said(bristol, "f1: AS 2S\nt1: 3D 2H\nt2: 3H", "t1-t2")
        == "The two of hearts fits on the three of hearts"
        " and frees the three of diamonds, which can also go home."
    )
    assert (
        said(rouge, "t1: [KH] QS\nt2: KD", "t1-t2")
        == "The queen of spades fits on the king of diamonds and turns a card face up."
    )
    assert (
        said(signora, "waste: 4C\nf1: 9H\nt1: 7S\nt2: 8D", "t1-t2")
        == "The seven of spades fits on the eight of diamonds and lets the waste fill the empty column."
    )
    assert (
        said(signora, "r1: 4C\nt1: 7S", "t1-f1")
        == "The seven of spades goes home and sets the base."
    )


def test_a_cell_is_called_a_cell():
    freecell = find_ruleset("freecell")
    assert freecell

    def told(text: str, word: str) -> tuple[str, str]:
        sight = see(parse_position(freecell, text))
        hint = next(hint for hint in hints(freecell, sight) if str(hint.action) == word)
        return instruction(freecell, sight, hint.action), hint.reason

    play = "Play the jack of hearts to an empty cell."
    goes = "The jack of hearts goes to an empty cell"
    assert told("f1: AS\nt1: 9C JH", "t1-c1") == (play, f"{goes}.")
    assert told("f1: AS\nt1: 2S JH", "t1-c1") == (
        play,
        f"{goes} and frees the two of spades, which can go home.",
    )
    assert told("f1: AS\nt1: JH\nt2: KC", "t1-c1") == (
        play,
        f"{goes} and leaves an empty column.",
    )


def test_a_card_for_the_reserve_goes_to_the_reserve():
    new_york = find_ruleset("new-york")
    assert new_york
    for reserve in ("", "r1: KS\n"):
        sight = see(parse_position(new_york, f"{reserve}stock: 3D 9C\nf1: AS\nt1: KH"))
        hint = next(hint for hint in hints(new_york, sight) if str(hint.action) == "stock-r1")
        told = instruction(new_york, sight, hint.action)
        assert told == "Play the nine of clubs from the stock to the reserve."
        assert hint.reason == "The nine of clubs goes to the reserve."


def test_a_card_that_wins_the_game_comes_first():
    bristol = RULESETS[0]
    sight = see(parse_position(bristol, "r1: KS\nf1: AS 2S\nt1: 3S\nt2: 4S"))
    assert hints(bristol, sight)[0].action == Move(PileId("t1"), PileId("f1"))


def test_the_deal_is_the_hint_when_no_move_helps():
    signora = RULESETS[1]
    text = "stock: [2C 3C]\nf1: 9H\n" + "\n".join(f"t{n}: KS" for n in range(1, 3))
    first = hints(signora, see(parse_position(signora, text)))[0]
    assert first.action == DEAL
    assert first.reason == "Nothing else can be played."


CAN_WAIT = "The other moves can wait: the stock comes round again."


@pytest.mark.parametrize(
    ("ruleset", "stock", "words"),
    [
        ("klondike", "[2C 3C]", "Deal one card to the waste."),
        ("klondike", "", "Turn the waste over to make a new stock."),
        ("klondike-draw-three", "[2C 3C 4C 5C]", "Deal three cards to the waste."),
        ("klondike-draw-three", "[2C 3C]", "Deal two cards to the waste."),
        ("bristol", "[2C 3C 4C]", "Deal one card to each reserve pile."),
        ("bristol", "[2C]", "Deal the last card."),
        ("rouge-et-noir", f"[{' '.join(['2C'] * 10)}]", "Deal one card to each column."),
        ("rouge-et-noir", f"[{' '.join(['2C'] * 9)}]", "Deal the last nine cards."),
        # A click on this stock plays its top card if it can.
        ("blondes-and-brunettes-till-dawn", "2C 3C", "Deal one card to the waste. Press Deal."),
    ],
)
def test_a_deal_is_told_by_what_it_does(ruleset: str, stock: str, words: str):
    rules = find_ruleset(ruleset)
    assert rules
    laid = f"stock: {stock}\n" if stock else "waste: 2C\n"
    sight = see(parse_position(rules, f"{laid}t1: 5S\nt2: 6H"))
    assert instruction(rules, sight, DEAL) == words


@pytest.mark.parametrize(
    ("text", "move", "words"),
    [
        (
            "waste: 2C 5S\nt1: 6H",
            "waste-t1",
            "Play the five of spades from the waste on the six of hearts.",
        ),
        (
            "waste: 2C AS\nt1: 6H",
            "waste-f1",
            "Play the ace of spades from the waste to a foundation.",
        ),
        ("t1: 6H\nt2: 5S 4D", "t2-t1:2", "Play the five of spades (2 cards) on the six of hearts."),
        # Nobody counts the columns: the card says where it lies.
        ("t1: 6H\nt2: 5S", "t2-t1", "Play the five of spades on the six of hearts."),
    ],
)
def test_a_hint_tells_what_goes_where_and_from_where(text: str, move: str, words: str):
    klondike = find_ruleset("klondike")
    assert klondike
    sight = see(parse_position(klondike, text))
    assert instruction(klondike, sight, parse_action(klondike.layout, move)) == words


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("t1: 5S\nt2: 6H", CAN_WAIT),  # the five would leave its column empty
        ("t1: 9S\nt2: 6H", "Nothing else can be played."),
        ("t1: 9C 5S\nt2: 6H", "No move brings a card home, turns one up or empties a column."),
        ("t1: [9C] 5S\nt2: 6H", CAN_WAIT),
        ("f1: AS\nt1: 9C 2S\nt2: 6H", CAN_WAIT),
    ],
)
def test_a_deal_is_explained_by_what_no_move_does_or_by_what_can_wait(text: str, why: str):
    klondike = find_ruleset("klondike")
    assert klondike
    sight = see(parse_position(klondike, f"stock: [2C 3C]\n{text}"))
    assert explain(klondike, sight, DEAL) == why
    one_pass = find_ruleset("klondike-one-pass")
    assert one_pass
    assert explain(one_pass, sight, DEAL) == why.replace(CAN_WAIT, ""), "the stock does not return"


def test_a_remembered_card_is_no_surprise_to_the_hints():
    rouge = find_ruleset("rouge-et-noir")
    assert rouge
    hidden = parse_position(rouge, "t1: [KH] QS\nt2: KD")
    sight = see(hidden, [parse_position(rouge, "t1: KH\nt2: KD QS")])
    assert sight.hidden() == 0
    told = next(hint for hint in hints(rouge, sight) if str(hint.action) == "t1-t2")
    assert told.reason.endswith("and turns a card face up.")


def test_the_next_card_of_a_closed_reserve_is_turned_up():
    canfield = find_ruleset("canfield")
    assert canfield
    sight = see(parse_position(canfield, "stock: [9S]\nf1: 3H\nr1: [2C] 4H\nt1: KS"))
    told = next(hint for hint in hints(canfield, sight) if str(hint.action) == "r1-f1")
    assert told.reason == "The four of hearts goes home and turns a card face up."
