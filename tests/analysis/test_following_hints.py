"""Playing every hint leads somewhere: a hint begins a plan, and what is left of it is the next hint."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import Connection

from app.analysis import hints, repository, tasks
from app.analysis.hints import THOROUGH, Effort
from app.analysis.judging import FINEST, PlayedTurn, judge_game
from app.analysis.numbered_hints import NumberedHint, hint_after
from app.engine.actions import DEAL, Action, Move, parse_action
from app.engine.history import History
from app.engine.ruleset import PileId, Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import is_won
from app.jobs.admission import Places
from app.rulesets.freecell import BAKERS_GAME, FREECELL
from app.rulesets.klondike import KLONDIKE
from app.settings import Settings
from app.solver.advice import NOTHING_ELSE, Advice, Plan, advise
from app.solver.estimates import Estimate
from app.solver.foresight import winning_line
from app.solver.shortening import shorten
from app.solver.sight import see
from bench.insight import follow_hints
from tests.analysis.sample_games import sit_down, table_at
from tests.support.serving import started
from tests.support.workers import DIRECT

pytestmark = pytest.mark.anyio

GENTLE = "GNT00-00000"
TO_THE_LEFT = Move(PileId("t2"), PileId("t1"))
HOME = Move(PileId("t1"), PileId("f1"))


@pytest.fixture
async def site(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FastAPI]:
    """A site whose hints never depend on how busy the machine is."""
    monkeypatch.setattr(hints, "QUICK", Effort(3_000, 60.0))
    monkeypatch.setattr(hints, "THOROUGH", Effort(6_000, 60.0))
    async with started(Settings(database_url=sqlite_url), DIRECT) as app:
        yield app


async def hint_at(visitor: AsyncClient, game: str, *, refine: bool = False) -> str | None:
    params = {"refine": refine}
    hint = (await visitor.get(f"/api/v1/games/{game}/hint", params=params)).json()
    move: str | None = hint["move"]
    return move


async def play(visitor: AsyncClient, game: str, version: int, move: str) -> None:
    body = {"version": version, "move": move}
    (await visitor.post(f"/api/v1/games/{game}/moves", json=body)).raise_for_status()


@pytest.mark.parametrize(("rules", "code"), [(FREECELL, GENTLE), (KLONDIKE, "GNT00-00444")])
def test_who_follows_every_hint_wins_a_gentle_deal(rules: Ruleset, code: str):
    assert follow_hints(deck_of_code(parse_code(code), 1), rules, "", 3_000).won


@pytest.mark.parametrize(("refine", "budget"), [(False, 3_000), (True, 6_000)])
async def test_the_hints_of_a_table_are_those_of_one_plan(
    refine: bool, budget: int, site: FastAPI, visitor: AsyncClient
):
    game = await sit_down(visitor, "freecell", GENTLE)
    history = History.start(FREECELL, deck_of_code(parse_code(GENTLE), 1))
    advice = advise(FREECELL, see(history.position), history.unvisited_actions(), budget)
    heard = []
    for version in range(20):
        move = await hint_at(visitor, game, refine=refine)
        assert move is not None
        heard.append(move)
        await play(visitor, game, version, move)
    plan = advice and advice.plan_of(parse_action(FREECELL.layout, heard[0]))
    assert plan
    assert len(plan.actions) > 40
    assert heard == [str(action) for action in plan.actions[:20]]


async def test_a_sure_plan_is_followed_while_no_worker_is_free(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    game = await sit_down(visitor, "freecell", GENTLE)
    for version in range(20):
        hint = (await visitor.get(f"/api/v1/games/{game}/hint")).json()
        assert hint["chance"] == 1, version
        await play(visitor, game, version, hint["move"])
        monkeypatch.setattr(site.state.services.jobs, "_places", Places(per_owner=0))


async def test_a_hint_reads_the_stored_plan_once(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    reads: list[str] = []
    find = repository.find_hint_plan

    def counted(connection: Connection, game_id: str) -> repository.HintPlan | None:
        reads.append(game_id)
        return find(connection, game_id)

    monkeypatch.setattr(repository, "find_hint_plan", counted)
    game = await sit_down(visitor, "freecell", GENTLE)
    for version in range(3):
        move = await hint_at(visitor, game)
        assert reads == [game], version
        reads.clear()
        assert move
        await play(visitor, game, version, move)
        site.state.services.hints._followed.clear()  # as in another process


async def test_another_move_or_an_undo_ends_the_plan(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    game = await sit_down(visitor, "freecell", GENTLE)
    followed: list[Plan | None] = []
    found: list[Advice | None] = []
    find = tasks.find_advice

    def noting(*arguments, plan: Plan | None, **others) -> Advice | None:
        followed.append(plan)
        found.append(find(*arguments, plan=plan, **others))
        return found[-1]

    monkeypatch.setattr(hints, "find_advice", noting)
    first = await hint_at(visitor, game)
    assert first
    await play(visitor, game, 0, first)
    await hint_at(visitor, game)
    await visitor.post(f"/api/v1/games/{game}/undo", json={"version": 1})
    await hint_at(visitor, game)
    legal = (await visitor.get(f"/api/v1/games/{game}")).json()["legal_moves"]
    advice = found[-1]
    assert advice
    planned = {str(action) for plan in advice.plans for action in plan}
    await play(visitor, game, 2, next(move for move in legal if move not in planned))
    await hint_at(visitor, game)
    # A plan that is sure to win is not searched again while it is followed.
    assert [bool(each) for each in followed] == [False, False, False]


# After f2-t1, the best plan begins with taking the card home again, which leads back to an earlier position.
ROUND_AND_ROUND = """
t7-f1 t3-f2 t6-t4 t3-t1 t2-t3 t5-t6 t7-t5 t5-t4:2 t1-t3:2 t5-t1 t5-f3 t5-f2 deal deal waste-t2 deal deal deal
waste-t2 deal waste-t2 deal deal deal waste-f4 deal deal deal deal deal waste-t1 deal deal deal waste-f1 deal waste-t1
t6-t1:2 deal deal waste-t3 deal deal waste-f4 deal f4-t4 waste-t3 t4-f4 t2-t3:4 deal deal deal f2-t4 f3-t4 deal deal
deal deal deal deal deal waste-t1 t4-f3 t4-f2 deal deal deal waste-t1 t4-t1:4 deal deal deal deal deal deal deal deal
deal deal f2-t1 deal deal deal deal deal deal deal deal deal deal deal deal deal
"""


def face_down(history: History) -> int:
    """How many cards of the tableau lie face down."""
    return sum(history.position.piles[pile].down for pile in KLONDIKE.layout.tableau)


def test_hints_do_not_go_round_the_stock_for_ever():
    history = History.start(KLONDIKE, deck_of_code(parse_code("GNT00-000WX"), 1))
    for word in ROUND_AND_ROUND.split():
        history = history.apply(parse_action(KLONDIKE.layout, word))
    hidden = face_down(history)
    plan: Plan | None = None
    for _ in range(30):  # about two rounds of the 15 cards in stock and waste
        sight = see(history.position, history.positions())
        advice = advise(KLONDIKE, sight, history.unvisited_actions(), 20_000, plan=plan)
        assert advice
        first = advice.choices[0].action
        plan = advice.plan_of(first)
        plan = plan.after([first]) if plan else None
        history = history.apply(first)
        if face_down(history) < hidden:
            return
    raise AssertionError("no card was turned up")


def test_advice_that_was_stopped_is_what_was_found_by_then():
    history = History.start(KLONDIKE, deck_of_code(parse_code("GNT00-00444"), 1))
    looks = iter([False, False])  # two steps, then no more time
    sight, new = see(history.position), history.unvisited_actions()
    advice = advise(KLONDIKE, sight, new, 600_000, lambda: next(looks, True))
    assert advice
    assert advice.choices
    assert advice != advise(KLONDIKE, sight, new, 30_000)


async def test_where_every_card_is_seen_a_hint_waits_for_the_search(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hints, "QUICK", Effort(100, 60.0))
    game = await sit_down(visitor, "freecell", GENTLE)
    hint = (await visitor.get(f"/api/v1/games/{game}/hint")).json()
    assert (hint["chance"], hint["rough"]) == (1, False)


@pytest.mark.parametrize(
    ("played", "left"),
    [
        ([TO_THE_LEFT], (HOME, DEAL)),
        ([TO_THE_LEFT, HOME], (DEAL,)),
        ([HOME, TO_THE_LEFT], (DEAL,)),  # a card went home by itself
        ([TO_THE_LEFT, DEAL], None),  # a card was turned
        ([TO_THE_LEFT, HOME, DEAL], None),
        ([Move(PileId("t3"), PileId("t1"))], None),
    ],
)
def test_what_is_left_of_a_plan(played: list[Action], left: tuple[Action, ...] | None):
    plan = Plan((TO_THE_LEFT, HOME, DEAL), 0.5, 0.1)
    after = plan.after(played)
    assert (after and after.actions) == left


def test_a_plan_that_is_under_way_leads_the_advice_with_its_own_chance():
    advice = Advice(
        (Estimate(DEAL, 0.5, 0.1), Estimate(HOME, 0.4, 0.1)), 0.8, plans=((DEAL,), (HOME, DEAL))
    )
    plan = Plan((HOME, TO_THE_LEFT), 0.6, 0.05)
    led = advice.following(plan)
    assert led.choices == (Estimate(HOME, 0.6, 0.05), Estimate(DEAL, 0.5, 0.1))
    assert led.back is None
    assert led.plan_of(HOME) == plan
    assert NOTHING_ELSE.following(plan).choices == led.choices[:1]


def test_a_plan_gives_way_to_what_is_clearly_better_now():
    advice = Advice((Estimate(DEAL, 0.7, 0.1), Estimate(HOME, 0.4, 0.1)), None, plans=((DEAL,),))
    plan = Plan((HOME, TO_THE_LEFT), 0.6, 0.05)
    assert advice.following(plan) == advice
    near = advice._replace(choices=(Estimate(DEAL, 0.5, 0.1), Estimate(HOME, 0.4, 0.1)))
    assert near.following(plan).is_following
    assert advice.following(plan._replace(chance=1.0)).choices[0].action == HOME


def test_a_review_finds_no_fault_with_what_a_hint_said():
    """At one position, a refined hint and a review look at the same games."""
    history = History.start(KLONDIKE, deck_of_code(parse_code("GNT00-00444"), 1))
    turns = [PlayedTurn(history.position, 0, ())]
    for version in range(1, 13):
        sight = see(history.position, history.positions())
        advice = advise(KLONDIKE, sight, history.unvisited_actions(), THOROUGH.positions)
        assert advice
        assert THOROUGH.positions == FINEST
        history = history.apply(advice.choices[0].action)
        turns.append(PlayedTurn(history.position, version, tuple(history.positions())))
    judged = judge_game(KLONDIKE, turns, history.actions(), lambda *_: False)
    assert [one.thrown for one in judged.moves] == [0] * 12


def test_the_plan_of_a_sure_win_wins():
    history = History.start(BAKERS_GAME, deck_of_code(parse_code(GENTLE), 1))
    advice = advise(BAKERS_GAME, see(history.position), history.unvisited_actions(), 30_000)
    assert advice
    assert advice.choices[0].chance == 1
    for action in advice.plans[0]:
        history = history.apply(action)
    assert is_won(BAKERS_GAME, history.position)


def test_of_two_sure_wins_a_hint_begins_the_shorter():
    """A search stops at the first win that it finds, here one of 95 moves; another begins with another card."""
    history = History.start(FREECELL, deck_of_code(parse_code("GNT00-00002"), 1))
    found = winning_line(FREECELL, history.position, 30_000)
    assert found
    long = shorten(FREECELL, history.position, found)
    advice = advise(FREECELL, see(history.position), history.unvisited_actions(), 60_000)
    assert advice
    first = advice.choices[0].action
    plan, other = advice.plan_of(first), advice.plan_of(long[0])
    assert plan
    assert other
    assert first != long[0]
    assert plan.chance == other.chance == 1
    assert len(plan.actions) < len(other.actions) < len(long)


def hint_of(ruleset: str, table: str, plan: str) -> NumberedHint:
    """The first hint at a table, where it begins a plan."""
    game = table_at(ruleset, table)
    actions = tuple(parse_action(game.rules.layout, word) for word in plan.split())
    return hint_after(game, 0, Advice((Estimate(actions[0], 0.5, 0.1),), None, plans=(actions,)))


@pytest.mark.parametrize(
    ("table", "plan", "said"),
    [
        ("t1: AS 5D\nt2: 6C", "t1-t2 t1-f1", "This soon lets the ace of spades go home."),
        (
            "t1: [9S] 4C 5D\nt2: 6C\nt3: 5H",
            "t1-t2 t1-t3",
            "This soon turns up a card in column 1.",
        ),
        ("t1: AS\nt2: 6C", "t1-f1", ""),  # it goes home itself
        ("t1: 4C 5D\nt2: 6C\nt3: 5H", "t1-t2 t1-t3", ""),
        ("t1: AS 2S\nt2: 3H", "t1-t2 t1-f1 t2-f1", "This soon lets the ace of spades go home."),
        # The card that it moves could go home without it.
        ("f1: AS\nt1: 2S\nt2: 3H", "t1-t2 t2-f1", ""),
        # So could another card, and what comes after that is no work of the first move.
        ("t1: 4D\nt2: 5S\nt3: AC", "t1-t2 t3-f1", ""),
        ("t1: 4D\nt2: 5S\nt3: 2C AC", "t1-t2 t3-f1 t3-f1", ""),
        ("t1: 4D\nt2: 5S\nt3: [9S] 2C AC\nt4: 3H", "t1-t2 t3-f1 t3-t4", ""),
        ("t1: 4D\nt2: 5S\nt3: AC\nt4: 2H", "t1-t2 t3-t4 t4-f1", ""),
        # The first that needs it counts.
        (
            "t1: AD 4D\nt2: 5S\nt3: AC",
            "t1-t2 t3-f1 t1-f2",
            "This soon lets the ace of diamonds go home.",
        ),
        (
            "t1: [9S] 4C 5D\nt2: 6C\nt3: 5H\nt4: AC",
            "t1-t2 t4-f1 t1-t3",
            "This soon turns up a card in column 1.",
        ),
    ],
)
def test_a_reason_tells_what_the_plan_is_for(table: str, plan: str, said: str):
    reason = hint_of("klondike", table, plan).reason
    assert reason.endswith(said)
    assert ("soon" in reason) == bool(said)


@pytest.mark.parametrize(
    ("table", "plan", "said"),
    [
        ("t1: AS 5D\nt2: 6C", "t1-t2 t1-f1", "Then the ace of spades can go home."),
        # The two of hearts can go on the three of spades next, which is only on the way.
        (
            "t1: AS 2H 5D\nt2: 6C\nt3: 3S",
            "t1-t2 t1-t3 t1-f1",
            "This soon lets the ace of spades go home.",
        ),
    ],
)
def test_a_hint_says_once_what_it_leads_to(table: str, plan: str, said: str):
    besides = hint_of("klondike", table, plan).besides
    assert (
        besides.removesuffix(" In trial games from here, no other move did clearly better.") == said
    )


def test_a_reason_calls_a_single_reserve_by_its_name():
    table = "r1: [9S] 4C 5D\nt1: 6C\nt2: 5H\nt3: KS\nt4: KC"
    reason = hint_of("canfield", table, "r1-t1 r1-t2").reason
    assert reason.endswith("This soon turns up the next card of the reserve.")


BEFORE_A_ROUND = """
stock: [QS 9D 9S KD 6H QH TC 4D JS 6S 8C TD 2D 7H 8D TH 9C JD]
f1: AH 2H
f2: AS 2S 3S 4S
t2: 5C 4H
t3: [3H] 5H 4C
t4: [3C 6C 6D] TS 9H
t5: [7S 8S JH KS] 7D
t6: [QD KC QC 2C KH] JC
t7: [5D AC 5S 7C AD 3D] 8H
"""


def test_by_looks_a_card_is_played_once_the_whole_stock_has_come_by():
    """While no worker answers: else the hint could be to deal for ever."""
    game = table_at("klondike", BEFORE_A_ROUND)
    heard = []
    for _ in range(38):  # two rounds: 18 cards, and the turn of the waste
        heard.append(hint_after(game, 0).action)
        game = replace(game, history=game.history.apply(DEAL))
    assert {*heard[:19]} == {DEAL}
    assert {*heard[19:]} != {DEAL}
