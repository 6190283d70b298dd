"""Games in pseudo-English, from the first bubble of help to the review: what is outside of brackets is English."""

from __future__ import annotations

import pytest
from httpx import AsyncClient, Response

from app.analysis import hints
from app.races.limits import COUNTDOWN_MS
from app.rulesets import RULESETS
from tests.analysis.sample_games import sit_down
from tests.analysis.test_finish import WON, plain_from
from tests.analysis.test_service import LOST, until_answered
from tests.support.dailies import DAY, winning_moves
from tests.support.daily_site import Site, play_moves, start_attempt
from tests.support.games import UNLIKE
from tests.support.known import HTMX
from tests.support.pseudo import PSEUDO, english_of, join
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio


@pytest.fixture
def _little_effort(monkeypatch: pytest.MonkeyPatch):
    """Hints of a few positions: what they say matters here, not how good they are."""
    monkeypatch.setattr(hints, "QUICK", hints.Effort(200, 60.0))
    monkeypatch.setattr(hints, "THOROUGH", hints.Effort(600, 60.0))


EVERY_GAME = pytest.mark.parametrize("ruleset", [rules.id for rules in UNLIKE])


@pytest.mark.parametrize("ruleset", [rules.id for rules in RULESETS])
@pytest.mark.usefixtures("_little_effort")
async def test_the_first_help(anna: AsyncClient, ruleset: str):
    game = (await anna.post("/api/v1/games", json={"ruleset": ruleset})).json()["id"]
    guided = await anna.get(f"/games/{game}")
    assert 'id="coach"' in guided.text
    hint = await anna.post(f"/games/{game}/help/hint", data={"version": "0"}, headers=HTMX)
    assert hint.status_code == 200
    assert english_of(guided, hint) == []


@EVERY_GAME
@pytest.mark.usefixtures("_little_effort")
async def test_more_hints(anna: AsyncClient, ruleset: str):
    game = await sit_down(anna, ruleset, WON[ruleset].code or "", *WON[ruleset].moves[:4])
    path = f"/games/{game}"
    pages: list[Response] = []
    for number, is_rough in [(0, False), (1, True), (1, False)]:
        form = {"version": "4", "hint": str(number), "rough": str(is_rough).lower()}
        for headers in (HTMX, None):
            pages.append(await anna.post(f"{path}/help/hint", data=form, headers=headers))
            assert pages[-1].status_code == 200
    pages.append(await anna.post(f"{path}/help/hint", data={"version": "3"}))
    pages.append(await anna.get(f"{path}/help/winnable"))
    assert english_of(*pages) == []


@EVERY_GAME
async def test_a_won_table(anna: AsyncClient, ruleset: str):
    record = WON[ruleset]
    *moves, last = record.moves
    game = await sit_down(anna, ruleset, record.code or "", *moves)
    path = f"/games/{game}"
    form = {"version": str(len(moves)), "move": last}
    won = await anna.post(f"{path}/move", data=form, headers=HTMX)
    pages = [won, await anna.get(path), await anna.get(f"{path}/help/review")]
    pages += [await anna.get(f"{path}/replay?at={at}") for at in (0, 1, len(moves), len(moves) + 1)]
    again = await sit_down(anna, ruleset, record.code or "", *moves[: plain_from(record)])
    form = {"version": str(plain_from(record))}
    pages.append(await anna.post(f"/games/{again}/help/finish", data=form, headers=HTMX))
    pages.append(await anna.get(f"/games/{again}"))
    assert all(page.status_code == 200 for page in pages)
    assert english_of(*pages) == []


async def test_a_review(anna: AsyncClient):
    game = await sit_down(anna, "bristol", LOST.code or "", *LOST.moves)
    path = f"/games/{game}"
    pages = [await anna.get(path)]
    await anna.post(f"/api/v1{path}/resign", json={"version": len(LOST.moves)})
    await anna.post(f"{path}/help/review")
    pages.append(await anna.get(f"{path}/help/review"))
    assert (await until_answered(anna, f"/api/v1{path}/review"))["state"] == "ready"
    pages += [await anna.get(f"{path}/help/review?at={at}") for at in range(len(LOST.moves))]
    pages += [await anna.get(f"{path}/replay?at={at}") for at in (0, len(LOST.moves))]
    assert english_of(*pages) == []


async def test_the_question_whether_a_game_can_be_won(anna: AsyncClient):
    game = await sit_down(anna, "bristol", LOST.code or "", *LOST.moves)
    path = f"/games/{game}"
    asked = {"version": str(len(LOST.moves))}
    assert (await anna.post(f"{path}/help/winnable", data=asked)).status_code == 303
    pages = [await anna.get(f"{path}/help/winnable")]
    await until_answered(anna, f"/api/v1{path}/winnable")
    pages += [await anna.get(f"{path}/help/winnable"), await anna.get(path)]
    assert english_of(*pages) == []


async def test_an_attempt_at_a_daily_deal(day_site: Site):
    board = f"/daily/{DAY.isoformat()}/bristol"
    async with (
        visiting(day_site.app, headers=PSEUDO) as anna,
        visiting(day_site.app, headers=PSEUDO) as ben,
    ):
        await join(anna)
        await join(ben, "Benedict")
        pages = [await anna.get("/"), await anna.get("/daily"), await anna.get(board)]
        game = await start_attempt(anna)
        path = f"/games/{game}"
        hint = {"version": "0"}
        pages += [
            await anna.get(path),
            await anna.post(f"{path}/help/hint", data=hint),
            await anna.post(f"{path}/help/hint", data=hint, headers=HTMX),
            await anna.post(f"{path}/move", data={"version": "0", "move": "f1-t1"}, headers=HTMX),
            await anna.get(f"{path}/help/winnable"),
        ]
        *moves, last = winning_moves()
        await play_moves(anna, game, *moves)
        form = {"version": str(len(moves)), "move": last}
        pages.append(await anna.post(f"{path}/move", data=form, headers=HTMX))
        lost = await start_attempt(ben)
        await play_moves(ben, lost, "deal", "resign")
        readers = [(anna, path), (ben, f"/games/{lost}")]

        async def look() -> None:
            for reader, own in readers:
                for address in (own, board, "/daily", "/", "/daily/archive"):
                    pages.append(await reader.get(address))
            pages.append(await anna.get(f"{path}/replay?at=3"))
            pages.append(await ben.get(f"{path}/replay?at=3"))
            pages.append(await anna.get(f"{path}/help/review"))

        await look()
        await day_site.close_day()
        await look()
        assert english_of(*pages, names=("Benedict",)) == []


async def test_a_race(day_site: Site):
    async with (
        visiting(day_site.app, headers=PSEUDO) as anna,
        visiting(day_site.app, headers=PSEUDO) as ben,
        visiting(day_site.app, headers=PSEUDO) as cleo,
    ):
        await join(anna)
        await join(ben, "Benedict")
        wanted = {"ruleset": "bristol", "minutes": 10}
        code = (await anna.post("/api/v1/races", json=wanted)).json()["code"]
        pages: list[Response] = []

        async def look() -> None:
            for reader in (anna, ben, cleo):
                pages.extend([await reader.get(f"/race/{code}"), await reader.get("/")])
                pages.append(await reader.get(f"/race/{code}/room?since=lobby"))

        await look()
        await ben.post(f"/api/v1/races/{code}/join")
        for racer in (anna, ben):
            await racer.post(f"/api/v1/races/{code}/ready")
        await look()
        await anna.post(f"/api/v1/races/{code}/start")
        await look()
        day_site.clock.advance(COUNTDOWN_MS)
        table = (await anna.get(f"/race/{code}/play")).headers["location"]
        refused = {"version": "0", "move": "f1-t1"}
        pages += [
            await anna.get(table),
            await anna.post(f"{table}/move", data=refused, headers=HTMX),
            await anna.post(f"{table}/help/hint", data={"version": "0"}, headers=HTMX),
        ]
        await look()
        for racer in (anna, ben):
            await racer.post(f"/race/{code}/resign")
        day_site.clock.advance(1000)
        await look()
        pages += [await anna.get(table), await anna.get(f"{table}/replay?at=0")]
        pages.append(await anna.get(f"/race/{code}/replays?at=1"))
        assert english_of(*pages, names=("Benedict",)) == []
