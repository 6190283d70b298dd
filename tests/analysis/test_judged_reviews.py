"""Reviews that judge each move: in the JSON API, on their page, of won games, and of ranked ones once published."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import Connection, update

from app.analysis import runner, service
from app.analysis.judged_view import corrected_text, fortune_text, judged_view, own_moves
from app.analysis.judgement import JudgedGame, JudgedMove
from app.analysis.model import FullReview, HintsGiven, TurningPoint
from app.analysis.review_page import NOT_JUDGED, board_view, review_view
from app.db.schema import questions
from app.engine.card_names import card_name
from app.engine.history import History
from app.engine.shuffle import Code, deck_of_code
from app.games.chance_bar import chance_bar, unseen_note
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.replay import replay
from app.i18n.formats import percent
from app.i18n.speaking import say
from app.rulesets import find_ruleset
from app.solver.auto_finish import finishing_moves
from app.solver.difficulty import Difficulty
from tests.analysis.fake_tasks import go_on, judge_some
from tests.analysis.sample_games import sit_down
from tests.analysis.test_service import LOST, WON, line_of, lost_game, resign, until_answered
from tests.golden.records import RECORDS
from tests.support.known import HTMX
from tests.support.patience import PATIENCE
from tests.support.scenes import open_scene
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

CLASSES = {"best", "good", "inaccuracy", "mistake", "blunder", "repeat"}


async def review_of(visitor: AsyncClient, game: str) -> Any:
    """Ask for a review and wait for it."""
    address = f"/api/v1/games/{game}/review"
    assert (await visitor.post(address)).status_code in {200, 202}
    found = await until_answered(visitor, address)
    assert found["state"] == "ready"
    return found


@pytest.mark.kept_results
async def test_a_review_has_accuracy_luck_and_every_move_of_the_line(
    site: FastAPI, visitor: AsyncClient
):
    game = await lost_game(visitor)
    address = f"/api/v1/games/{game}/review"
    assert (await visitor.get(address)).json() == {"state": "unasked"}
    asked = await visitor.post(address)
    assert (asked.status_code, asked.json()["state"]) == (202, "working")
    assert 0 <= asked.json()["progress"] < 1
    assert set(asked.json()) == {"state", "progress"}
    found = await until_answered(visitor, address)
    assert 0 < found["accuracy"] < 1
    moves = found["moves"]
    assert [move["action"] for move in moves] == list(LOST.moves)
    assert [move["version"] for move in moves] == list(range(len(LOST.moves)))
    for move in moves:
        assert move["class"] in CLASSES
        assert 0 <= move["chance_after"] <= move["chance_before"] <= 1
        is_best = move["best"] == move["action"] or round(100 * move["chance_before"]) == round(
            100 * move["chance_after"]
        )
        assert move["class"] == "repeat" or (move["class"] == "best") == is_best
    assert any(move["class"] in {"mistake", "blunder"} for move in moves)
    luck = sum(move["luck"] or 0 for move in moves)
    assert found["luck"] == pytest.approx(luck, abs=0.001)
    again = await visitor.post(address)
    assert (again.status_code, again.json()) == (200, found)
    async with visiting(site) as stranger:  # like the replay, for everybody; only its player asks
        assert (await stranger.get(address)).json() == found
        refused = await stranger.post(address)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_your_game")
        seen = (await stranger.get(f"/games/{game}/help/review")).text
    # A player who has not finished the deal may not see where other games of it went.
    explorer = f'href="/games/{game}/explorer"'
    assert "What cost the most" in seen
    assert explorer not in seen
    assert explorer in (await visitor.get(f"/games/{game}/help/review")).text


async def test_a_won_game_is_reviewed_too(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WON.code or "", *WON.moves)
    assert "Review this game" in (await visitor.get(f"/games/{game}")).text
    assert "Review this game" in (await visitor.get(f"/games/{game}/replay")).text
    found = await review_of(visitor, game)
    assert len(found["moves"]) == len(WON.moves)
    assert (found["winnable"], found["unwinnable"], found["line"]) == (None, None, [])
    page = (await visitor.get(f"/games/{game}/help/review")).text
    assert "<h1>Review</h1>" in page
    assert str(WON.code) in page
    assert "Chance to win before each move" in page
    assert "Could it be won?" not in page
    assert "turning-point" not in re.sub('class="[^"]*"', "", page)
    assert "See the review" in (await visitor.get(f"/games/{game}/replay")).text
    assert not (await visitor.get(f"/api/v1/games/{game}/replay")).json()["assisted"]


@pytest.mark.kept_results
async def test_the_page_draws_the_curve_and_shows_a_better_move_on_the_board(visitor: AsyncClient):
    game = await lost_game(visitor)
    found = await review_of(visitor, game)
    address = f"/games/{game}/help/review"
    page = " ".join((await visitor.get(address)).text.split())
    percent = round(100 * found["accuracy"])
    assert f"<dd> {percent}% </dd>" in page
    assert page.index("Accuracy") < page.index('class="chances"') < page.index('class="luck"')
    fortune = re.search(r'<p class="luck">(.+?)</p>', page)
    assert fortune
    said = " ".join(re.sub(r"<[^>]+>", " ", fortune[1]).split())
    verdict, direction = (
        ("helped", "raised") if found["luck"] > 0 else ("didn&#39;t help", "lowered")
    )
    points = round(100 * abs(found["luck"]))
    assert said.startswith(
        f"The cards {verdict}. Turned cards {direction} the chance to win by {points} points. "
    )
    label = re.search(r'<svg class="chances"[^>]* aria-label="([^"]+)"', page)
    assert label
    assert f"over {len(LOST.moves)} moves" in label[1]
    (line,) = re.findall(r'<path class="curve" d="([^"]+)"', page)
    # What cards gave or took is a stroke of its own, up or down, with a legend, and told in the label.
    lucks = [abs(move["luck"] or 0) for move in found["moves"]]
    lucky = sum(luck >= 0.05 for luck in lucks)
    assert lucky > 1
    assert line.count("L") == len(LOST.moves)
    assert line.count("M") == 1 + lucky
    (strokes,) = re.findall(r'<path class="luck" d="([^"]+)"', page)
    assert len(re.findall(r"M[\d.]+ [\d.]+V[\d.]+", strokes)) == lucky
    assert '<span class="luck">Luck of turned cards</span>' in page
    most = lucks.index(max(lucks)) + 1
    assert f"by 5 points or more at {lucky} moves, most at move {most} (" in label[1]
    # Where that went the other way than all of them together, it would contradict what is said.
    goes_along = (found["moves"][most - 1]["luck"] > 0) == (found["luck"] > 0)
    assert (f"The biggest change was at move {most} (" in said) is goes_along
    strips = [
        (float(x), float(x) + float(width))
        for x, width in re.findall(r'class="around" x="([\d.-]+)" y="\d+" width="([\d.]+)"', page)
    ]
    assert 24 < max(end - start for start, end in strips) <= 48
    assert all(one[1] <= other[0] + 0.2 for one, other in pairwise(sorted(strips)))
    assert page.count('<td> <a href="') == len(LOST.moves)
    worst = min(found["moves"], key=lambda move: move["chance_after"] - move["chance_before"])
    board = page[page.index('id="board"') : page.index('class="found"')]
    assert f"Move {worst['version'] + 1}: {worst['class']}." in board
    kept, left = (round(100 * worst[f"chance_{when}"]) for when in ("before", "after"))
    assert f"That would have kept {kept}%; this kept {left}%." in board
    assert 'class="advised"' in board or "pile advised" in board
    assert f'name="at" value="{worst["version"]}">Play on from here' in board
    other = next(move for move in found["moves"][10:] if move["class"] == "best")
    there = " ".join((await visitor.get(f"{address}?at={other['version']}")).text.split())
    assert f"Move {other['version'] + 1}: best." in there
    assert "That would have kept" not in there
    forked = await visitor.post(f"/games/{game}/replay/fork", data={"at": str(worst["version"])})
    assert forked.status_code == 303


async def test_the_curve_says_what_it_does_not_know_beside_how_hard_the_deal_is(
    visitor: AsyncClient,
):
    game = await sit_down(visitor, "bristol", "GNT00-00007", "deal")
    await resign(visitor, game, 1)
    await review_of(visitor, game)
    page = " ".join((await visitor.get(f"/games/{game}/help/review")).text.split())
    note = "Judged without knowing the face-down cards: the average of all the ways they could lie."
    hard = (
        "With the cards as they lay, the difficulty of this deal is gentle."
        " The computer sees only what you see, and won this deal in 20 of 20 tries."
    )
    assert f">{note} {hard}</p>" in page[page.index("Chance to win before each move") :]
    assert note in (await visitor.get(f"/games/{game}/replay")).text


def test_only_chances_of_games_with_face_down_cards_are_judged_without_some():
    bristol, freecell = find_ruleset("bristol"), find_ruleset("freecell")
    assert bristol
    assert freecell
    for rules, has_note in ((bristol, True), (freecell, False)):
        line = History.start(rules, deck_of_code(Code("GNT00-00007"), rules.decks))
        game = Game.start(game_id="x", history=line, code=None, owner_id="anna", at_ms=0)
        assert bool(unseen_note(game)) is has_note


def test_a_review_opens_at_the_worst_move_or_else_at_the_start():
    """Not on the table where all is done; the address of that leads there all the same."""
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent(move, 0, "anna", None) for move in WON.moves])
    played = [JudgedMove(n, move, 1.0, 1.0, None, None, 0.1) for n, move in enumerate(WON.moves)]

    def opening(moves: list[JudgedMove], at: int | None = None, hinted: int = -1) -> int:
        review = FullReview(JudgedGame(tuple(moves), 1.0), None)
        hints = HintsGiven(1, frozenset({hinted}))
        return review_view(
            game, review, at, is_solver=False, may_ask=False, is_own=True, hints=hints
        ).moment.number

    assert opening(played) == 0
    assert opening(played, len(WON.moves)) == len(WON.moves)
    played[7] = JudgedMove(7, WON.moves[7], 1.0, 0.5, "deal", None, 0.5)
    assert opening(played) == 7
    assert opening(played, hinted=7) == 0  # that was no choice of the player


@pytest.mark.parametrize(
    ("ruleset", "winnable", "chance", "said"),
    [
        (
            "klondike",
            0,
            0.46,
            (
                "Chance to win, from what you could see: 46% before, 46% after. "
                "With every card known, it can be won from here."
            ),
        ),
        ("klondike", 0, 1.0, "Chance to win, from what you could see: 100% before, 100% after."),
        ("klondike", None, 0.46, "Chance to win, from what you could see: 46% before, 46% after."),
        ("freecell", 0, 0.46, "Chance to win: 46% before, 46% after."),
    ],
)
def test_a_chance_says_what_it_goes_by_and_that_the_deal_can_be_won(
    ruleset: str, winnable: int | None, chance: float, said: str
):
    rules = find_ruleset(ruleset)
    assert rules
    deck = deck_of_code(Code("JNS00-00001"), 1)
    history = History.start(rules, deck)
    action = next(iter(history.unvisited_actions()))
    game = Game.start(game_id="x", history=history, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent(str(action), 0, "anna", None)])
    judged = JudgedGame((JudgedMove(0, str(action), chance, chance, None, None, 0.1),), chance)
    review = FullReview(judged, TurningPoint(winnable, None, ()))
    board = board_view(game, review, 0, is_solver=False)
    assert say(board.moment.chance) == said
    assert board_view(game, review, 1, is_solver=False).moment.chance == ""
    proven = board_view(game, review, 0, is_solver=False, is_proven=True)
    is_told = ruleset == "klondike" and chance < 1
    assert (
        say(proven.moment.chance).endswith("With every card known, it can be won from here.")
        is is_told
    )


@pytest.mark.parametrize("chance", [0.5, 1.0])
@pytest.mark.parametrize("has_story", [True, False])
def test_how_many_tries_won_a_deal_is_said_once(chance: float, has_story: bool):
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent(move, 0, "anna", None) for move in WON.moves])
    played = tuple(
        JudgedMove(n, move, chance, chance, None, None, 0.1) for n, move in enumerate(WON.moves)
    )
    hints = HintsGiven(1, frozenset({7} if has_story else ()))
    view = review_view(
        *(game, FullReview(JudgedGame(played, chance), None), None),
        is_solver=False,
        may_ask=False,
        is_own=True,
        grade=Difficulty(games=20, wins=18, home=900),
        hints=hints,
    )
    assert view.judged
    assert bool(view.judged.story) is has_story
    assert f"{view.judged.story} {view.grade_note}".count("18 of 20") == 1
    assert "the difficulty of this deal is gentle." in view.grade_note


def test_the_turning_points_are_the_two_luckiest_or_unluckiest_cards_in_order():
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent(move, 0, "anna", None) for move in WON.moves])
    lucks = {1: 0.32, 3: -0.2, 4: 0.35, 6: 0.09}
    played = [
        JudgedMove(n, move, 0.5, 0.5, None, lucks.get(n), 0.1) for n, move in enumerate(WON.moves)
    ]
    played[8] = played[8]._replace(before=0.9, after=0.5)  # a choice, and no luck

    def found(*hinted: int) -> list[int]:
        swings = judged_view(game, JudgedGame(tuple(played), 1.0), hinted).swings
        return [one.row.number for one in swings]

    assert found() == [2, 5]
    assert found(1) == [2, 5], "a card turned at a hint is luck, too"
    played[1] = played[1]._replace(luck=None)
    assert found() == [4, 5]
    played[4] = played[4]._replace(luck=None)
    assert found() == [4], "9 points are no turning point"


@pytest.mark.parametrize(
    ("luck", "said"),
    [(0.3, "Lucky card: the {}, +30 points"), (-0.3, "Unlucky card: the {}, -30 points")],
)
def test_a_turning_point_names_the_card_and_does_not_praise_the_move(luck: float, said: str):
    rules = find_ruleset("klondike")
    assert rules
    opened = History.start(rules, deck_of_code(Code("7KQ4M-2XWTP"), rules.decks))
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent("deal", 0, "anna", None)])
    judged = JudgedGame((JudgedMove(0, "deal", 0.44, 0.44, "deal", luck, 0.1),), 0.44 + luck)
    (swing,) = judged_view(game, judged).swings
    assert rules.layout.waste is not None
    card = game.position.piles[rules.layout.waste].cards[-1]
    assert say(swing.text) == said.format(card_name(card))
    assert swing.row.name == "best"


def test_several_cards_of_a_deal_are_turning_points_together():
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent("deal", 0, "anna", None)])
    for luck, said in ((0.2, "Lucky cards: +20 points"), (-0.2, "Unlucky cards: -20 points")):
        judged = JudgedGame((JudgedMove(0, "deal", 0.5, 0.5, "deal", luck, 0.1),), 0.5 + luck)
        (swing,) = judged_view(game, judged).swings
        assert say(swing.text) == said


@pytest.mark.parametrize(("given", "biggest"), [(0.6, 4), (-0.6, None)])
def test_the_biggest_luck_is_told_only_if_it_goes_along_with_all(given: float, biggest: int | None):
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent(move, 0, "anna", None) for move in WON.moves])
    lucks = {3: given, 5: 0.4, 7: 0.4}
    played = [
        JudgedMove(n, move, 0.5, 0.5, None, lucks.get(n), 0.1) for n, move in enumerate(WON.moves)
    ]
    view = judged_view(game, JudgedGame(tuple(played), 1.0))
    assert view.fortune == "The cards helped."
    assert (view.luckiest and view.luckiest.number) == biggest


def test_neither_hints_nor_the_finish_count_for_a_figure_or_as_the_worst_moves():
    history = line_of(WON)
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent(move, 0, "anna", None) for move in WON.moves])
    played = [JudgedMove(n, move, 1.0, 1.0, None, None, 0.1) for n, move in enumerate(WON.moves)]
    played[3] = JudgedMove(3, WON.moves[3], 1.0, 0.9, "deal", None, 0.5)
    played[7] = JudgedMove(7, WON.moves[7], 1.0, 0.5, "deal", None, 0.5)
    judged = JudgedGame(tuple(played), 1.0)
    finishing = finishing_moves(WON.rules, history.positions(), history.actions())
    assert finishing > 3
    view = judged_view(game, judged, {7})
    assert [row.number - 1 for row in view.worst] == [3]
    assert view.hinted == 1
    decided = len(played) - finishing - 1
    assert view.counted.text == (
        f"You decided {decided} of the {len(played)} moves."
        f" {finishing} finishing moves and 1 move after a hint aren't counted."
    )
    assert view.own_moves + view.repeats + view.hinted + finishing == len(played)
    assert view.own_moves == len(played) - finishing - 1
    everything = judged_view(game, judged, range(len(played)))
    assert (everything.own_moves, everything.accuracy) == (0, "")


def test_what_the_site_played_by_itself_is_no_move_of_the_player():
    """Here it followed a hint, so no move is left to judge."""
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    events = [GameEvent(move, 0, "anna", None, n == 1) for n, move in enumerate(WON.moves[:2])]
    game = replay(game, events)
    played = [JudgedMove(n, WON.moves[n], 1.0, 0.5, "deal", None, 0.5) for n in range(2)]
    judged = JudgedGame(tuple(played), 0.5)
    view = judged_view(game, judged, {0})
    assert [(row.move_class, row.name, row.better) for row in view.rows] == [
        ("hinted", "hint", ""),
        ("automatic", "automatic", ""),
    ]
    assert view.is_by_hints
    assert (view.accuracy, view.worst, view.swings) == ("", [], [])
    assert view.counted.text == (
        "You decided 0 of the 2 moves. 1 automatic move and 1 move after a hint aren't counted."
    )
    assert own_moves(game, judged, {0}).moves == ()


@pytest.mark.parametrize(
    ("hinted", "said"),
    [
        ({1, 2}, "You decided 3 of the 5 moves. 2 moves after a hint aren't counted."),
        (
            {1, 2, 7},
            (
                "You decided 3 of the 5 moves. 2 moves after a hint aren't counted."
                " Another hint was for a finishing move, or for one that was taken back or not made."
            ),
        ),
        (
            {1, 7, 8},
            (
                "You decided 4 of the 5 moves. 1 move after a hint isn't counted."
                " 2 other hints were for finishing moves, or for moves that were taken back or not made."
            ),
        ),
    ],
)
def test_all_hints_are_accounted_for(hinted, said) -> None:
    """At versions 7 and 8 there is no move of the line that stayed."""
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent(move, 0, "anna", None) for move in WON.moves[:5]])
    played = [
        JudgedMove(n, move, 1.0, 1.0, None, None, 0.1) for n, move in enumerate(WON.moves[:5])
    ]
    assert judged_view(game, JudgedGame(tuple(played), 1.0), hinted).counted.text == said


async def test_a_script_gets_the_board_of_a_review_alone(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", LOST.code or "", *LOST.moves[:3])
    for version, action in enumerate(("undo", "redo", "resign"), start=3):
        await visitor.post(f"/api/v1/games/{game}/{action}", json={"version": version})
    await review_of(visitor, game)
    address = f"/games/{game}/help/review"
    steps = re.search(r'data-steps="([^"]+)"', (await visitor.get(address)).text)
    assert steps
    assert steps[1] == "0 1 4 5"  # the replay has what was undone, too
    pieces = [(await visitor.get(f"{address}?at={at}", headers=HTMX)).text for at in (0, 4, 5)]
    assert all(piece.lstrip().startswith("<div") for piece in pieces)
    captions = [re.findall(r"<nav.*?<p[^>]*>([^<]+)</p>", piece, re.DOTALL) for piece in pieces]
    assert captions == [
        ["Before move 1 of 3"],
        ["Before move 3 of 3"],
        ["Where the game ended"],
    ]
    assert [re.findall(r'class="(\w+)"\s+href="\?at=(\d)#board', piece) for piece in pieces] == [
        [("next", "1"), ("last", "5")],
        [("first", "0"), ("back", "1"), ("next", "5"), ("last", "5")],
        [("first", "0"), ("back", "4")],
    ]
    assert "Resigned after" in pieces[2]


async def test_a_review_from_before_moves_were_judged_stays_and_can_be_made_anew(
    database_url: str,
):
    async with open_scene(database_url) as scene:
        await scene.build("open ended")  # with such a review
        address = f"/games/{scene.game_id}/help/review"
        api = f"/api/v1{address.replace('/help', '')}"
        old = await scene.anna.get(address)
        assert "Could it be won?" in old.text
        assert "Judge every move" in old.text
        found = (await scene.anna.get(api)).json()
        assert (found["state"], found["accuracy"], found["moves"]) == ("ready", None, [])
        stranger = scene.others["stranger"]
        assert "Judge every move" not in (await stranger.get(address)).text
        assert (await scene.anna.post(address)).status_code == 303
        assert "Judging each move" in (await scene.anna.get(address)).text
        assert "Could it be won?" in (await stranger.get(address)).text
        assert len((await until_answered(scene.anna, api))["moves"]) == 1
        assert "Chance to win before each move" in (await stranger.get(address)).text


async def test_a_review_that_judged_moves_otherwise_stays_and_can_be_made_anew(database_url: str):
    old = JudgedGame((JudgedMove(0, "deal", 0.8, 0.2, "t1-t2", 0.5, 0.6),), 0.7)
    text = str(FullReview(old, TurningPoint(0, None, ()))).replace('"format": 2', '"format": 1')
    async with open_scene(database_url) as scene:
        await scene.build("open ended")

        def make_old(connection: Connection) -> None:
            of_game = questions.c.game_id == scene.game_id
            changes = {"topic": "judged review", "answer": text}
            connection.execute(
                update(questions).where(of_game, questions.c.topic == "review").values(changes)
            )

        await scene.app.state.services.database.write(make_old)
        address = f"/games/{scene.game_id}/help/review"
        api = f"/api/v1{address.replace('/help', '')}"
        assert (await scene.anna.get(api)).json()["luck"] == 0.5
        assert "Judge every move" in (await scene.anna.get(address)).text
        assert (await scene.anna.post(address)).status_code == 303
        found = await until_answered(scene.anna, api)
        assert len(found["moves"]) == 1
        assert found["luck"] != 0.5
        assert "Judge every move" not in (await scene.anna.get(address)).text


async def test_ranked_games_are_reviewed_once_their_deal_is_published(database_url: str):
    async with open_scene(database_url) as scene:
        await scene.build("daily ended")
        page = f"/games/{scene.game_id}/help/review"
        address = f"/api/v1/games/{scene.game_id}/review"
        for answer in (
            await scene.anna.get(address),
            await scene.anna.post(address),
            await scene.anna.delete(address),
        ):
            assert (answer.status_code, answer.json()["code"]) == (403, "no_help")
        assert (await scene.anna.post(page)).status_code == 403
        assert (
            "Review this game" not in (await scene.anna.get(f"/games/{scene.game_id}/replay")).text
        )
        assert (await scene.others["stranger"].get(address)).json()["code"] == "not_your_game"


async def test_a_race_is_not_reviewed_while_the_others_race(database_url: str):
    async with open_scene(database_url) as scene:
        await scene.build("race")
        await scene.act("resign")  # the other one still plays
        address = f"/api/v1/games/{scene.game_id}/review"
        assert (await scene.anna.post(address)).json()["code"] == "no_help"


async def test_a_closed_daily_is_reviewed(database_url: str):
    async with open_scene(database_url) as scene:
        await scene.build("daily closed")
        found = await review_of(scene.anna, scene.game_id)
        assert [move["action"] for move in found["moves"]] == ["deal"]
        address = f"/api/v1/games/{scene.game_id}/review"
        assert (await scene.others["stranger"].get(address)).json() == found
        replay = (await scene.anna.get(f"/api/v1/games/{scene.game_id}/replay")).json()
        assert not replay["assisted"]


async def resigned_game(visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game that has ended, on a site where a review goes on until it is stopped."""
    monkeypatch.setattr(service, "find_review", go_on)
    game = await sit_down(visitor, "bristol", WON.code or "")
    await resign(visitor, game, 0)
    return game


async def test_a_review_shows_its_progress_and_can_be_stopped(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    game = await resigned_game(visitor, monkeypatch)
    address = f"/api/v1/games/{game}/review"
    assert (await visitor.post(address)).status_code == 202
    waiting = await visitor.get(f"/games/{game}/help/review", headers=HTMX)
    assert "<progress" in waiting.text
    assert (await visitor.get(address)).status_code == 202
    assert (await visitor.delete(address)).status_code == 204
    assert (await visitor.get(address)).json() == {"state": "unasked"}


async def test_the_address_of_a_review_is_no_second_question_unless_the_game_can_go_on(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    ended = await resigned_game(visitor, monkeypatch)
    address = f"/games/{ended}/help/review"
    piece = (await visitor.get(address, headers=HTMX)).text
    assert "<progress" not in piece, "only who opens the page asks"
    assert "<progress" in (await visitor.get(address)).text
    stopped = await visitor.post(f"{address}/stop")
    assert stopped.headers["location"] == f"/games/{ended}/replay"
    assert (await visitor.get(f"/api/v1/games/{ended}/review")).json() == {"state": "unasked"}
    lost = await sit_down(visitor, "bristol", LOST.code or "", *LOST.moves)
    page = (await visitor.get(f"/games/{lost}/help/review")).text
    assert "<progress" not in page
    assert "Review this game" in page


async def test_a_replay_shows_the_chance_at_each_step_once_there_is_a_review(
    site: FastAPI, visitor: AsyncClient
):
    game = await sit_down(visitor, "bristol", LOST.code or "", *LOST.moves[:3])
    for version, action in enumerate(("undo", "redo", "resign"), start=3):
        await visitor.post(f"/api/v1/games/{game}/{action}", json={"version": version})
    address = f"/games/{game}/replay"
    assert 'id="chance"' not in (await visitor.get(address)).text
    moves = (await review_of(visitor, game))["moves"]
    assert [move["version"] for move in moves] == [0, 1, 4]
    async with visiting(site) as stranger:
        shown = [await chance_at(stranger, f"{address}?at={step}") for step in range(7)]
    for move in moves:
        assert shown[move["version"]] == chance_bar(move["chance_before"]).text
    assert shown[2:4] == shown[4:6]  # an undo and a redo lead back to the same positions
    assert shown[5] == shown[6] != "not judged"  # resigning changes no card


async def test_a_replay_shows_no_bar_in_a_line_that_was_undone_and_says_why_it_has_more_steps(
    visitor: AsyncClient,
):
    first, second = LOST.moves[:2]
    game = await sit_down(visitor, "bristol", LOST.code or "", first, second, "undo", "undo", first)
    await resign(visitor, game, 5)
    address = f"/games/{game}/replay"
    assert "Undone moves are steps, too." in (await visitor.get(address)).text, "unreviewed, too"
    await review_of(visitor, game)
    page = (await visitor.get(f"{address}?at=2")).text
    assert page.count("Undone moves are steps, too.") == 1
    assert re.search(r'<meter [^>]*aria-hidden="true" hidden>', " ".join(page.split()))
    assert 'data-chance=""' in page
    shown = [await chance_at(visitor, f"{address}?at={step}") for step in (0, 1, 3, 4, 5)]
    assert shown[0] == shown[3] != "not judged"  # before the first move, also before it was undone
    assert shown[1] == shown[2] == shown[4] != "not judged"  # made again, it is the same move


async def test_a_replay_of_a_game_that_was_only_resigned_speaks_of_no_undone_moves(
    visitor: AsyncClient,
):
    game = await sit_down(visitor, "bristol", LOST.code or "", LOST.moves[0])
    await resign(visitor, game, 1)
    await review_of(visitor, game)
    page = (await visitor.get(f"/games/{game}/replay")).text
    assert "See the review" in page
    assert "Undone moves" not in page


async def chance_at(visitor: AsyncClient, address: str) -> str:
    page = " ".join((await visitor.get(address)).text.split())
    found = re.search(r'<meter min="0" max="100" value="(\d+)"[^>]*></meter> <b[^>]*>([^<]+)', page)
    assert found
    piece = (await visitor.get(address, headers=HTMX)).text
    assert f'data-chance="{found[1]}"' in piece
    return found[2]


async def test_while_the_moves_are_judged_one_can_step_through_them(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "find_review", go_on)
    game = await lost_game(visitor)
    address = f"/games/{game}/help/review"
    await visitor.post(address)
    page = " ".join((await visitor.get(address)).text.split())
    assert 'data-number="0"' in page, "the board shows the opening"
    assert "<progress" in page
    assert 'class="curve" d=""' in page, "the frame of the curve keeps its place"
    assert f"Move 1 of {len(LOST.moves)}." in page
    assert "<h2>Chance to win, filling in…</h2>" in page
    assert "left." not in page, "it could not be kept"
    board = (await visitor.get(f"{address}?at=2", headers=HTMX)).text
    assert 'id="board"' in board
    assert 'data-number="2"' in board
    assert "<b>Move 3:</b>" in board


async def test_a_win_with_every_card_in_sight_is_perfect_and_owes_nothing_to_luck(
    visitor: AsyncClient,
):
    """Each of its moves is known to have kept the win, so none is weighed against others."""
    won = next(record for record in RECORDS if record.name == "freecell-won")
    game = await sit_down(visitor, "freecell", won.code or "", *won.moves)
    found = await review_of(visitor, game)
    assert {move["chance_after"] for move in found["moves"]} == {1.0}
    page = " ".join((await visitor.get(f"/games/{game}/help/review")).text.split())
    assert "<dt>Accuracy</dt> <dd> 100% </dd>" in page
    assert 'class="luck"' not in page


async def play_by_hints(
    visitor: AsyncClient, game: str, moves: Sequence[str], alone: int | None = None
) -> None:
    """Ask for a hint before each move but the one with index ``alone``."""
    for version, move in enumerate(moves):
        if version != alone:
            await visitor.post(f"/games/{game}/help/hint", data={"version": version, "hint": 0})
        body = {"version": version, "move": move}
        await visitor.post(f"/api/v1/games/{game}/moves", json=body)


async def test_moves_after_hints_are_marked_and_count_for_no_figure(visitor: AsyncClient):
    won = next(record for record in RECORDS if record.name == "freecell-won")
    game = await sit_down(visitor, "freecell", won.code or "")
    await play_by_hints(visitor, game, won.moves[:3], alone=1)
    await resign(visitor, game, 3)
    await review_of(visitor, game)
    page = (await visitor.get(f"/games/{game}/help/review")).text
    assert len(re.findall(r'<td class="hinted"><svg.*?</svg>hint</td>', page)) == 2, "as a class"
    score = page[page.index('class="score') : page.index("</dl>")]
    counted = [int(number) for number in re.findall(r"<dd>\s*(\d+)\s*</dd>", score)]
    assert sum(counted) == 1
    assert "<dt>Accuracy in one move without a hint</dt>" in score


async def test_who_followed_hints_alone_is_not_judged(visitor: AsyncClient):
    won = next(record for record in RECORDS if record.name == "freecell-won")
    game = await sit_down(visitor, "freecell", won.code or "")
    await play_by_hints(visitor, game, won.moves[:2])
    await resign(visitor, game, 2)
    await review_of(visitor, game)
    page = (await visitor.get(f"/games/{game}/help/review")).text
    assert "You followed hints, so there is no move of yours to judge." in page
    assert "What cost the most" not in page
    assert "counted" not in page, "it is said above"
    again = f'value="{won.code}">Try this deal without hints</button>'
    assert page[: page.find(again)].rpartition("<button")[2].startswith(' class="primary"')
    assert -1 < page.find(again) < page.find("<h2>Chance to win before each move</h2>")
    assert '<input type="hidden" name="ruleset" value="freecell">' in page
    assert 'class="score' not in page


async def test_the_board_gives_no_verdict_on_a_move_after_a_hint(visitor: AsyncClient):
    game = await sit_down(visitor, LOST.ruleset, LOST.code or "")
    await play_by_hints(visitor, game, LOST.moves[:6], alone=2)
    await resign(visitor, game, 6)
    found = await review_of(visitor, game)
    for headers in ({}, {"HX-Request": "true"}):
        for move in found["moves"]:
            at = move["version"]
            path = f"/games/{game}/help/review?at={at}"
            page = (await visitor.get(path, headers=headers)).text
            board = page[page.index('class="said"') : page.index("/replay/fork")]
            said = move["class"] if at == 2 else "hint"
            assert f"Move {at + 1}: {said}.</b>" in board
            assert ('<b class="hinted">' in board) is (at != 2)
            assert "Better:" not in board or at == 2


async def test_the_interface_and_the_page_give_one_accuracy(visitor: AsyncClient):
    """That of the moves without hints: after a hint for every move there is none."""
    game = await sit_down(visitor, LOST.ruleset, LOST.code or "")
    await play_by_hints(visitor, game, LOST.moves[:6])
    await resign(visitor, game, 6)
    found = await review_of(visitor, game)
    assert len(found["moves"]) == 6
    assert found["accuracy"] is None
    assert all(move["hint"] for move in found["moves"])
    page = (await visitor.get(f"/games/{game}/help/review")).text
    assert "<dt>Accuracy</dt>" not in page


def test_an_accuracy_is_of_the_moves_without_hints() -> None:
    best = JudgedMove(0, "deal", 1.0, 1.0, "deal", None, 1.0)
    judged = JudgedGame((best, best._replace(version=1, action="t1-f1", after=0.5)), 0.5)
    assert judged.shown_accuracy == 0.75
    assert judged.own({1}).shown_accuracy == 1
    assert judged.own({0}).shown_accuracy == 0.5
    assert judged.own({0, 1}).shown_accuracy is None


@pytest.mark.parametrize(
    ("choices", "moves", "accuracy", "why"),
    [
        (1, 9, "", "Only 1 move mattered: too few to measure accuracy."),
        (4, 9, "", "Only 4 moves mattered: too few to measure accuracy."),
        (5, 9, "50%", ""),
        (6, 24, "50%", ""),
        (6, 25, "", "Only 6 moves mattered: too few to measure accuracy."),
    ],
)
def test_an_accuracy_needs_enough_moves_that_could_lose_something(
    choices, moves, accuracy, why
) -> None:
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent(move, 0, "anna", None) for move in WON.moves[:moves]])
    played = [
        JudgedMove(n, move, 1.0, 0.5, None, None, 0.5 if n < choices else 0.0)
        for n, move in enumerate(WON.moves[:moves])
    ]
    view = judged_view(game, JudgedGame(tuple(played), 0.5))
    assert (view.accuracy and say(view.accuracy), view.too_few) == (accuracy, why)
    assert view.has_counts == (not why)
    wrong = [move._replace(best="deal", action="t1-f1") for move in played]
    assert judged_view(game, JudgedGame(tuple(wrong), 0.5)).has_counts, (
        "errors are told of few, too"
    )


def test_a_win_with_few_choices_and_no_mistake_is_praised_and_not_refused_a_figure() -> None:
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent(move, 0, "anna", None) for move in WON.moves])
    played = [
        JudgedMove(n, move, 0.5, 0.5, None, None, 0.5 if n in {1, 2, 3, 4} else 0.0)
        for n, move in enumerate(WON.moves)
    ]

    def told(game: Game, moves: Sequence[JudgedMove]) -> tuple[str, str]:
        review = FullReview(JudgedGame(tuple(moves), 1.0), None)
        view = review_view(game, review, None, is_solver=False, may_ask=False, is_own=True)
        assert view.judged
        return view.headline, view.judged.praise

    praise = "No mistakes: only 4 moves mattered."
    assert told(game, played) == (praise, praise)
    wrong = played[2]._replace(best="deal", after=0.3)
    assert told(game, [*played[:2], wrong, *played[3:]]) == ("", ""), "a blunder"
    assert told(game, played[:-1]) == ("", ""), "who knows what the last move was"
    unfinished = replay(
        Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0),
        [GameEvent(move, 0, "anna", None) for move in WON.moves[:9]],
    )
    assert told(unfinished, played[:9]) == ("", ""), "no win"


def test_automatic_moves_are_the_same_number_in_a_review_as_in_the_log() -> None:
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    last = len(WON.moves) - 2  # the last two went home by themselves
    events = [GameEvent(move, 0, "anna", None, n >= last) for n, move in enumerate(WON.moves)]
    game = replay(game, events)
    played = [JudgedMove(n, move, 0.5, 0.5, None, None, 0.1) for n, move in enumerate(WON.moves)]
    found = judged_view(game, JudgedGame(tuple(played), 1.0)).counted
    assert found.automatic == game.automatic_moves == 2
    assert found.finishing > 0
    assert found.decided + found.automatic + found.finishing == found.judged == game.moves


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (-0.27, "A closer look lowered the estimate by 27 points: neither luck nor a mistake."),
        (0.06, "A closer look raised the estimate by 6 points: neither luck nor your doing."),
        (-0.04, ""),
    ],
)
def test_a_change_by_neither_luck_nor_a_mistake_is_said(change: float, said: str) -> None:
    assert say(corrected_text(change)) == said


def test_a_move_with_nothing_at_stake_is_no_best_move() -> None:
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent(move, 0, "anna", None) for move in WON.moves[:9]])

    def counted(*stakes: float, chance: float = 0.5, worse: int = -1) -> tuple[dict[str, int], int]:
        played = [
            JudgedMove(n, move, chance, chance - 0.1 * (n == worse), "deal", None, stake)
            for n, (move, stake) in enumerate(zip(WON.moves, stakes, strict=False))
        ]
        view = judged_view(game, JudgedGame(tuple(played), chance))
        return {one.move_class: one.number for one in view.counts if one.number}, view.unstaked

    assert counted(0.0, 0.01, 0.5, 0.0) == ({"best": 1}, 3)
    assert counted(0.0, 0.0) == ({}, 2)
    assert counted(0.3, 0.0, 0.3, worse=2) == ({"best": 1, "mistake": 1}, 1)
    assert counted(0.3, 0.3, chance=0.0) == ({}, 2), "nothing could be lost any more"
    assert counted(0.0, 0.0, chance=1.0) == ({"best": 2}, 0), "a win was kept"


async def test_a_review_says_once_how_many_moves_had_nothing_at_stake(visitor: AsyncClient):
    for most in (6, len(LOST.moves)):
        game = await sit_down(visitor, LOST.ruleset, LOST.code or "", *LOST.moves[:most])
        await resign(visitor, game, most)
        found = await review_of(visitor, game)
        page = " ".join((await visitor.get(f"/games/{game}/help/review")).text.split())
        told = [int(n) for n in re.findall(r"(\d+) moves? had nothing at stake", page)]
        few = re.findall(r"Only (\d+) moves? mattered", page)
        if most == 6:
            assert few == [str(found["choices"])]
            assert found["choices"] + sum(told) == 6
            continue
        assert few == []
        score = re.search(r'class="score.*?</dl>', page)
        counted = [int(n) for n in re.findall(r"<dd> (\d+) </dd>", score[0] if score else "")]
        classes = [move["class"] for move in found["moves"]]
        assert len(told) == 1
        assert sum(counted) + sum(told) + classes.count("repeat") == len(classes)
        assert told[0] <= classes.count("best")


def test_of_an_older_game_it_is_only_known_whether_most_moves_followed_hints():
    rules = find_ruleset("bristol")
    assert rules
    line = History.start(rules, deck_of_code(Code("7KQ4M-2XWTP"), rules.decks))
    game = Game.start(game_id="x", history=line, code=None, owner_id="anna", at_ms=0)
    for hints, is_said in ((HintsGiven(), False), (HintsGiven(1), True)):
        view = review_view(
            game, NOT_JUDGED, None, is_solver=False, may_ask=False, is_own=True, hints=hints
        )
        assert view.is_mostly_hints is is_said


@pytest.mark.parametrize(
    ("luck", "said"),
    [
        (2.52, "The cards helped."),
        (0.05, "The cards helped."),
        (0.049, "The cards neither helped nor hurt."),
        (0.0, "The cards neither helped nor hurt."),
        (-0.049, "The cards neither helped nor hurt."),
        (-0.05, "The cards didn't help."),
    ],
)
def test_luck_is_said_in_words(luck: float, said: str) -> None:
    assert fortune_text(luck) == said


def test_how_much_even_luck_was_is_not_said() -> None:
    opened = History.start(WON.rules, WON.cards)
    game = Game.start(game_id="x", history=opened, code=None, owner_id="anna", at_ms=0)
    game = replay(game, [GameEvent(move, 0, "anna", None) for move in WON.moves[:2]])

    def told(luck: float) -> tuple[str, str]:
        lucks = (None, luck)
        played = [JudgedMove(n, WON.moves[n], 0.5, 0.5, None, lucks[n], 0.1) for n in (0, 1)]
        view = judged_view(game, JudgedGame(tuple(played), 0.5))
        return view.fortune, view.luck

    assert told(-0.01) == ("The cards neither helped nor hurt.", "")
    assert told(-0.06) == (
        "The cards didn't help.",
        "Turned cards lowered the chance to win by 6 points.",
    )


@pytest.mark.parametrize(("after", "said"), [(0.91, "99%"), (0.98, "100%")])
def test_full_accuracy_means_no_inaccuracy(after: float, said: str) -> None:
    best = JudgedMove(0, "deal", 1.0, 1.0, "deal", None, 1.0)
    judged = JudgedGame((best._replace(action="t1-f1", after=after), *[best] * 19), 1.0)
    assert judged.accuracy is not None
    assert judged.accuracy > 0.995
    assert judged.shown_accuracy is not None
    assert say(percent(judged.shown_accuracy)) == said


async def test_a_review_says_which_moves_repeat_an_earlier_position(visitor: AsyncClient):
    code = next(record for record in RECORDS if record.ruleset == "klondike").code or ""
    deals = ["deal"] * (24 + 1 + 3)  # through the stock, back, and three again
    game = await sit_down(visitor, "klondike", code, *deals)
    await resign(visitor, game, len(deals))
    found = await review_of(visitor, game)
    assert [move["class"] for move in found["moves"]].count("repeat") == 4
    address = f"/games/{game}/help/review"
    page = " ".join((await visitor.get(address)).text.split())
    assert "4 moves only led back to an earlier position. They aren't judged." in page
    unstaked = re.findall(r"(\d+) moves? had nothing at stake", page)
    choices = re.findall(r"Only (\d+) moves? mattered", page)
    assert unstaked == ["24"] or found["choices"] == int(choices[0]) == 24 - int(unstaked[0])
    board = " ".join((await visitor.get(f"{address}?at=27")).text.split())
    assert "Move 28: repeats an earlier position." in board


async def test_the_curve_grows_while_the_moves_are_judged(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "find_review", judge_some)
    monkeypatch.setattr(runner, "CHECK_SECONDS", 0.05)
    game = await lost_game(visitor)
    address = f"/games/{game}/help/review"
    await visitor.post(address)
    async with asyncio.timeout(PATIENCE):
        while "over the first" not in (page := (await visitor.get(address)).text):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert "over the first 3 of 10 moves: 50% at first, 40% so far" in page
    line = re.search(r'class="curve" d="M46.0 92.0(L[\d. L]+)"', page)
    assert line
    assert line[1].count("L") == 3
    assert line[1].rsplit("L", 1)[1].split()[0] == "172.0", "three tenths of the way from 46 to 466"
    assert "<progress" in (await visitor.get(address, headers=HTMX)).text
    assert (await visitor.post(f"{address}/stop")).status_code == 303


async def test_the_page_has_one_order_while_the_moves_are_judged_and_after(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    """The bar stands where the figures come, so nothing moves when they do."""
    parts = ('id="board"', 'class="counted"', 'class="chances"', 'class="found"')
    with monkeypatch.context() as patched:
        patched.setattr(service, "find_review", go_on)
        game = await lost_game(visitor)
        address = f"/games/{game}/help/review"
        await visitor.post(address)
        waiting = (await visitor.get(address)).text
        await visitor.post(f"{address}/stop")
    assert "<progress" in waiting
    await review_of(visitor, game)
    judged = (await visitor.get(address)).text
    for page in (waiting, judged):
        places = [page.index(part) for part in parts]
        assert places == sorted(places)
        assert len(re.findall(r'class="primary"', page)) == 1, "one main button"
