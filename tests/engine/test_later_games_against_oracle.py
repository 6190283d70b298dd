"""The engine and a second implementation of the games that came after the first eight, compared move by move."""

import random
from collections.abc import Iterator

import pytest

from app.engine.actions import parse_action
from app.engine.deal import opening
from app.engine.position import Pile, Position
from app.engine.rules import legal_actions, refusal
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply, is_won
from app.rulesets import HOUSE_RULESETS, RULESETS, find_ruleset
from tests.engine.oracle_of_later_games import GAMES, Cards
from tests.golden.records import RECORDS


def as_cards(rules: Ruleset, position: Position) -> Cards:
    """A position of the engine in the words of the oracle."""
    piles = dict(zip(map(str, rules.layout.ids), position.piles, strict=True))
    return Cards(
        {name: [card.text for card in pile.cards] for name, pile in piles.items()},
        {name: pile.down for name, pile in piles.items()},
        base=_base_of(piles) if GAMES[rules.id].around else "A",
    )


def _base_of(piles: dict[str, Pile]) -> str:
    """The rank with which the foundations begin; empty while it can be chosen."""
    homes = [pile for name, pile in piles.items() if name[0] == "f" and pile.cards]
    return homes[0].cards[0].text[0] if homes else ""


def same(rules: Ruleset, position: Position, cards: Cards) -> bool:
    theirs = as_cards(rules, position)
    return theirs.piles == cards.piles and all(
        theirs.hidden[name] == cards.hidden.get(name, 0) for name in theirs.piles
    )


def some_moves(rules: Ruleset, chance: random.Random) -> Iterator[str]:
    """Moves between any two piles, most of them against the rules."""
    for _ in range(12):
        source, target = chance.sample(rules.layout.ids, 2)
        count = chance.choice((1, 1, 1, 2, 3, 13))
        yield f"{source}-{target}" + (f":{count}" if count > 1 else "")


def test_every_game_is_written_a_second_time():
    first = {rules.id for rules in HOUSE_RULESETS}
    assert {rules.id for rules in RULESETS} == first | GAMES.keys()


@pytest.mark.parametrize("ruleset", GAMES)
def test_random_games_are_judged_alike(ruleset: str):
    rules, game = find_ruleset(ruleset), GAMES[ruleset]
    assert rules
    chance = random.Random(ruleset)
    deals = compared = 0
    for _ in range(12):
        position = opening(rules, deck_of_seed(chance.randbytes(32), rules.decks))
        cards = as_cards(rules, position)
        for _ in range(120):
            legal = sorted(map(str, legal_actions(rules, position)))
            assert legal == sorted(game.moves(cards)), cards
            for word in some_moves(rules, chance):
                judged = refusal(rules, position, parse_action(rules.layout, word))
                assert (judged is None) == (word in legal), (word, judged, cards)
            if not legal:
                break
            # Cards that go home and cards that move uncover others, so they are taken more often.
            home = [word for word in legal if "-f" in word]
            word = chance.choice(home if home and chance.random() < 0.6 else legal)
            position = apply(rules, position, parse_action(rules.layout, word))
            cards = game.after(cards, word)
            assert same(rules, position, cards), (word, cards)
            deals += word == "deal"
            compared += 1
    assert compared > 60  # games of Russian Solitaire are soon lost
    assert deals or not rules.can_deal


@pytest.mark.parametrize(
    "record", [record for record in RECORDS if record.ruleset in GAMES], ids=lambda r: r.name
)
def test_recorded_games_are_judged_alike(record):
    rules, game = record.rules, GAMES[record.ruleset]
    position = opening(rules, record.cards)
    cards = as_cards(rules, position)
    for word in record.moves:
        assert {str(action) for action in legal_actions(rules, position)} == game.moves(cards)
        position = apply(rules, position, parse_action(rules.layout, word))
        cards = game.after(cards, word)
        assert same(rules, position, cards)
    home = sum(len(cards.piles[name]) for name in cards.names("f"))
    assert (home == rules.cards) == is_won(rules, position)
    assert (not game.moves(cards) and home < rules.cards) == (record.end == "lost")
