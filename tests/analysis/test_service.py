"""Questions that need every card: announced, marked, searched for in a worker, answered and stored."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.analysis import service
from app.analysis.model import TurningPoint, WinnabilityVerdict, Winnable, replay_steps, review_text
from app.analysis.review_page import course_of
from app.analysis.tasks import find_turning_point, find_winnable
from app.deals.starters import starter_deals
from app.engine.actions import parse_action
from app.engine.history import History
from app.engine.transition import apply, is_won
from app.jobs.queue import Urgency
from app.rulesets.freecell import FREECELL
from app.settings import Settings
from tests.analysis.fake_tasks import break_down, go_on, take_a_moment
from tests.analysis.sample_games import sit_down
from tests.golden.records import RECORDS, Record
from tests.support.known import HTMX
from tests.support.patience import PATIENCE
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio

WON = next(record for record in RECORDS if record.name == "bristol-won")
LOST = next(record for record in RECORDS if record.name == "bristol-lost")
OPEN = next(record for record in RECORDS if record.ruleset == "freecell")


LAST = "Find the last winnable position"
MARK = ">assisted</span>"


async def until_answered(visitor: AsyncClient, address: str) -> Any:
    """Refresh and again, as a page does, ever less often: who asks takes time from the worker."""
    pause = 0.02
    async with asyncio.timeout(PATIENCE):
        while (found := (await visitor.get(address)).json())["state"] in {"looking", "working"}:
            await asyncio.sleep(pause)
            pause = min(1.3 * pause, 1.0)
    return found


async def resign(visitor: AsyncClient, game: str, version: int) -> None:
    answer = await visitor.post(f"/api/v1/games/{game}/resign", json={"version": version})
    assert answer.status_code == 200


# --- what the workers find


def line_of(record: Record) -> History:
    line = History.start(record.rules, record.cards)
    for move in record.moves:
        line = line.apply(parse_action(record.rules.layout, move))
    return line


def test_a_position_can_be_won_or_not():
    early = line_of(WON).positions()[:11]
    assert find_winnable("bristol", WON.rules.revision, early) == "yes"
    stuck = line_of(LOST).positions()
    found = WinnabilityVerdict.parse(find_winnable("bristol", LOST.rules.revision, stuck))
    turning_point = find_turning_point(LOST.rules, stuck)
    assert found == (Winnable.NO, turning_point.winnable, turning_point.unwinnable)
    # With nothing before it, only itself is known.
    assert find_winnable("bristol", LOST.rules.revision, stuck[-1:]) == "no - 0"


def test_looking_back_finds_the_move_that_gave_the_win_away():
    line = line_of(WON)
    found = find_turning_point(WON.rules, line.positions())
    assert (found.winnable, found.unwinnable, found.line) == (len(WON.moves), None, ())
    line = line_of(LOST)
    found = find_turning_point(LOST.rules, line.positions())
    assert found.winnable is not None
    assert found.unwinnable is not None
    assert found.winnable < found.unwinnable <= len(LOST.moves)
    position = line.positions()[found.winnable]
    for word in found.line:
        position = apply(LOST.rules, position, parse_action(LOST.rules.layout, word))
    assert is_won(LOST.rules, position)


@pytest.mark.parametrize(
    ("log", "steps"),
    [
        ("", [0]),
        ("a b c", [0, 1, 2, 3]),
        ("a b undo c", [0, 3, 4]),
        ("a b undo redo", [0, 3, 4]),
        ("a b c restart redo d resign", [4, 5, 6]),
        ("a b undo undo resign", [4]),
    ],
)
def test_each_position_of_the_last_line_has_the_step_that_showed_it_last(
    log: str, steps: list[int]
):
    assert replay_steps(log.split()) == steps


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            TurningPoint(2, 3, ("deal",)),
            "It could be won up to step 5. The next move gave it away.",
        ),
        (
            TurningPoint(0, None, ()),
            "It could be won at step 0. What was possible after that is unknown.",
        ),
        (TurningPoint(3, None, ()), "It could still be won when it was resigned."),
        (TurningPoint(None, 0, ()), "This deal could not be won."),
    ],
)
def test_a_review_in_words_names_the_steps_of_the_replay(found: TurningPoint, words: str):
    assert review_text(found, [0, 4, 5, 6]) == words


# --- is it still winnable?


async def test_the_page_says_what_it_means_before_anything_is_looked_at(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WON.code or "")
    page = (await visitor.get(f"/games/{game}/help/winnable")).text
    assert "marked as assisted" in page
    assert "all the cards" in page
    state = (await visitor.get(f"/api/v1/games/{game}/winnable")).json()
    assert state == {
        "version": 0,
        "state": "unasked",
        "share": 1.0,
        "answer": None,
        "assisted": False,
        "last_winnable": None,
    }
    assert MARK not in (await visitor.get(f"/games/{game}")).text
    await resign(visitor, game, 0)
    assert not (await visitor.get(f"/api/v1/games/{game}/replay")).json()["assisted"]


async def test_the_page_and_its_button_are_called_as_what_led_there(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WON.code or "", *WON.moves[:3])
    asking = {"": ("Is it still winnable?", "Check if it can be won"), "?last=true": (LAST, LAST)}
    for query, (heading, button) in asking.items():
        page = (await visitor.get(f"/games/{game}/help/winnable{query}")).text
        assert f"<h1>{heading}</h1>" in page
        assert f'<button class="primary">{button}</button>' in page
    asked = await visitor.post(
        f"/games/{game}/help/winnable", data={"version": "3", "last": "true"}
    )
    assert asked.headers["location"].endswith("/help/winnable?last=true")


async def test_a_game_that_is_assisted_already_is_not_warned_about_again(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WON.code or "", *WON.moves[:3])
    for query in ("", "?last=true"):
        page = (await visitor.get(f"/games/{game}/help/winnable{query}")).text
        assert "will be marked as assisted" in page
        assert 'class="free"' not in page
    await visitor.post(f"/games/{game}/help/winnable", data={"version": "3"})
    move = {"version": 3, "move": WON.moves[3]}
    await visitor.post(f"/api/v1/games/{game}/moves", json=move)
    for query in ("", "?last=true"):
        page = (await visitor.get(f"/games/{game}/help/winnable{query}")).text
        assert "will be marked as assisted" not in page
        assert "This game is already marked as assisted." in page
        assert 'class="free"' in page, "a script asks at once"


async def test_only_a_game_with_cards_face_down_says_that_those_are_used(visitor: AsyncClient):
    for record, is_said in ((WON, True), (OPEN, False)):
        game = await sit_down(visitor, record.ruleset, record.code or "")
        page = (await visitor.get(f"/games/{game}/help/winnable")).text
        assert ("including those face down" in page) == is_said, record.ruleset
    dead_end = (await visitor.get(f"/games/{game}/help/winnable?last=true")).text
    assert "A search looks for the last position from which you could win." in dead_end


async def test_a_proof_answers_at_once_and_marks_nothing(visitor: AsyncClient):
    code = next(iter(starter_deals(FREECELL)))
    game = await sit_down(visitor, "freecell", code)
    page = (await visitor.get(f"/games/{game}/help/winnable")).text
    assert "Yes. This deal was proven winnable before you got it." in page
    assert "assisted" not in page
    assert MARK not in (await visitor.get(f"/games/{game}")).text
    legal = (await visitor.get(f"/api/v1/games/{game}")).json()["legal_moves"]
    first = {"version": 0, "move": legal[0]}
    await visitor.post(f"/api/v1/games/{game}/moves", json=first)
    page = (await visitor.get(f"/games/{game}/help/winnable")).text
    assert "marked as assisted" in page, "after a move only a search can tell"


async def test_the_answer_comes_from_a_worker_and_the_game_stays_marked(
    site: FastAPI, visitor: AsyncClient
):
    game = await sit_down(visitor, "bristol", WON.code or "", *WON.moves[:3])
    asked = await visitor.post(f"/games/{game}/help/winnable", data={"version": "3"})
    assert asked.status_code == 303
    waiting = await visitor.get(f"/games/{game}/help/winnable")
    assert "Searching with all cards" in waiting.text or "Yes." in waiting.text
    found = await until_answered(visitor, f"/api/v1/games/{game}/winnable")
    assert (found["answer"], found["version"]) == ("yes", 3)
    piece = await visitor.get(f"/games/{game}/help/winnable", headers=HTMX)
    assert "<!DOCTYPE" not in piece.text
    assert "Yes. You can still win from here." in piece.text
    assert found["assisted"]
    assert MARK in (await visitor.get(f"/games/{game}")).text
    await resign(visitor, game, 3)
    assert (await visitor.get(f"/api/v1/games/{game}/replay")).json()["assisted"]
    assert ", assisted." in (await visitor.get(f"/games/{game}/replay")).text
    deal = f"/deals/bristol/{WON.code}"
    (result,) = (await visitor.get(f"/api/v1{deal}/results")).json()
    assert result["assisted"]
    assert "not won, assisted" in (await visitor.get(f"/deal/bristol/{WON.code}")).text
    await visitor.post("/api/v1/me/claim", json={"name": "Anna", "password": "seven ravens sleep"})
    (kept,) = (await visitor.get("/api/v1/me/export")).json()["games"]
    assert kept["assisted_ms"] > 0
    profile = (await visitor.get("/api/v1/players/Anna")).json()
    assert [one["assisted"] for one in profile["recent"]] == [True]
    assert ", assisted" in (await visitor.get("/players/Anna")).text


async def test_an_answer_applies_to_one_version_only(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WON.code or "")
    stale = await visitor.post(f"/api/v1/games/{game}/winnable", json={"version": 4})
    assert (stale.status_code, stale.json()["code"]) == (409, "conflict")
    await visitor.post(f"/api/v1/games/{game}/winnable", json={"version": 0})
    assert (await until_answered(visitor, f"/api/v1/games/{game}/winnable"))["answer"] == "yes"
    body = {"version": 0, "move": WON.moves[0]}
    await visitor.post(f"/api/v1/games/{game}/moves", json=body)
    now = (await visitor.get(f"/api/v1/games/{game}/winnable")).json()
    assert (now["version"], now["state"]) == (1, "unasked")


async def test_the_last_answer_stays_beside_the_game_until_its_move_is_undone(
    visitor: AsyncClient, site: FastAPI
):
    game = await sit_down(visitor, "bristol", WON.code or "", *WON.moves[:2])
    await visitor.post(f"/api/v1/games/{game}/winnable", json={"version": 2})
    await until_answered(visitor, f"/api/v1/games/{game}/winnable")
    table, said = f"/games/{game}", "Winnable as of move 2</span>"
    assert said in (await visitor.get(table)).text
    async with visiting(site) as stranger:
        assert said not in (await stranger.get(table)).text
    next_move = {"version": 2, "move": WON.moves[2]}
    await visitor.post(f"/api/v1/games/{game}/moves", json=next_move)
    assert said in (await visitor.get(table)).text
    then = (("undo", True), ("undo", False), ("redo", True), ("restart", False))
    for version, (word, is_said) in enumerate(then, 3):
        await visitor.post(f"/api/v1/games/{game}/{word}", json={"version": version})
        assert (said in (await visitor.get(table)).text) == is_said, word


async def test_an_answer_about_a_line_that_was_left_says_nothing(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WON.code or "", WON.moves[0])
    await visitor.post(f"/api/v1/games/{game}/winnable", json={"version": 1})
    await until_answered(visitor, f"/api/v1/games/{game}/winnable")
    assert " as of move 1</span>" in (await visitor.get(f"/games/{game}")).text
    await visitor.post(f"/api/v1/games/{game}/undo", json={"version": 1})
    await visitor.post(f"/api/v1/games/{game}/moves", json={"version": 2, "move": "deal"})
    assert " as of move 1</span>" not in (await visitor.get(f"/games/{game}")).text


async def test_a_search_shows_how_far_it_is_and_can_be_given_up(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "find_winnable", go_on)
    game = await sit_down(visitor, "bristol", WON.code or "")
    address = f"/api/v1/games/{game}/winnable"
    asked = await visitor.post(address, json={"version": 0})
    assert (asked.status_code, asked.json()["state"]) == (202, "looking")
    async with asyncio.timeout(PATIENCE):
        while (await visitor.get(address)).json()["share"] != 0.5:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    page = (await visitor.get(f"/games/{game}/help/winnable")).text
    assert 'value="50"' in page
    assert 'hx-trigger="load delay:1s"' in page
    stopped = await visitor.post(f"/games/{game}/help/winnable/stop")
    assert stopped.status_code == 303
    assert (await visitor.get(address)).json()["state"] == "unasked"


async def test_who_asks_too_much_at_once_is_asked_to_wait(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "find_winnable", go_on)
    answers = []
    for _ in range(4):
        game = await sit_down(visitor, "bristol", WON.code or "")
        body = {"version": 0}
        answers.append(await visitor.post(f"/api/v1/games/{game}/winnable", json=body))
    assert [answer.status_code for answer in answers] == [202, 202, 202, 429]
    assert answers[-1].json()["code"] == "rate_limited"
    assert int(answers[-1].headers["Retry-After"]) > 0


async def test_one_network_cannot_fill_the_line_for_others(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "find_winnable", take_a_moment)
    settings = Settings(database_url=sqlite_url, job_workers=1)
    async with running_site(settings) as site:
        flood = []
        for _ in range(68):
            async with visiting(site, address="192.0.2.1") as guest:
                for _ in range(3):
                    game = await sit_down(guest, "bristol", WON.code or "")
                    address = f"/api/v1/games/{game}/winnable"
                    asked = await guest.post(address, json={"version": 0})
                    flood.append(asked.status_code)
                    # Not the last one: the worker may have made a place for that.
                    if asked.status_code == 429 and flood.count(429) == 1:
                        refused, after = asked, (await guest.get(address)).json()
        assert refused.json()["code"] == "rate_limited"
        assert refused.json()["detail"].startswith("Your network has too many requests")
        assert int(refused.headers["Retry-After"]) > 0
        # A question that is refused leaves no mark on its game.
        assert (after["state"], after["assisted"]) == ("unasked", False)
        async with visiting(site, address="198.51.100.1") as other:
            game = await sit_down(other, "bristol", WON.code or "")
            address = f"/api/v1/games/{game}/winnable"
            assert (await other.post(address, json={"version": 0})).status_code == 202
            assert (await until_answered(other, address))["answer"] == "yes"
        waiting = len(site.state.services.jobs._queues[Urgency.INTERACTIVE])
        assert waiting > flood.count(202) / 2


async def test_work_that_breaks_is_an_answer_and_is_not_begun_again(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "find_winnable", break_down)
    game = await sit_down(visitor, "bristol", WON.code or "")
    await visitor.post(f"/api/v1/games/{game}/winnable", json={"version": 0})
    found = await until_answered(visitor, f"/api/v1/games/{game}/winnable")
    assert found["answer"] == "unknown"


async def test_nobody_else_may_ask(site: FastAPI, visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WON.code or "")
    async with visiting(site) as stranger:
        for answer in (
            await stranger.get(f"/api/v1/games/{game}/winnable"),
            await stranger.post(f"/api/v1/games/{game}/winnable", json={"version": 0}),
            await stranger.delete(f"/api/v1/games/{game}/winnable"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (403, "not_your_game")
    await resign(visitor, game, 0)
    assert not (await visitor.get(f"/api/v1/games/{game}/replay")).json()["assisted"]


# --- where did it slip away?


async def lost_game(visitor: AsyncClient) -> str:
    """A game that was played into a dead end and given up there."""
    game = await sit_down(visitor, "bristol", LOST.code or "", *LOST.moves)
    await resign(visitor, game, len(LOST.moves))
    return game


@pytest.mark.kept_results
async def test_a_replay_marks_the_last_winnable_step_and_shows_the_way_from_there(
    visitor: AsyncClient, site: FastAPI
):
    game = await lost_game(visitor)
    before = (await visitor.get(f"/games/{game}/replay")).text
    assert f'action="/games/{game}/help/review"' in before
    assert "Review this game" in before
    assert "assisted" not in (await visitor.get(f"/games/{game}/help/review")).text
    assert (await visitor.post(f"/games/{game}/help/review")).status_code == 303
    found = await until_answered(visitor, f"/api/v1/games/{game}/review")
    step, lost = found["winnable"], found["unwinnable"]
    assert 0 <= step < lost <= len(LOST.moves)
    replay = (await visitor.get(f"/games/{game}/replay")).text
    assert "could still be won</em>" in replay or step == 0
    assert f"step {step}" in replay
    assert "Review this game" not in replay
    replay = (await visitor.get(f"/games/{game}/replay?at=0&line=solver")).text
    assert f'max="{len(found["line"])}"' in replay
    assert f'href="?at={step}">Back to the game' in replay
    former = await visitor.get(f"/games/{game}/replay?at=0&way=solver")  # links from before say so
    assert former.text == replay
    end = await visitor.get(f"/games/{game}/replay?at={len(found['line'])}&line=solver")
    assert end.text.count(" cards, top king of") == 4  # every foundation is whole
    # Everybody may see it; it is no help to anybody any more.
    async with visiting(site) as stranger:
        assert f"step {step}" in (await stranger.get(f"/games/{game}/replay")).text
    assert not (await visitor.get(f"/api/v1/games/{game}/replay")).json()["assisted"]
    forked = await visitor.post(f"/games/{game}/replay/fork", data={"at": str(step)})
    assert forked.status_code == 303
    there = (await visitor.get(f"/api/v1{forked.headers['location']}")).json()
    assert there["version"] == step


@pytest.mark.kept_results
async def test_a_lost_game_is_marked_when_it_is_taken_up_again_after_looking_back(
    visitor: AsyncClient,
):
    game = await sit_down(visitor, "bristol", LOST.code or "", *LOST.moves)
    last = len(LOST.moves)
    assert "and play on after this, it is" in (await visitor.get(f"/games/{game}/help/review")).text
    await visitor.post(f"/api/v1/games/{game}/review")
    found = await until_answered(visitor, f"/api/v1/games/{game}/review")
    assert not (await visitor.get(f"/api/v1/games/{game}/replay")).json()["assisted"]
    assert MARK not in (await visitor.get(f"/games/{game}")).text
    await visitor.post(f"/api/v1/games/{game}/undo", json={"version": last})
    assert MARK in (await visitor.get(f"/games/{game}")).text
    # What was found told of an end that is none any more.
    assert (await visitor.get(f"/games/{game}/help/review")).status_code == 409
    await resign(visitor, game, last + 1)
    assert (await visitor.get(f"/api/v1/games/{game}/replay")).json()["assisted"]
    assert found["winnable"] is not None


@pytest.mark.kept_results
async def test_the_page_of_a_review_shows_what_was_played_beside_what_wins(
    site: FastAPI, visitor: AsyncClient
):
    game = await lost_game(visitor)
    address = f"/games/{game}/help/review"
    await visitor.post(address)
    found = await until_answered(visitor, f"/api/v1/games/{game}/review")
    waiting = await visitor.get(address, headers=HTMX)
    assert (waiting.status_code, waiting.headers["HX-Refresh"]) == (204, "true")
    async with visiting(site) as stranger:  # like the replay, for everybody
        page = (await stranger.get(address)).text
    step, lost = found["winnable"], found["unwinnable"]
    assert lost == step + 1
    assert f"It could be won up to step {step}" in page
    played, best = " ".join(page.split()).split('id="best"')
    first = f'review?at={step}#board" aria-current="true"><span class="figures">{lost}</span>'
    assert first in played
    assert 'class="exact"' in played
    assert best.count("line=solver") == min(8, len(found["line"])) + (len(found["line"]) > 8)
    line = f"{address}?line=solver&at="
    assert f"s move 1 of {len(found['line'])}" in (await visitor.get(f"{line}0")).text
    won = (await visitor.get(f"{line}{len(found['line'])}")).text
    former = line.replace("line=", "way=")  # links from before say so
    assert (await visitor.get(f"{former}{len(found['line'])}")).text == won
    assert f'href="?at={step}#board">Back to the game' in " ".join(won.split())
    assert "Play on from here" not in won
    here = re.compile(r'class="here"[^>]* transform="([^"]+)"')
    assert here.findall(won) == here.findall(page)  # on the curve, where it leaves the game
    assert f'name="at" value="{step}"' in " ".join(page.split())
    there = (await visitor.get(f"{address}?at={step}")).text
    assert "it could be won before this move but not after it." in there
    one_on = (await visitor.get(f"{address}?at={lost}")).text
    assert "it could be won before this move" not in one_on
    bars = re.findall(r'<rect class="(\w+)"[^>]* width="(\d+)"', page)
    assert bars == [("won", str(step)), ("unknown", "0"), ("lost", str(len(LOST.moves) - step))]


async def test_a_game_that_was_resigned_too_early_is_reviewed_as_it_was_left(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WON.code or "")
    await resign(visitor, game, 0)
    await visitor.post(f"/games/{game}/help/review")
    found = await until_answered(visitor, f"/api/v1/games/{game}/review")
    assert (found["winnable"], found["unwinnable"]) == (0, None)
    page = (await visitor.get(f"/games/{game}/help/review")).text
    assert "You stopped too early: this could still be won." in page
    assert "Where the game ended" in page
    assert "What was played" not in page, "nothing more was"
    assert "<rect" not in page
    assert page.count("line=solver") > 2


@pytest.mark.parametrize(
    ("found", "course"),
    [
        (TurningPoint(None, None, ()), (0, 9, 0)),
        (TurningPoint(None, 0, ()), (0, 0, 9)),
        (TurningPoint(None, 4, ()), (0, 3, 6)),
        (TurningPoint(9, None, ()), (9, 0, 0)),
        (TurningPoint(4, 5, ()), (4, 0, 5)),
        (TurningPoint(0, 1, ()), (0, 0, 9)),
        (TurningPoint(2, 5, ()), (2, 2, 5)),
    ],
)
def test_a_course_shows_what_is_known_about_each_action(
    found: TurningPoint, course: tuple[int, int, int]
):
    assert course_of(found, 9) == course


async def test_there_is_nothing_to_look_back_on_in_a_game_that_goes_on(
    visitor: AsyncClient,
):
    game = await sit_down(visitor, "bristol", WON.code or "")
    answer = await visitor.post(f"/api/v1/games/{game}/review")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
