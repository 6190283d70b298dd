"""Going back to the last winnable position: offered in a dead end, found by a search, undone move by move."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.analysis import service
from app.analysis.model import WinnabilityVerdict, Winnable
from app.analysis.verdict_words import answer_text
from app.engine.actions import parse_action
from app.engine.history import History
from app.games.endings import ending_of
from app.games.model import Game, Kind, Status
from app.games.moments import GameEvent
from app.games.outcome import ActionResult
from app.games.replay import opening_of, replay
from app.games.service import GameService
from app.solver.solve import Budget, SearchOutcome, solve_from
from tests.analysis.fake_tasks import look_back_forever
from tests.analysis.sample_games import log_of, sit_down
from tests.analysis.test_service import until_answered
from tests.golden.records import RECORDS
from tests.support.daily_site import play_moves
from tests.support.known import HTMX
from tests.support.serving import daily_work, visiting

pytestmark = pytest.mark.anyio

LOST = next(record for record in RECORDS if record.name == "freecell-lost")
LAST = 6  # the seventh of its moves is the bad one
END = len(LOST.moves)
OFFER = "Find the last winnable position"
STUCK = 'aria-labelledby="ending"'


async def dead_end(visitor: AsyncClient) -> str:
    return await sit_down(visitor, "freecell", LOST.code or "", *LOST.moves)


async def asked(visitor: AsyncClient) -> str:
    """A game in a dead end, once the search has found the way back."""
    game = await dead_end(visitor)
    await visitor.post(f"/games/{game}/help/winnable", data={"version": str(END)})
    await until_answered(visitor, f"/api/v1/games/{game}/winnable")
    return game


def line(*moves: str) -> History:
    history = History.start(LOST.rules, LOST.cards)
    for move in moves:
        history = history.apply(parse_action(LOST.rules.layout, move))
    return history


def outcome_of(history: History) -> SearchOutcome:
    return solve_from(LOST.rules, history.position, Budget(200_000)).outcome


async def test_the_answer_names_the_last_winnable_move_and_a_button_goes_back_to_it(
    visitor: AsyncClient,
):
    assert outcome_of(line(*LOST.moves[:LAST])) is SearchOutcome.WON
    assert outcome_of(line(*LOST.moves[: LAST + 1])) is SearchOutcome.UNWINNABLE
    game = await asked(visitor)
    found = (await visitor.get(f"/api/v1/games/{game}/winnable")).json()
    assert (found["answer"], found["last_winnable"]) == ("no", LAST)
    page = (await visitor.get(f"/games/{game}/help/winnable")).text
    assert "It could still be won after move 6, 5 moves ago." in page
    assert "what was possible in between" not in page
    assert "Go back to move 6</button>" in page
    back = await visitor.post(f"/games/{game}/help/back", data={"version": str(END)}, headers=HTMX)
    assert back.status_code == 200
    assert '<span class="">You are back at move 6, and you can win from here.</span>' in back.text
    assert f'data-version="{END + 5}"' in back.text
    assert STUCK not in back.text
    assert await log_of(visitor, game) == [*LOST.moves, *["undo"] * 5]
    state = (await visitor.get(f"/api/v1/games/{game}")).json()
    assert state["status"] == "playing"
    # It stays beside the name, and what was undone leads forward again.
    assert "Winnable as of move 6</span>" in (await visitor.get(f"/games/{game}")).text
    for step in range(5):
        assert state["can_redo"]
        body = {"version": state["version"]}
        state = (await visitor.post(f"/api/v1/games/{game}/redo", json=body)).json()
        known = LAST + 1 if step < 4 else END
        assert (
            f"Not winnable as of move {known}</span>" in (await visitor.get(f"/games/{game}")).text
        )
    assert (state["status"], state["can_redo"]) == ("lost", False)


async def test_all_the_way_back_is_one_transaction(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    game = await asked(visitor)
    games: GameService = site.state.services.games
    counts, append = list[int](), games.log.append

    async def counted(
        before: Game, events: Sequence[GameEvent], after: Game, *more: Any, **options: Any
    ) -> bool:
        counts.append(len(events))
        return await append(before, events, after, *more, **options)

    monkeypatch.setattr(games.log, "append", counted)
    form = {"version": str(END)}
    assert (await visitor.post(f"/games/{game}/help/back", data=form)).status_code == 200
    assert counts == [5]
    kept, fresh = await games.log.load(game), opening_of((await games.log.list_rows([game]))[0])
    replayed = replay(fresh, await games.log.events(game))
    assert (kept.version, kept.moves, kept.status) == (END + 5, LAST, Status.PLAYING)
    assert (replayed.position, replayed.undos) == (kept.position, kept.undos)
    row = (await games.log.list_rows([game]))[0]
    assert (row.version, row.moves, row.status) == (END + 5, LAST, Status.PLAYING)


async def test_the_way_back_is_gone_whole_or_not_at_all(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    game = await asked(visitor)
    games: GameService = site.state.services.games
    seen = await games.log.load(game)
    assert (await games.act(game, seen.owner_id, END, "undo")).result is ActionResult.ACCEPTED
    late = await games.undo_many(seen, seen.owner_id, 5)
    assert (late.result, late.game.version) == (ActionResult.STALE, END + 1)
    monkeypatch.setattr("app.games.service.MAX_ACTIONS", END + 4)
    full = await games.undo_many(await games.log.load(game), seen.owner_id, 4)
    assert (full.result, full.game.version) == (ActionResult.FULL, END + 1)
    assert await log_of(visitor, game) == [*LOST.moves, "undo"]


async def test_without_a_script_the_whole_table_comes_in_answer(visitor: AsyncClient):
    game = await asked(visitor)
    form = {"version": str(END)}
    back = await visitor.post(f"/games/{game}/help/back", data=form)
    assert back.status_code == 200
    assert "<!DOCTYPE html>" in back.text
    assert "You are back at move 6, and you can win from here." in back.text
    assert STUCK not in back.text
    again = await visitor.post(f"/games/{game}/help/back", data=form)  # the page is loaded again
    assert again.status_code == 409
    assert len(await log_of(visitor, game)) == END + 5


async def test_a_stale_version_changes_nothing(visitor: AsyncClient):
    game = await asked(visitor)
    await visitor.post(f"/api/v1/games/{game}/undo", json={"version": END})
    before = await log_of(visitor, game)
    for headers in ({}, HTMX):
        form = {"version": str(END)}
        stale = await visitor.post(f"/games/{game}/help/back", data=form, headers=headers)
        assert stale.status_code == 409
        assert "The game has changed. Here it is now." in stale.text
    assert await log_of(visitor, game) == before


async def test_nothing_is_undone_before_the_search_has_found_where_to(visitor: AsyncClient):
    game = await dead_end(visitor)
    form = {"version": str(END)}
    refused = await visitor.post(f"/games/{game}/help/back", data=form)
    assert refused.status_code == 422
    assert "We don&#39;t know of an earlier position you could win from." in refused.text
    assert await log_of(visitor, game) == LOST.moves


async def test_nobody_else_goes_back_and_nobody_in_a_ranked_game(
    site: FastAPI, visitor: AsyncClient
):
    game = await asked(visitor)
    async with visiting(site) as stranger:
        assert OFFER not in (await stranger.get(f"/games/{game}/board", headers=HTMX)).text
        form = {"version": str(END)}
        assert (await stranger.post(f"/games/{game}/help/back", data=form)).status_code == 403
    assert await log_of(visitor, game) == LOST.moves
    await daily_work(site)
    begun = await visitor.post("/daily/bristol/play")
    ranked = begun.headers["location"]
    refused = await visitor.post(f"{ranked}/help/back", data={"version": "0"})
    assert refused.status_code == 403
    assert "Hints are off in daily deals." in refused.text


async def test_at_a_shared_table_the_answer_has_no_button(visitor: AsyncClient):
    game = await asked(visitor)
    shared = await visitor.post(f"/api/v1/games/{game}/together")
    assert shared.status_code < 300, shared.text
    page = (await visitor.get(f"/games/{game}/help/winnable")).text
    assert "It could still be won after move 6" in page
    assert "/help/back" not in page
    refused = await visitor.post(f"/games/{game}/help/back", data={"version": str(END)})
    assert refused.status_code == 422
    assert await log_of(visitor, game) == LOST.moves


async def test_it_is_offered_where_no_move_is_left_and_not_before(visitor: AsyncClient):
    game = await sit_down(visitor, "freecell", LOST.code or "", *LOST.moves[:-1])
    assert OFFER not in (await visitor.get(f"/games/{game}")).text
    last = {"version": END - 1, "move": LOST.moves[-1]}
    await visitor.post(f"/api/v1/games/{game}/moves", json=last)
    page = (await visitor.get(f"/games/{game}")).text
    assert f'class="secondary find" href="/games/{game}/help/winnable?last=true"' in page
    assert page.index('/undo"') < page.index(OFFER)
    body = {"version": END}
    await visitor.post(f"/api/v1/games/{game}/resign", json=body)
    assert OFFER not in (await visitor.get(f"/games/{game}")).text


@pytest.mark.parametrize("kind", Kind)
def test_it_is_offered_only_where_help_from_hidden_cards_is_allowed(kind: Kind):
    start = Game.start(
        game_id="x", history=line(*LOST.moves), code=None, owner_id="anna", at_ms=0, kind=kind
    )
    ending = ending_of(start)
    assert ending
    assert ending.may_undo
    assert ending.may_look_back == (kind in {Kind.OPEN, Kind.SHARED})


async def test_a_hint_in_an_attempt_at_a_challenge_does_not_offer_it(
    site: FastAPI, visitor: AsyncClient
):
    game = await dead_end(visitor)
    await visitor.post(f"/api/v1/games/{game}/resign", json={"version": END})
    made = (await visitor.post(f"/games/{game}/ghost/make")).headers["location"]
    async with visiting(site) as friend:
        begun = await friend.post(made)
        attempt = begun.headers["location"].removeprefix("/games/")
        await play_moves(friend, attempt, *LOST.moves)
        form = {"version": str(END)}
        hint = await friend.post(f"/games/{attempt}/help/hint", data=form, headers=HTMX)
        assert "No moves left. Undo to try another way." in hint.text
        assert OFFER not in hint.text
        back = await friend.post(f"/games/{attempt}/help/back", data=form)
        assert back.status_code == 403


async def test_a_hint_in_a_dead_end_offers_it(visitor: AsyncClient):
    game = await dead_end(visitor)
    form = {"version": str(END)}
    for headers in ({}, HTMX):
        hint = await visitor.post(f"/games/{game}/help/hint", data=form, headers=headers)
        assert "No moves left. Undo to try another way." in hint.text
        assert f'class="find" href="/games/{game}/help/winnable?last=true"' in hint.text
    early = await sit_down(visitor, "freecell", LOST.code or "")
    hint = await visitor.post(f"/games/{early}/help/hint", data={"version": "0"}, headers=HTMX)
    assert OFFER not in hint.text


async def test_the_no_is_there_while_the_way_back_is_sought_and_stays_when_that_is_stopped(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "find_winnable", look_back_forever)
    game = await dead_end(visitor)
    address = f"/games/{game}/help/winnable"
    await visitor.post(address, data={"version": str(END)})
    for _ in range(200):
        page = (await visitor.get(address)).text
        if "Looking for the last one that could" in page:
            break
        await asyncio.sleep(0.05)
    assert "No. This position can&#39;t be won. Looking for the last one that could" in page
    assert "This game is now marked as assisted." in page
    await visitor.post(f"{address}/stop")
    page = (await visitor.get(address)).text
    assert 'class="answer no"' in page
    assert "Undo may take you back to one that can." in page
    assert "/help/back" not in page


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (WinnabilityVerdict(Winnable.YES), "Yes. You can still win from here."),
        (WinnabilityVerdict(Winnable.NO, 3, 4), "It could still be won after move 3, 1 move ago."),
        (WinnabilityVerdict(Winnable.NO, 0, 1), "It could still be won at the start, 4 moves ago."),
        (
            WinnabilityVerdict(Winnable.NO, 1, 3),
            "After move 3 it couldn't; what was possible in between",
        ),
        (
            WinnabilityVerdict(Winnable.NO, None, 0),
            "No. This deal can't be won, not even from the start.",
        ),
        (WinnabilityVerdict(Winnable.NO, None, 2), "No. After move 2 it could no longer be won."),
        (WinnabilityVerdict(Winnable.NO, None, 4), "Undo may take you back to one that can."),
        (WinnabilityVerdict(Winnable.NO), "Undo may take you back to one that can."),
    ],
)
def test_an_answer_says_what_is_known_of_the_way_back(verdict: WinnabilityVerdict, words: str):
    assert WinnabilityVerdict.parse(str(verdict)) == verdict
    assert words in answer_text(verdict, 4)
