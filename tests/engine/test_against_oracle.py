"""The engine against a second model of the rules: by chance, on long walks, along recorded games."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.engine.actions import Action, Move, parse_action
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.history import Line
from app.engine.rules import legal_actions, refusal
from app.engine.ruleset import GameSpec
from app.engine.shuffle import CODE_SYMBOLS, deck_of_code, parse_code
from app.engine.transition import IllegalActionError, play
from app.engine.vocabulary import AutoFill
from app.rulesets import GAMES
from tests.engine import oracle
from tests.engine.agreement import as_table, check, judged_by_hand, step
from tests.golden.records import RECORDS, Record

IDS = [spec.id for spec in GAMES]


def code_of(number: int) -> str:
    """A deal code from a number."""
    return "".join(CODE_SYMBOLS[number >> shift & 31] for shift in range(45, -1, -5))


class Playing(RuleBasedStateMachine):
    """Any game, from a fresh deal or from the midst of a recorded game, played by chance."""

    @initialize(start=st.one_of(st.sampled_from(GAMES), st.sampled_from(RECORDS)), data=st.data())
    def start(self, start: GameSpec | Record, data: st.DataObject) -> None:
        if isinstance(start, GameSpec):
            code = parse_code(code_of(data.draw(st.integers(0, 2**50 - 1))))
            self.begin(start, deck_of_code(code, start.decks))
            return
        self.begin(start.spec, start.cards)
        left = data.draw(st.integers(0, 60))
        for move in start.moves[: max(len(start.moves) - left, 0)]:
            self.play(parse_action(self.spec.layout, move))

    def begin(self, spec: GameSpec, deck: tuple[Card, ...]) -> None:
        self.spec = spec
        self.line = Line.start(spec, deck)
        self.past: list[oracle.Table] = []
        self.ahead: list[oracle.Table] = []
        self.now = oracle.deal(spec.id, [card.text for card in deck])

    def play(self, action: Action) -> None:
        self.past.append(self.now)
        self.now = step(self.spec, self.line.position, self.now, action)
        self.ahead = []
        self.line = self.line.play(action)

    @rule(choice=st.integers(0, 2**16), kind=st.sampled_from(["any", "home", "build", "deal"]))
    def act(self, choice: int, kind: str) -> None:
        legal = legal_actions(self.spec, self.line.position)
        marks = {"any": "", "home": "-f", "build": "-t", "deal": "deal"}
        wanted = [action for action in legal if marks[kind] in str(action)] or legal
        if wanted:
            self.play(wanted[choice % len(wanted)])

    @rule()
    def go_round_in_a_circle(self) -> None:
        """There and back again, where a card can: what chance alone hardly ever does."""
        for there in legal_actions(self.spec, self.line.position):
            if isinstance(there, Move):
                back = Move(there.target, there.source, there.count)
                landed = play(self.spec, self.line.position, there)
                if refusal(self.spec, landed, back) is None:
                    self.play(there)
                    self.agree()
                    self.play(back)
                    return

    @rule(here=st.integers(0, 99), there=st.integers(0, 99), count=st.integers(1, 14))
    def try_anything(self, here: int, there: int, count: int) -> None:
        names = self.spec.layout.ids
        move = Move(names[here % len(names)], names[there % len(names)], count)
        refused = refusal(self.spec, self.line.position, move)
        allowed = oracle.may_move(self.spec.id, self.now, (move.source, move.target, move.count))
        assert (refused is None) == allowed
        if refused:
            with pytest.raises(IllegalActionError) as caught:
                self.line.play(move)
            assert caught.value.refusal == refused

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        self.ahead.append(self.now)
        self.now = self.past.pop()
        self.line = self.line.undo()

    @precondition(lambda self: self.ahead)
    @rule()
    def redo(self) -> None:
        self.past.append(self.now)
        self.now = self.ahead.pop()
        self.line = self.line.redo()

    @precondition(lambda self: self.past)
    @rule(sure=st.sampled_from([False, False, False, True]))
    def restart(self, sure: bool) -> None:
        if sure:
            tables = [*self.past, self.now]
            self.ahead += tables[:0:-1]
            self.now, self.past = tables[0], []
            self.line = self.line.restart()

    @invariant()
    def agree(self) -> None:
        check(self.spec, self.line.position, self.now)
        assert self.line.depth == len(self.past) == len(self.line.actions())
        assert self.line.can_undo == bool(self.past)
        assert self.line.can_redo == bool(self.ahead)
        assert self.line.repetitions == self.past.count(self.now)
        if self.now in self.past:
            seen, reach = [*self.past, self.now], oracle.moves(self.spec.id, self.now)
            known = [oracle.play(self.spec.id, self.now, action) in seen for action in reach]
            assert self.line.is_circling == all(known)
        else:
            assert not self.line.is_circling


# A failing run says what it did, in at most forty steps; shrinking it further can take minutes.
Playing.TestCase.settings = settings(
    max_examples=120,
    stateful_step_count=40,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestPlaying = Playing.TestCase


@pytest.mark.parametrize("spec", GAMES, ids=IDS)
def test_openings_agree(spec):
    # Enough deals for two and three kings in one fan of Bristol.
    for number in range(300):
        deck = deck_of_code(parse_code(code_of(number)), spec.decks)
        table = oracle.deal(spec.id, [card.text for card in deck])
        assert as_table(spec, opening(spec, deck)) == table


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_recorded_games_agree_at_every_step(record):
    spec = record.spec
    line = Line.start(spec, record.cards)
    table = oracle.deal(spec.id, [card.text for card in record.cards])
    for number, move in enumerate(record.moves):
        check(spec, line.position, table)
        if number % 16 == 0:
            assert judged_by_hand(spec, line.position) == oracle.moves(spec.id, table)
        action = parse_action(spec.layout, move)
        table = step(spec, line.position, table, action)
        line = line.play(action)
    check(spec, line.position, table)


@pytest.mark.parametrize("spec", GAMES, ids=IDS)
def test_long_walks_that_take_every_card_home(spec):
    """Play by chance alone hardly ever fills a foundation or empties a stock: these walks do."""
    filled = emptied = opened = False
    for seed in range(3):
        chance = random.Random(f"{spec.id} {seed}")
        deck = deck_of_code(parse_code(code_of(chance.getrandbits(50))), spec.decks)
        line = Line.start(spec, deck)
        table = oracle.deal(spec.id, [card.text for card in deck])
        while line.depth < 200:
            check(spec, line.position, table)
            legal = legal_actions(spec, line.position)
            if not legal:
                break
            if line.depth % 32 == 0:
                assert judged_by_hand(spec, line.position) == {str(action) for action in legal}
            home = [action for action in legal if "-f" in str(action)]
            action = chance.choice(home or legal)
            table = step(spec, line.position, table, action)
            line = line.play(action)
            emptied |= not table["stock"]
            opened |= any(not table[pile] for pile in oracle.tableau(table))
            filled |= any(len(table[pile]) == 13 for pile in oracle.foundations(table))
    # Else this test would have lost its bite without anybody noticing. Where it cannot bite (spaces
    # that fill themselves, the foundations of Rouge et Noir), the ends of the won records do.
    assert emptied
    assert opened or isinstance(spec.tableau.space, AutoFill)
    assert filled or len(spec.foundations) > 1


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_undo_redo_and_restart_come_back_to_the_very_same_positions(record):
    line = Line.start(record.spec, record.cards)
    positions = [line.position]
    for move in record.moves:
        line = line.play(parse_action(record.spec.layout, move))
        positions.append(line.position)
    for position in reversed(positions[:-1]):
        line = line.undo()
        assert line.position == position
    assert not line.can_undo
    for position in positions[1:]:
        line = line.redo()
        assert line.position == position
    assert not line.can_redo
    line = line.restart()
    assert line.position == positions[0]
    while line.can_redo:
        line = line.redo()
    assert line.position == positions[-1]
    assert [str(action) for action in line.actions()] == record.moves
