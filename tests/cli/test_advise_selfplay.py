import io
import json
import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app import cli
from app.engine.actions import parse_action
from app.engine.deal import opening
from app.engine.rules import legal_actions
from app.engine.shuffle import read_deck
from app.engine.transition import apply, is_won
from app.rulesets import find_ruleset
from tests.support.known import CODE

Json = dict[str, Any]

LITTLE = ("--seconds", "0.005")


def deck_of(fairdeal, ruleset: str) -> list[str]:
    deck: list[str] = json.loads(fairdeal("deal", ruleset, CODE).out)["deck"]
    return deck


@pytest.fixture
def advise(fairdeal, monkeypatch, tmp_path: Path):
    """The command, given a deck and lines of input."""

    def run(ruleset: str, deck: list[str], lines: bytes):
        file = tmp_path / "deck.json"
        file.write_text(json.dumps(deck))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
        return fairdeal("advise", ruleset, "--deck", str(file), *LITTLE)

    return run


def legal_after(ruleset: str, deck: list[str], moves: list[str]) -> list[str]:
    rules = find_ruleset(ruleset)
    assert rules
    position = opening(rules, read_deck(deck, rules.decks))
    for move in moves:
        position = apply(rules, position, parse_action(rules.layout, move))
    return [str(action) for action in legal_actions(rules, position)]


def twin_of(ruleset: str, deck: list[str]) -> list[str]:
    """The deck with the cards that lie face down at first in another order."""
    rules = find_ruleset(ruleset)
    assert rules
    cards = read_deck(deck, rules.decks)
    # Cards that know their place in the deck, dealt in their stead.
    marked: Any = [
        SimpleNamespace(rank=card.rank, suit=card.suit, place=i) for i, card in enumerate(cards)
    ]
    piles: Any = opening(rules, marked).piles
    hidden = [card.place for pile in piles for card in pile.cards[: pile.down]]
    names = [deck[place] for place in hidden]
    random.Random(1).shuffle(names)
    twin = list(deck)
    for place, name in zip(hidden, names, strict=True):
        twin[place] = name
    return twin


# --- advise


@pytest.mark.parametrize("ruleset", ["bristol", "signora", "rouge-et-noir", "falling-star"])
def test_each_legal_action_is_listed_once_the_best_first(fairdeal, advise, ruleset: str):
    deck = deck_of(fairdeal, ruleset)
    moves = [legal_after(ruleset, deck, [])[0]]
    run = advise(ruleset, deck, f"{moves[0]}\n".encode())
    assert (run.code, run.err, run.out.count("\n")) == (0, "", 1)
    answer = json.loads(run.out)
    assert list(answer) == ["actions"]
    assert all(list(one) == ["action", "chance", "error"] for one in answer["actions"])
    assert sorted(one["action"] for one in answer["actions"]) == sorted(
        legal_after(ruleset, deck, moves)
    )
    chances = [one["chance"] for one in answer["actions"]]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= one["chance"] <= 1 and 0 <= one["error"] <= 0.5 for one in answer["actions"])


@pytest.mark.parametrize("ruleset", ["bristol", "signora", "rouge-et-noir", "falling-star"])
def test_decks_that_agree_on_all_that_is_visible_get_equal_bytes(fairdeal, advise, ruleset: str):
    deck = deck_of(fairdeal, ruleset)
    twin = twin_of(ruleset, deck)
    assert twin != deck
    answers = [advise(ruleset, each, b"").out for each in (deck, twin)]
    assert answers[0] == answers[1]
    assert json.loads(answers[0])["actions"]


def test_a_card_that_an_undone_deal_showed_is_remembered(fairdeal, advise):
    """So two decks that differ in it do not agree on all that was visible."""
    deck = deck_of(fairdeal, "bristol")
    twin = twin_of("bristol", deck)
    answers = [advise("bristol", each, b"deal\n\nundo\nstate\n").out for each in (deck, twin)]
    assert answers[0] != answers[1]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (b"deal\nnonsense\n", "Line 2: "),
        (b"t1-t1\n", "Line 1: "),
        (b"\xff\n", "Line 1: "),
        (b"undo\n", "Line 1: "),
        (b"resign\ndeal\n", "Line 2: The game is over"),
    ],
)
def test_a_bad_move_is_named_and_nothing_is_advised(fairdeal, advise, lines: bytes, said: str):
    deck = deck_of(fairdeal, "bristol")
    run = advise("bristol", deck, lines)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"fairdeal: {said}")
    assert len(run.err.splitlines()) == 1


def test_a_game_that_is_over_has_no_actions(fairdeal, advise):
    deck = deck_of(fairdeal, "bristol")
    run = advise("bristol", deck, b"resign\n")
    assert (run.code, json.loads(run.out)) == (0, {"actions": []})


# --- both


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("advise", "whist", "--deck", "x"), "Unknown rule set 'whist'"),
        (("advise", "bristol", "--deck", "/nothing/here"), "Can't read the deck"),
        (("selfplay", "whist", CODE), "Unknown rule set 'whist'"),
        (("selfplay", "bristol", "nonsense"), "“nonsense” isn't a deal code"),
        (("selfplay", "bristol", CODE, "--seconds", "inf"), "--seconds can be at most 3600"),
        (("selfplay", "bristol", CODE, "--seconds", "1e9"), "--seconds can be at most 3600"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(fairdeal, arguments, said: str):
    run = fairdeal(*arguments)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert len(run.err.splitlines()) == 1


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon"])
def test_seconds_are_a_positive_number(capfd, seconds: str):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["selfplay", "bristol", CODE, "--seconds", seconds])
    assert "positive number" in capfd.readouterr().err


# --- selfplay


@pytest.mark.parametrize("ruleset", ["bristol", "terrace"])
def test_selfplay_is_a_legal_game_with_a_chance_for_each_action(fairdeal, ruleset: str):
    run = fairdeal("selfplay", ruleset, CODE, "--seconds", "0.2")
    assert (run.code, run.err, run.out.count("\n")) == (0, "", 1)
    answer = json.loads(run.out)
    assert list(answer) == ["outcome", "actions", "chances", "seconds"]
    rules = find_ruleset(ruleset)
    assert rules
    position = opening(rules, read_deck(deck_of(fairdeal, ruleset), rules.decks))
    for text in answer["actions"]:
        position = apply(rules, position, parse_action(rules.layout, text))
    assert answer["outcome"] == ("won" if is_won(rules, position) else "lost")
    assert len(answer["chances"]) == len(answer["actions"])
    assert all(0 <= chance <= 1 for chance in answer["chances"])
