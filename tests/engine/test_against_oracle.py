"""The engine against a second model of the rules: by chance, on long walks, along recorded games."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.engine.actions import DEAL, Action, Move, parse_action
from app.engine.cards import Card, fresh_deck
from app.engine.deal import opening
from app.engine.line import Line
from app.engine.notation import format_position, parse_position
from app.engine.play import IllegalActionError, changed_piles, is_lost, is_won, play
from app.engine.position import Position
from app.engine.rules import base_rank, legal_actions, refusal
from app.engine.shuffle import CODE_SYMBOLS, deck_of_code, parse_code
from app.engine.spec import GameSpec
from app.engine.vocabulary import AutoFill, Match, Zone
from app.games import GAMES
from tests.engine import oracle
from tests.golden.records import RECORDS, Record

IDS = [spec.id for spec in GAMES]


def as_table(spec: GameSpec, position: Position) -> oracle.Table:
    """A position of the engine in the oracle's words."""
    return {
        str(pile_id): [
            ("?" if number < pile.down else "") + card.text
            for number, card in enumerate(pile.cards)
        ]
        for pile_id, pile in zip(spec.layout.ids, position.piles, strict=True)
    }


def code_of(number: int) -> str:
    """A deal code from a number."""
    return "".join(CODE_SYMBOLS[number >> shift & 31] for shift in range(45, -1, -5))


@cache
def whole_deck(spec: GameSpec) -> Counter[Card]:
    return Counter(fresh_deck(spec.decks))


def check(spec: GameSpec, position: Position, table: oracle.Table) -> None:
    """Everything that is true of every position of a game."""
    assert as_table(spec, position) == table
    legal = legal_actions(spec, position)
    texts = [str(action) for action in legal]
    assert len(texts) == len(set(texts))
    assert set(texts) == oracle.moves(spec.id, table)
    assert [parse_action(spec.layout, text) for text in texts] == legal
    rank = base_rank(spec, position)
    assert (None if rank is None else int(rank)) == oracle.base(spec.id, table)
    assert is_won(spec, position) == oracle.won(spec.id, table)
    assert is_lost(spec, position) == oracle.lost(spec.id, table)
    assert Counter(card for pile in position.piles for card in pile.cards) == whole_deck(spec)
    check_sides(spec, position)
    check_foundations(spec, position)
    assert parse_position(spec, format_position(spec, position)) == position


def check_sides(spec: GameSpec, position: Position) -> None:
    """What lies face down, and that every top outside a hidden stock lies face up."""
    for index, pile in enumerate(position.piles):
        size = len(pile.cards)
        if spec.layout.zones[index] is Zone.STOCK:
            assert pile.down == (max(size - 1, 0) if spec.stock.face_up else size)
        elif spec.layout.zones[index] is Zone.TABLEAU:
            assert pile.down < size or not size
        else:
            assert pile.down == 0


def check_foundations(spec: GameSpec, position: Position) -> None:
    """Every foundation obeys its build from its first card on, and none outgrows 13 cards."""
    for index, group in spec.layout.groups.items():
        cards = position.piles[index].cards
        assert len(cards) in ({0, 13} if group.whole_run else set(range(14)))
        for low, high in pairwise(cards):
            assert (high.rank - low.rank - group.build.step) % 13 == 0
            if group.build.match is not Match.ANY:
                alternates = group.build.match is Match.ALTERNATE_COLOR
                assert (high.color is not low.color) == alternates
        if cards:
            assert cards[0].rank == (13 if group.whole_run else base_rank(spec, position))
            assert group.color in {None, cards[0].color}


def judged_by_hand(spec: GameSpec, position: Position) -> set[str]:
    """Whatever the judge lets pass among all that can be said."""
    sayable: list[Action] = [DEAL]
    names = spec.layout.ids
    for source, target in product(range(len(names)), repeat=2):
        most = len(position.piles[source].cards) + 1
        sayable += [Move(names[source], names[target], count) for count in range(1, most + 1)]
    return {str(action) for action in sayable if refusal(spec, position, action) is None}


def step(spec: GameSpec, position: Position, table: oracle.Table, action: Action) -> oracle.Table:
    """Play one action in both models; what changed and what was carried must agree, too."""
    after = play(spec, position, action)
    wanted = oracle.play(spec.id, table, str(action))
    assert as_table(spec, after) == wanted
    changed = {pile for pile in table if table[pile] != wanted[pile]}
    assert {str(pile) for pile in changed_piles(spec, position, after)} == changed
    return wanted


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
    for seed in range(4):
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
