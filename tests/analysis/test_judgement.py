"""Moves judged from the visible cards: classes, accuracy and luck, and that nothing hidden has an influence."""

from __future__ import annotations

import random
from functools import cache
from math import hypot

import pytest

from app.analysis import judging, service, tasks
from app.analysis.judgement import JudgedGame, JudgedMove, MoveClass
from app.analysis.judging import PlayedTurn, judge_game, turns_of
from app.analysis.model import FullReview, TurningPoint, UnfinishedCurve, replay_steps
from app.engine.actions import DEAL, Action, parse_action
from app.engine.cards import Card
from app.engine.history import History
from app.engine.position import Pile, Position
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.replay import replay
from app.solver.estimates import Estimate, Estimates
from app.solver.sight import see
from tests.analysis.sample_games import table_at
from tests.golden.records import RECORDS, Record

WON = next(record for record in RECORDS if record.name == "bristol-won")
LOST = next(record for record in RECORDS if record.name == "bristol-lost")


def move(before: float, after: float, *, luck: float | None = None) -> JudgedMove:
    return JudgedMove(0, "deal", before, after, "t1-t2", luck, before)


@pytest.mark.parametrize(
    ("after", "name"),
    [
        (0.60, MoveClass.BEST),  # as good as the best
        (0.597, MoveClass.BEST),  # as far as whole percent tell
        (0.59, MoveClass.GOOD),
        (0.56, MoveClass.GOOD),
        (0.55, MoveClass.INACCURACY),
        (0.51, MoveClass.INACCURACY),
        (0.50, MoveClass.MISTAKE),
        (0.40, MoveClass.BLUNDER),
        (0.00, MoveClass.BLUNDER),
    ],
)
def test_a_move_is_classed_by_the_chance_it_throws_away(after: float, name: MoveClass):
    assert move(0.6, after).move_class is name
    assert move(0.6, after)._replace(best="deal").move_class is MoveClass.BEST


def test_accuracy_is_the_share_kept_where_something_was_at_stake():
    judged = JudgedGame((move(0.5, 0.25), move(0.5, 0.5), move(0.5, 0.0)._replace(at_stake=0)), 0)
    assert judged.accuracy == 0.75
    assert JudgedGame((), 0.5).accuracy is None


def test_a_move_back_to_an_earlier_position_has_no_mark_and_does_not_count_for_the_accuracy():
    circle = move(0.5, 0.5)._replace(best="deal", repeats=True)
    judged = JudgedGame((move(0.5, 0.25), circle, circle), 0.25)
    assert circle.move_class is MoveClass.REPEAT
    assert judged.accuracy == 0.5
    assert judged.counts()[MoveClass.BEST] == 0
    assert judged.worst() == [0]


def test_only_a_certain_win_from_the_first_move_to_the_last_is_a_kept_one():
    sure = JudgedMove(0, "t1-t2", 1.0, 1.0, None, None, 0.0)
    assert JudgedGame((sure, sure), 1.0).is_win_kept
    assert JudgedGame((sure, sure), 1.0).accuracy is None
    assert not JudgedGame((), 1.0).is_win_kept
    assert not JudgedGame((sure, sure), 0.9).is_win_kept
    assert not JudgedGame((sure._replace(before=0.9), sure), 1.0).is_win_kept
    assert not JudgedGame((sure, sure._replace(after=0.9)), 1.0).is_win_kept


def test_luck_adds_up_what_turned_cards_gave_and_took():
    judged = JudgedGame((move(0.5, 0.5, luck=0.2), move(0.7, 0.7), move(0.7, 0.6, luck=-0.3)), 0.3)
    assert round(judged.luck, 9) == -0.1


def test_the_worst_moves_come_first_and_good_ones_are_none_of_them():
    judged = JudgedGame((move(0.5, 0.4), move(0.5, 0.5), move(0.5, 0.1), move(0.5, 0.48)), 0)
    assert judged.worst() == [2, 0]


def test_a_stored_review_can_be_read_again_and_so_can_one_from_before_moves_were_judged():
    judged = JudgedGame((move(0.5, 0.25, luck=0.1), move(0.3, 0.3)), 0.25)
    for review in (
        FullReview(judged, TurningPoint(1, 2, ("deal",))),
        FullReview(judged, None),
        FullReview(None, None),
    ):
        assert FullReview.parse(str(review)) == review
    unaware = FullReview.parse(
        '{"format": 1, "judged": {"moves": [[0, "deal", 0.5, 0.5, "deal", null, 0.5]], "end": 0.5},'
        ' "slipped": null}'
    )
    assert unaware.judged
    assert unaware.judged.moves[0].move_class is MoveClass.BEST
    old = FullReview.parse('{"winnable": 3, "unwinnable": 4, "line": ["deal"]}')
    assert old == FullReview(None, TurningPoint(3, 4, ("deal",)), is_old=True)


# --- judging games


def played(record: Record, log: list[str]) -> Game:
    """A game of a record's deal after these events."""
    return after(record, History.start(record.rules, record.cards), log)


def after(record: Record, opening: History, log: list[str]) -> Game:
    game = Game.start(game_id="x", history=opening, code=None, owner_id="anna", at_ms=0)
    return replay(game, [GameEvent(action, 0, "anna", None) for action in log])


def judged_game(game: Game) -> JudgedGame:
    steps = replay_steps(game.logged_actions())
    turns = turns_of(game, steps)
    return judge_game(game.rules, turns, game.history.actions(), lambda *_: False)


@cache
def judged_record(name: str) -> JudgedGame:
    """A recorded game, judged to its end."""
    record = next(record for record in RECORDS if record.name == name)
    return judged_game(played(record, list(record.moves)))


def test_the_chances_add_up_from_the_opening_to_the_end():
    judged = judged_record(LOST.name)
    assert len(judged.moves) == len(LOST.moves)
    assert [one.version for one in judged.moves] == list(range(len(LOST.moves)))
    assert judged.end == 0.0
    assert judged.accuracy is not None
    assert 0 < judged.accuracy < 1
    assert judged.worst()
    for one in judged.moves:
        assert 0 <= one.after <= one.before <= 1
    hidden = [one for one in judged.moves[:60] if one.luck is not None]
    thrown = sum(one.thrown for one in judged.moves[:60])
    change = judged.moves[60].before - judged.moves[0].before
    # Until all cards are seen, what a game loses was thrown away or taken by turned cards.
    assert round(sum(one.luck or 0.0 for one in hidden) - thrown, 2) == pytest.approx(
        change, abs=0.02
    )


def test_a_won_game_ends_in_certainty():
    judged = judged_record(WON.name)
    assert judged.end == 1.0
    assert judged.moves[-1].before == 1.0


def test_a_drop_that_is_neither_luck_nor_thrown_away_is_known():
    judged = JudgedGame((move(0.6, 0.5), move(0.5, 0.5, luck=0.1), move(0.5, 0.5)), 0.25)
    assert judged.corrected == pytest.approx(-0.35)  # 0.6 less 0.1 and up by 0.1 is 0.6, not 0.25
    assert JudgedGame((move(0.6, 0.5),), 0.5).corrected == pytest.approx(0)
    assert JudgedGame((), 0.5).corrected == 0


class Looks:
    """Judges positions as it is told: for each of them the chance of an action, and that of a better one."""

    def __init__(self, *looks: tuple[str, float, float]) -> None:
        self._looks = iter(looks)

    def __call__(self, *_about: object) -> Looks:
        self._action, self._chance, self._best = next(self._looks)
        return self

    def run(self, budget: int) -> None:
        """Nothing is left to refine."""

    def estimates(self) -> Estimates:
        rated = (("t8-t7", self._best), (self._action, self._chance))
        layout = LOST.rules.layout
        found = (Estimate(parse_action(layout, word), chance, 0.01) for word, chance in rated)
        return Estimates(tuple(found), 0)


class FreshLooks:
    """What fresh orders say of each action that turns a card."""

    def __init__(self, chance: float, deviation: float = 0.01) -> None:
        self._found = chance, deviation

    @property
    def turns_a_card(self) -> bool:
        return self._action == DEAL

    def __call__(self, _rules: object, _sight: object, action: Action, *_: object) -> FreshLooks:
        self._action = action
        return self

    def run(self, _orders: int) -> Estimate:
        return Estimate(self._action, *self._found)


def test_the_last_look_is_evened_out_with_those_before_it(monkeypatch: pytest.MonkeyPatch):
    still = LOST.moves[0]
    looks = Looks((still, 0.8, 0.8), ("deal", 0.4, 0.4))
    monkeypatch.setattr(judging, "estimator_for", looks)
    judged = judged_game(played(LOST, [still]))
    assert [judged.moves[0].before, judged.moves[0].after, judged.end] == pytest.approx([0.6] * 3)


@pytest.mark.parametrize(("afterwards", "thrown"), [(0.2, 0.6), (0.9, 0.0)])
def test_a_move_kept_what_can_be_won_after_it_unless_a_card_was_turned(
    monkeypatch: pytest.MonkeyPatch, afterwards: float, thrown: float
):
    still, deal = LOST.moves[:2]
    looks = Looks((still, 0.2, 0.8), (deal, afterwards - 0.1, afterwards), ("deal", 1.0, 1.0))
    monkeypatch.setattr(judging, "estimator_for", looks)
    fresh = FreshLooks(afterwards - 0.1)
    monkeypatch.setattr(judging, "FreshOrders", fresh)
    first, second = judged_game(played(LOST, [still, deal])).moves
    assert first.thrown == pytest.approx(thrown)
    assert second.thrown == pytest.approx(0.1)  # what the card turned out to be is luck


@pytest.mark.parametrize(
    ("chance", "deviation", "thrown"),
    [
        (0.79, 0.02, 0.0),
        (0.75, 0.03, 0.0),  # it may be chance
        (0.70, 0.03, 0.1),
        (0.50, 0.06, 0.3 - 2 * hypot(0.06, 0.01)),  # so much is certain
        (0.50, 0.20, 0.0),
        (0.90, 0.02, 0.0),
    ],
)
def test_a_deal_is_judged_by_fresh_orders_of_the_unseen_cards_and_not_by_a_look(
    monkeypatch: pytest.MonkeyPatch, chance: float, deviation: float, thrown: float
):
    """The estimates before it give the deal 20 % and another action 80 %."""
    monkeypatch.setattr(judging, "estimator_for", Doubts(BRISTOL, ["deal"], 0.01))
    monkeypatch.setattr(judging, "FreshOrders", FreshLooks(chance, deviation))
    [deal] = judged_game(played(BRISTOL, ["deal"])).moves
    assert deal.thrown == pytest.approx(thrown, abs=2e-4)
    assert deal.luck == pytest.approx(0.2 - deal.after, abs=2e-4)


def test_without_a_closer_look_a_deal_is_not_blamed(monkeypatch: pytest.MonkeyPatch):
    """Only so many moves of a game get one."""
    monkeypatch.setattr(judging, "FINE_MOVES", 0)
    assert thrown_by(SPIDER, ["deal"], monkeypatch) == [0.0]


BRISTOL = LOST
KLONDIKE = next(record for record in RECORDS if record.ruleset == "klondike")
SPIDER = next(record for record in RECORDS if record.ruleset == "spider-one-suit")


class Doubts:
    """Judges that another action has 80 % and each that is played 20 %, and nothing more at the end."""

    def __init__(self, record: Record, played: list[str], deviation: float) -> None:
        self._record, self._deviation = record, deviation
        self._looks = iter([*((word, 0.8) for word in played), ("deal", 0.2)])

    def __call__(self, *_about: object) -> Doubts:
        self._word, self._best = next(self._looks)
        return self

    def run(self, budget: int) -> None:
        """Nothing is left to refine."""

    def estimates(self) -> Estimates:
        layout = self._record.rules.layout
        best = Estimate(parse_action(layout, "t7-t6"), self._best, self._deviation)
        its = Estimate(parse_action(layout, self._word), 0.2, self._deviation)
        return Estimates((best, its), 0)


def thrown_by(
    record: Record, moves: list[str], monkeypatch: pytest.MonkeyPatch, deviation: float = 0.01
) -> list[float]:
    monkeypatch.setattr(judging, "estimator_for", Doubts(record, moves, deviation))
    monkeypatch.setattr(judging, "FreshOrders", FreshLooks(0.2, deviation))
    return [one.thrown for one in judged_game(played(record, moves)).moves]


def test_a_deal_throws_nothing_away_where_the_stock_comes_round(monkeypatch: pytest.MonkeyPatch):
    assert thrown_by(KLONDIKE, ["deal"], monkeypatch) == [0.0]
    assert thrown_by(SPIDER, ["deal"], monkeypatch) == [pytest.approx(0.6)]


@pytest.mark.parametrize(
    ("table", "thrown"),
    [
        ("t1: 6C 5D\nt2: 6H\nt3: 9C", 0.0),  # the five can go back to the six
        ("t1: 9C 5D\nt2: 6H\nt3: 9C", 0.6),
    ],
)
def test_a_move_that_can_be_taken_back_throws_nothing_away(
    table: str, thrown: float, monkeypatch: pytest.MonkeyPatch
):
    game = table_at("bristol", table, "t1-t2")
    turns = [
        PlayedTurn(position, number, ()) for number, position in enumerate(game.history.positions())
    ]
    monkeypatch.setattr(judging, "estimator_for", Doubts(BRISTOL, ["t1-t2"], 0.01))
    judged = judge_game(game.rules, turns, game.history.actions(), lambda *_: False)
    assert judged.moves[0].thrown == pytest.approx(thrown)


def test_a_move_that_repeats_a_position_is_told_from_those_that_lead_on(
    monkeypatch: pytest.MonkeyPatch,
):
    to_and_fro = ["t1-t2", "t2-t1", "t1-t2", "t2-t1", "t1-t3"]
    game = table_at("bristol", "t1: 6C 5D\nt2: 6H\nt3: 6S", *to_and_fro)
    turns = [
        PlayedTurn(position, number, ()) for number, position in enumerate(game.history.positions())
    ]
    monkeypatch.setattr(judging, "estimator_for", Doubts(BRISTOL, to_and_fro, 0.01))
    judged = judge_game(game.rules, turns, game.history.actions(), lambda *_: False)
    assert [one.repeats for one in judged.moves] == [False, True, True, True, False]
    assert {one.thrown for one in judged.moves} == {0.0}


def test_dealing_once_through_the_stock_is_judged_and_round_again_repeats(
    monkeypatch: pytest.MonkeyPatch,
):
    stock = KLONDIKE.rules.layout.stock
    opening = played(KLONDIKE, []).history.position
    once = len(opening.piles[stock].cards)
    deals = ["deal"] * (2 * once + 2)  # turning the waste over is a deal, too
    monkeypatch.setattr(judging, "estimator_for", Doubts(KLONDIKE, deals, 0.01))
    judged = judged_game(played(KLONDIKE, deals))
    repeats = [one.repeats for one in judged.moves]
    assert repeats == [False] * once + [True] * (once + 2)
    assert judged.counts()[MoveClass.BEST] == once


def test_a_difference_that_may_be_chance_is_no_fault(monkeypatch: pytest.MonkeyPatch):
    assert thrown_by(SPIDER, ["deal"], monkeypatch, deviation=0.03) == [pytest.approx(0.6)]
    certain = 0.6 - 2 * hypot(0.2, 0.2)
    assert thrown_by(SPIDER, ["deal"], monkeypatch, deviation=0.2) == [
        pytest.approx(certain, abs=2e-4)
    ]
    assert thrown_by(SPIDER, ["deal"], monkeypatch, deviation=0.22) == [0.0]


def twin_of(record: Record, game: Game, number: int) -> History:
    """The opening of another deal that looks the same up to the position at ``number``: see the test."""
    seen = see(game.history.positions()[number])
    hidden = [
        (pile, place)
        for pile, cards in enumerate(seen.piles)
        for place, card in enumerate(cards)
        if card is None
    ]
    position = game.opening.position
    there = game.history.positions()[number]
    cards = [list(pile.cards) for pile in position.piles]
    # The places of the hidden cards in the opening: their piles only ever lost cards from the top.
    order: list[Card] = [there.piles[pile].cards[place] for pile, place in hidden]
    shuffled = order[:]
    random.Random(7).shuffle(shuffled)
    for (pile, place), card in zip(hidden, shuffled, strict=True):
        cards[pile][place] = card
    piles = tuple(
        Pile(tuple(pile), was.down) for pile, was in zip(cards, position.piles, strict=True)
    )
    assert shuffled != order
    start = History.start(record.rules, record.cards)
    return History(record.rules, type(start._current)(Position(piles), None, None, 0), None)


@pytest.mark.parametrize("record", [WON, LOST], ids=lambda record: record.name)
@pytest.mark.parametrize("number", [16, 25])
def test_deals_that_agree_on_what_was_seen_are_judged_alike_until_they_differ(
    record: Record, number: int
):
    game = played(record, list(record.moves))
    opening = twin_of(record, game, number)
    # The twin is given up at this point; the other game goes on with cards that only it has.
    short = judged_game(after(record, opening, list(record.moves[:number])))
    whole = judged_record(record.name)
    turned = [n for n, one in enumerate(whole.moves[:number]) if one.luck is not None]
    certain = turned[-1] + 1
    assert certain > 4
    assert opening.position != game.opening.position
    assert [one._replace(luck=None) for one in short.moves[:certain]] == [
        one._replace(luck=None) for one in whole.moves[:certain]
    ]
    assert [one.luck for one in short.moves[: certain - 1]] == [
        one.luck for one in whole.moves[: certain - 1]
    ]


def test_cards_seen_in_an_undone_line_count_as_seen():
    deals = LOST.moves.index("deal")
    there = played(LOST, list(LOST.moves[: deals + 1]))
    undone = played(
        LOST, [*LOST.moves[: deals + 1], "undo", "undo", *LOST.moves[deals - 1 : deals + 1]]
    )
    steps = replay_steps(undone.logged_actions())
    turn = turns_of(undone, steps)[deals - 1]
    assert turn.position == there.history.positions()[deals - 1]
    fresh = see(turn.position)
    assert see(turn.position, turn.remembered).hidden() < fresh.hidden()
    first = turns_of(there, list(range(deals + 2)))[deals - 1]
    assert see(first.position, first.remembered) == fresh


def test_a_long_game_stops_being_judged_at_the_limit_and_a_cancelled_one_at_once():
    game = played(LOST, list(LOST.moves))
    steps = replay_steps(game.logged_actions())
    turns = turns_of(game, steps)
    judged = judge_game(
        game.rules, turns, game.history.actions(), lambda chances, _count: len(chances) == 4
    )
    assert len(judged.moves) == 3
    part = judge_game(game.rules, turns[:6], game.history.actions(), lambda *_: False)
    assert len(part.moves) == 5
    assert parse_action(game.rules.layout, part.moves[0].action) == game.history.actions()[0]


def test_a_review_reports_the_chances_that_it_has_found(monkeypatch: pytest.MonkeyPatch):
    reports: list[tuple[float, str]] = []
    monkeypatch.setattr(tasks, "report", lambda share, found: reports.append((share, found)))
    game = played(LOST, [*LOST.moves[:6], "resign"])
    found = FullReview.parse(service.review_search(game)())
    curves = [UnfinishedCurve.parse(text) for _, text in reports]
    judged = [len(curve.chances) for curve in curves]
    assert judged[:7] == list(range(7))
    assert {curve.moves for curve in curves} == {6}
    assert set(judged[7:]) == {6}, "the curve stays while all cards are searched"
    assert [share for share, _ in reports] == sorted(share for share, _ in reports)
    assert found.judged
    for rough, move in zip(curves[-1].chances, found.judged.moves, strict=False):
        assert abs(rough - move.before) < 0.3
