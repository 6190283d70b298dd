"""The engine agrees with the oracle: in random play, complete games and recorded games."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.engine.actions import Action, Move, parse_action
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.history import History
from app.engine.rules import legal_actions, refusal
from app.engine.ruleset import Ruleset
from app.engine.shuffle import CODE_SYMBOLS, deck_of_code, parse_code
from app.engine.transition import IllegalActionError, apply
from app.engine.vocabulary import AutoFill
from app.rulesets import HOUSE_RULESETS
from tests.engine import oracle
from tests.engine.oracle_checks import accepted_actions, as_table, check, step
from tests.golden.records import RECORDS, Record

IDS = [rules.id for rules in HOUSE_RULESETS]  # the oracle was written for these
KNOWN = [record for record in RECORDS if record.ruleset in IDS]


def code_of(number: int) -> str:
    """A deal code from a number."""
    return "".join(CODE_SYMBOLS[number >> shift & 31] for shift in range(45, -1, -5))


class Playing(RuleBasedStateMachine):
    """Random play of any game, from a fresh deal or from the middle of a recorded game."""

    @initialize(
        start=st.one_of(st.sampled_from(HOUSE_RULESETS), st.sampled_from(KNOWN)), data=st.data()
    )
    def start(self, start: Ruleset | Record, data: st.DataObject) -> None:
        if isinstance(start, Ruleset):
            code = parse_code(code_of(data.draw(st.integers(0, 2**50 - 1))))
            self.begin(start, deck_of_code(code, start.decks))
            return
        self.begin(start.rules, start.cards)
        left = data.draw(st.integers(0, 60))
        for move in start.moves[: max(len(start.moves) - left, 0)]:
            self.apply(parse_action(self.ruleset.layout, move))

    def begin(self, rules: Ruleset, deck: tuple[Card, ...]) -> None:
        self.ruleset = rules
        self.history = History.start(rules, deck)
        self.past: list[oracle.Table] = []
        self.ahead: list[oracle.Table] = []
        self.now = oracle.deal(rules.id, [card.text for card in deck])

    def apply(self, action: Action) -> None:
        self.past.append(self.now)
        self.now = step(self.ruleset, self.history.position, self.now, action)
        self.ahead = []
        self.history = self.history.apply(action)

    @rule(choice=st.integers(0, 2**16), kind=st.sampled_from(["any", "home", "build", "deal"]))
    def act(self, choice: int, kind: str) -> None:
        legal = legal_actions(self.ruleset, self.history.position)
        marks = {"any": "", "home": "-f", "build": "-t", "deal": "deal"}
        wanted = [action for action in legal if marks[kind] in str(action)] or legal
        if wanted:
            self.apply(wanted[choice % len(wanted)])

    @rule()
    def move_there_and_back(self) -> None:
        """Move a card there and back, which random play rarely does."""
        for there in legal_actions(self.ruleset, self.history.position):
            if isinstance(there, Move):
                back = Move(there.target, there.source, there.count)
                landed = apply(self.ruleset, self.history.position, there)
                if refusal(self.ruleset, landed, back) is None:
                    self.apply(there)
                    self.agree()
                    self.apply(back)
                    return

    @rule(here=st.integers(0, 99), there=st.integers(0, 99), count=st.integers(1, 14))
    def try_anything(self, here: int, there: int, count: int) -> None:
        names = self.ruleset.layout.ids
        move = Move(names[here % len(names)], names[there % len(names)], count)
        refused = refusal(self.ruleset, self.history.position, move)
        allowed = oracle.may_move(self.ruleset.id, self.now, (move.source, move.target, move.count))
        assert (refused is None) == allowed
        if refused:
            with pytest.raises(IllegalActionError) as caught:
                self.history.apply(move)
            assert caught.value.refusal == refused

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        self.ahead.append(self.now)
        self.now = self.past.pop()
        self.history = self.history.undo()

    @precondition(lambda self: self.ahead)
    @rule()
    def redo(self) -> None:
        self.past.append(self.now)
        self.now = self.ahead.pop()
        self.history = self.history.redo()

    @precondition(lambda self: self.past)
    @rule(sure=st.sampled_from([False, False, False, True]))
    def restart(self, sure: bool) -> None:
        if sure:
            tables = [*self.past, self.now]
            self.ahead += tables[:0:-1]
            self.now, self.past = tables[0], []
            self.history = self.history.restart()

    @invariant()
    def agree(self) -> None:
        check(self.ruleset, self.history.position, self.now)
        assert self.history.depth == len(self.past) == len(self.history.actions())
        assert self.history.can_undo == bool(self.past)
        assert self.history.can_redo == bool(self.ahead)
        assert self.history.repetitions == self.past.count(self.now)
        if self.now in self.past:
            seen, reach = [*self.past, self.now], oracle.moves(self.ruleset.id, self.now)
            known = [oracle.play(self.ruleset.id, self.now, action) in seen for action in reach]
            assert self.history.is_circling == all(known)
        else:
            assert not self.history.is_circling


# A failing run has at most forty steps; shrinking it further can take minutes.
Playing.TestCase.settings = settings(
    max_examples=120,
    stateful_step_count=40,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestPlaying = Playing.TestCase


@pytest.mark.parametrize("rules", HOUSE_RULESETS, ids=IDS)
def test_openings_agree(rules):
    # Enough deals to get two and three kings in one fan of Bristol.
    for number in range(300):
        deck = deck_of_code(parse_code(code_of(number)), rules.decks)
        game = oracle.deal(rules.id, [card.text for card in deck])
        assert as_table(rules, opening(rules, deck)) == game


@pytest.mark.parametrize("record", KNOWN, ids=lambda record: record.name)
def test_recorded_games_agree_at_every_step(record):
    rules = record.rules
    history = History.start(rules, record.cards)
    game = oracle.deal(rules.id, [card.text for card in record.cards])
    for number, move in enumerate(record.moves):
        check(rules, history.position, game)
        if number % 16 == 0:
            assert accepted_actions(rules, history.position) == oracle.moves(rules.id, game)
        action = parse_action(rules.layout, move)
        game = step(rules, history.position, game, action)
        history = history.apply(action)
    check(rules, history.position, game)


@pytest.mark.parametrize("rules", HOUSE_RULESETS, ids=IDS)
def test_random_games_that_take_every_card_home(rules):
    """Plain random play rarely fills a foundation or empties the stock; these games do."""
    filled = emptied = opened = False
    for seed in range(3):
        chance = random.Random(f"{rules.id} {seed}")
        deck = deck_of_code(parse_code(code_of(chance.getrandbits(50))), rules.decks)
        history = History.start(rules, deck)
        game = oracle.deal(rules.id, [card.text for card in deck])
        while history.depth < 200:
            check(rules, history.position, game)
            legal = legal_actions(rules, history.position)
            if not legal:
                break
            if history.depth % 32 == 0:
                assert accepted_actions(rules, history.position) == {
                    str(action) for action in legal
                }
            home = [action for action in legal if "-f" in str(action)]
            action = chance.choice(home or legal)
            game = step(rules, history.position, game, action)
            history = history.apply(action)
            emptied |= not game["stock"]
            opened |= any(not game[pile] for pile in oracle.tableau(game))
            filled |= any(len(game[pile]) == 13 for pile in oracle.foundations(game))
    # Otherwise this test would check less than it should, unnoticed. The cases it cannot reach (empty
    # piles where they are filled automatically, the foundations of Rouge et Noir) are in the records.
    assert emptied
    assert opened or isinstance(rules.tableau.empty_pile, AutoFill)
    assert filled or len(rules.foundations) > 1


@pytest.mark.parametrize("record", KNOWN, ids=lambda record: record.name)
def test_undo_redo_and_restart_return_to_the_same_positions(record):
    history = History.start(record.rules, record.cards)
    positions = [history.position]
    for move in record.moves:
        history = history.apply(parse_action(record.rules.layout, move))
        positions.append(history.position)
    for position in reversed(positions[:-1]):
        history = history.undo()
        assert history.position == position
    assert not history.can_undo
    for position in positions[1:]:
        history = history.redo()
        assert history.position == position
    assert not history.can_redo
    history = history.restart()
    assert history.position == positions[0]
    while history.can_redo:
        history = history.redo()
    assert history.position == positions[-1]
    assert [str(action) for action in history.actions()] == record.moves
