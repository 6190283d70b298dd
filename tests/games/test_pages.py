"""Game pages over HTTP: which piles a response returns, and what a page without a script gets."""

import asyncio
import re

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.admin.integrity.refused_actions import list_refused_actions
from app.engine.vocabulary import ChosenBase
from app.http.preferences import PLAY_COOKIE, PlayPreferences
from app.rulesets import HOUSE_RULESETS, RULESETS
from tests.games.playing import moves, post, read, start_game
from tests.golden.records import RECORDS
from tests.support.known import HTMX
from tests.support.scenes import open_scene
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

WITH_A_CHOICE = "00000-00003"  # t3 may go to t4 or t7, and to no foundation
FRAGMENT = re.compile(r'^<(?:div|p|hx-partial) id="([a-z0-9]+)"', re.MULTILINE)


def changed_piles(answer) -> set[str]:
    return set(FRAGMENT.findall(answer.text)) - {"state", "status", "notice"}


def version_of(answer) -> int:
    return int(read(r'name="version" value="(\d+)"', answer.text))


def held(answer) -> str:
    return read(r'name="held" value="([^"]*)"', answer.text)


async def test_screen_readers_are_told_that_a_game_ended(visitor: AsyncClient):
    lost = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "lost"))
    game = await start_game(visitor, code=lost.code)
    for version, move in enumerate(lost.moves):
        answer = await post(visitor, f"{game}/move", version=version, move=move)
    assert ". No moves left.</span>" in answer.text


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("open", "Long breaks don't count."),
        ("daily", "The clock never stops."),
        ("race", "The clock never stops."),
    ],
)
async def test_the_clock_says_what_it_counts(database_url: str, kind: str, said: str):
    async with open_scene(database_url) as scene:
        await scene.build(kind)
        page = (await scene.anna.get(f"/games/{scene.game_id}")).text
        (clock,) = re.findall('<span class="clock[^>]+>', page)
        assert f'title="{said}"' in clock


# --- answers to clicks


async def test_a_move_returns_the_two_piles_it_changed(visitor: AsyncClient):
    game = await start_game(visitor)
    move = next(move for move in await moves(visitor, game) if "-f" in move)
    source, target = move.split("-")
    answer = await post(visitor, f"{game}/click", version=0, clicked=source)
    assert answer.status_code == 200
    assert changed_piles(answer) == {source, target}
    assert version_of(answer) == 1


async def test_a_deal_returns_the_changed_piles_and_stays_small(visitor: AsyncClient):
    game = await start_game(visitor, "rouge-et-noir")
    answer = await post(visitor, f"{game}/deal", version=0)
    assert changed_piles(answer) == {"stock", *(f"t{n}" for n in range(1, 11))}
    assert len(answer.content) <= 6 * 1024


async def test_a_choice_highlights_its_targets_and_the_second_click_plays(visitor: AsyncClient):
    game = await start_game(visitor, code=WITH_A_CHOICE)
    answer = await post(visitor, f"{game}/click", version=0, clicked="t3")
    assert changed_piles(answer) == {"t3", "t4", "t7"}
    assert answer.text.count('class="pile lit') == 2
    assert (held(answer), version_of(answer)) == ("t3", 0)
    answer = await post(visitor, f"{game}/click", version=0, clicked="t7", held="t3")
    assert changed_piles(answer) == {"t3", "t4", "t7"}
    assert 'class="pile lit' not in answer.text
    assert (held(answer), version_of(answer)) == ("", 1)


async def test_a_click_without_a_move_is_explained_and_changes_nothing(visitor: AsyncClient):
    game = await start_game(visitor)
    answer = await post(visitor, f"{game}/click", version=0, clicked="f1")
    assert answer.status_code == 200
    assert changed_piles(answer) == set()
    assert '<span class="why">An empty foundation starts with an ace.</span>' in answer.text
    assert version_of(answer) == 0


async def test_a_refused_move_has_its_sentence_and_the_version_stays(visitor: AsyncClient):
    game = await start_game(visitor, "signora")
    answer = await post(visitor, f"{game}/deal", version=0)
    assert answer.status_code == 200  # or the browser would report an error of the page
    assert "Choose the base first" in answer.text
    assert (changed_piles(answer), version_of(answer)) == (set(), 0)


async def test_undo_redo_and_restart_draw_what_they_change(visitor: AsyncClient):
    game = await start_game(visitor)
    move = next(m for m in await moves(visitor, game) if "-f" in m)
    await post(visitor, f"{game}/move", version=0, move=move)
    for version, word in enumerate(("undo", "redo", "restart"), start=1):
        answer = await post(visitor, f"{game}/{word}", version=version)
        assert (answer.status_code, version_of(answer)) == (200, version + 1)
        assert changed_piles(answer) == set(move.split("-"))


async def test_with_nothing_to_undo_the_answer_says_so(visitor: AsyncClient):
    game = await start_game(visitor)
    answer = await post(visitor, f"{game}/undo", version=0)
    assert (answer.status_code, changed_piles(answer)) == (200, set())
    assert "There is nothing to undo." in answer.text


async def test_the_new_base_is_drawn_on_every_empty_foundation(visitor: AsyncClient):
    game = await start_game(visitor, "signora")
    answer = await post(visitor, f"{game}/click", version=0, clicked="t1")
    assert changed_piles(answer) >= {f"f{n}" for n in range(1, 9)}


# --- pages that are behind, ended games, other people's tables


@pytest.mark.parametrize("form", [{"clicked": "t1"}, {"clicked": "stock"}, {"clicked": "f1"}])
async def test_a_stale_page_gets_all_piles(visitor: AsyncClient, form):
    game = await start_game(visitor)
    await post(visitor, f"{game}/deal", version=0)
    answer = await post(visitor, f"{game}/click", version=0, **form)
    assert answer.status_code == 409
    assert changed_piles(answer) == {str(pile) for pile in RULESETS[0].layout.ids}
    assert "The game has changed" in answer.text
    assert version_of(answer) == 1


async def test_a_click_on_an_old_page_is_kept_as_the_click_that_it_was(
    site: FastAPI, visitor: AsyncClient
):
    game = await start_game(visitor)
    await post(visitor, f"{game}/resign", version=0)
    for version in (0, 1):  # the page is old; the game is over
        answer = await post(visitor, f"{game}/click", version=version, clicked="t3:2")
        assert answer.status_code == 409
    async with visiting(site) as stranger:
        answer = await post(stranger, f"{game}/click", version=1, clicked="stock")
        assert answer.status_code == 403
    await site.state.services.admin.refused_actions.flush()
    kept = await site.state.services.database.read(
        lambda connection: list_refused_actions(connection, game.rpartition("/")[2], 0, 9, 9)
    )
    assert [(each.action, each.seen, each.result) for each in kept] == [
        ("click t3:2", 0, "stale"),
        ("click t3:2", 1, "over"),
    ]


async def test_a_double_click_moves_once(visitor: AsyncClient):
    game = await start_game(visitor)
    statuses = [(await post(visitor, f"{game}/deal", version=0)).status_code for _ in range(2)]
    assert statuses == [200, 409]


async def test_of_clicks_at_once_only_the_one_that_is_stored_is_confirmed(visitor: AsyncClient):
    """Each response is rendered while its move is being stored, so one for a move that comes too late exists."""
    game = await start_game(visitor)
    answers = await asyncio.gather(*(post(visitor, f"{game}/deal", version=0) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert {version_of(answer) for answer in answers} == {1}


async def test_catching_up_returns_all_piles_or_nothing(visitor: AsyncClient):
    game = await start_game(visitor)
    assert (await visitor.get(f"{game}/board?since=0", headers=HTMX)).status_code == 204
    await post(visitor, f"{game}/deal", version=0)
    answer = await visitor.get(f"{game}/board?since=0", headers=HTMX)
    assert changed_piles(answer) == {str(pile) for pile in RULESETS[0].layout.ids}
    assert version_of(answer) == 1


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
async def test_catching_up_returns_the_piles_that_the_page_has(visitor: AsyncClient, rules):
    """A script that found no place for one of them would stop, and the table with it."""
    game = await start_game(visitor, rules.id)
    page = (await visitor.get(game)).text
    answer = await visitor.get(f"{game}/board?since=-1", headers=HTMX)
    assert changed_piles(answer) == set(re.findall(r'<div id="([a-z0-9]+)" class="pile', page))


async def test_a_resigned_game_takes_no_more_clicks(visitor: AsyncClient):
    game = await start_game(visitor)
    answer = await post(visitor, f"{game}/resign", version=0)
    assert "Resigned" in answer.text
    answer = await post(visitor, f"{game}/click", version=1, clicked="stock")
    assert answer.status_code == 409
    assert "This game is over." in answer.text


@pytest.mark.parametrize("record", [r for r in RECORDS if r.code], ids=lambda r: r.name)
async def test_responses_of_a_whole_game_are_small_and_the_last_one_names_the_result(
    visitor, record
):
    visitor.cookies.set(
        PLAY_COOKIE, str(PlayPreferences(runs_home=False))
    )  # they are in the record
    game = await start_game(visitor, record.ruleset, record.code)
    for version, move in enumerate(record.moves):
        word = "deal" if move == "deal" else "move"
        answer = await post(visitor, f"{game}/{word}", version=version, move=move)
        assert answer.status_code == 200
        # A deal draws every column again, in its longest form: the one answer that may be larger.
        assert len(answer.content) <= (12 if move == "deal" else 6) * 1024
    if record.end == "won":
        assert "You won!" in answer.text
    else:
        assert "No moves left" in answer.text
        assert f"{game}/undo" in answer.text


async def test_anyone_may_watch_but_only_the_player_plays(site, visitor: AsyncClient):
    game = await start_game(visitor)
    async with visiting(site) as stranger:
        page = await stranger.get(game)
        assert page.status_code == 200
        assert "You are watching" in page.text
        for word in ("undo", "restart", "resign"):
            assert f"{game}/{word}" not in page.text
        answer = await post(stranger, f"{game}/click", version=0, clicked="stock")
        assert answer.status_code == 403
        assert FRAGMENT.findall(answer.text) == ["notice"]
    assert (await visitor.get(f"{game}/board?since=0", headers=HTMX)).status_code == 204


# --- without a script


async def test_plain_forms_play_and_lead_back_to_the_table(visitor: AsyncClient):
    game = await start_game(visitor)
    answer = await visitor.post(f"{game}/deal", data={"version": 0})
    assert (answer.status_code, answer.headers["location"]) == (303, game)
    answer = await visitor.post(f"{game}/undo", data={"version": 1})
    assert (answer.status_code, answer.headers["location"]) == (303, game)
    assert version_of(await visitor.get(game)) == 2


async def test_a_plain_selection_is_carried_by_the_address(visitor: AsyncClient):
    game = await start_game(visitor, code=WITH_A_CHOICE)
    answer = await visitor.post(f"{game}/click", data={"version": 0, "clicked": "t3"})
    assert answer.headers["location"] == f"{game}?held=t3"
    page = await visitor.get(answer.headers["location"])
    assert held(page) == "t3"
    assert 'aria-pressed="true"' in page.text
    assert page.text.count('class="pile lit') == 2
    form = {"version": 0, "clicked": "t3", "held": "t3"}
    answer = await visitor.post(f"{game}/click", data=form)
    assert answer.headers["location"] == game


async def test_a_plain_refusal_is_the_whole_page_with_its_sentence(visitor: AsyncClient):
    game = await start_game(visitor, "signora")
    answer = await visitor.post(f"{game}/deal", data={"version": 0})
    assert answer.status_code == 422
    assert "Choose the base first" in answer.text
    assert '<form id="table"' in answer.text


async def test_a_plain_stale_post_is_the_current_page(visitor: AsyncClient):
    game = await start_game(visitor)
    await visitor.post(f"{game}/deal", data={"version": 0})
    answer = await visitor.post(f"{game}/deal", data={"version": 0})
    assert answer.status_code == 409
    assert "The game has changed" in answer.text
    assert version_of(answer) == 1


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
async def test_the_whole_page_stays_light(visitor: AsyncClient, rules):
    page = await visitor.get(await start_game(visitor, rules.id))
    assert page.headers["cache-control"] == "no-store"
    assert len(page.content) < (23 if rules in HOUSE_RULESETS else 26) * 1024  # FreeCell shows all
    assert "style=" not in page.text
    assert not re.search(r"<script(?![^>]*\bsrc=)", page.text)


async def test_an_empty_pile_that_comes_first_is_ringed_and_said_at_once(visitor: AsyncClient):
    name = "blondes-and-brunettes-till-dawn"
    record = next(each for each in RECORDS if each.ruleset == name and each.code)
    game = await start_game(visitor, name, record.code)
    said = ">Fill the empty column first, from the stock or the waste.<"
    rings = "fills-from-stock fills-from-waste"
    for version, move in enumerate(record.moves):
        page = (await visitor.get(game)).text
        assert (said in page) == (rings in page)
        if said in page:
            break
        answer = (await post(visitor, f"{game}/move", version=version, move=move)).text
    else:
        pytest.fail("no pile became empty")
    assert said in answer
    assert rings in answer
    filled = (await post(visitor, f"{game}/move", version=version, move=move)).text
    assert "Fill the empty" not in filled
    assert "fills-from" not in filled


async def test_the_arrow_leads_back_to_the_list_that_one_came_from(visitor: AsyncClient):
    game = await start_game(visitor)

    async def arrow(came_from: str | None) -> str:
        headers = {} if came_from is None else {"Referer": f"{visitor.base_url}{came_from}"}
        page = await visitor.get(game, headers=headers)
        return read(r'class="back"\s+href="([^"]*)"', page.text)

    assert await arrow(None) == "/"
    assert await arrow("/games?length=short") == "/games"
    for on_the_way in (game, f"/games/{'0' * 10}", "/rules/bristol", None):
        assert await arrow(on_the_way) == "/games"
    assert await arrow("/together") == "/together"
    assert await arrow("/") == "/"
    assert await arrow(game) == "/"


# --- bad input


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("click", {"version": 0}),
        ("click", {"clicked": "t1"}),
        ("click", {"version": "x", "clicked": "t1"}),
        ("click", {"version": -1, "clicked": "t1"}),
        ("click", {"version": 10**30, "clicked": "t1"}),
        ("click", {"version": 0, "clicked": "t99"}),
        ("click", {"version": 0, "clicked": "<script>"}),
        ("click", {"version": 0, "clicked": "t1", "held": "../x"}),
        ("click", {"version": 0, "clicked": "t1:99x"}),
        (
            "click",
            {"version": 0, "clicked": "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")},
        ),
        ("move", {"version": 0, "move": "t1"}),
        ("move", {"version": 0, "move": "t1-t99"}),
        ("move", {"version": 0, "move": "undo"}),
        ("move", {"version": 0}),
        ("undo", {}),
        ("undo", {"version": 0, "held": "t99"}),
    ],
)
async def test_a_form_that_cannot_be_read_is_422_for_scripts_and_people(visitor, address, form):
    game = await start_game(visitor)
    answer = await post(visitor, f"{game}/{address}", **form)
    assert answer.status_code == 422
    assert FRAGMENT.findall(answer.text) == ["notice"]
    assert "<script>" not in answer.text
    plain = await visitor.post(f"{game}/{address}", data=form)
    assert plain.status_code == 422
    assert 'href="/"' in plain.text
    assert version_of(await visitor.get(game)) == 0


async def test_an_unknown_button_is_not_found(visitor: AsyncClient):
    game = await start_game(visitor)
    answer = await visitor.post(f"{game}/dance", data={"version": 0})
    assert (answer.status_code, version_of(await visitor.get(game))) == (404, 0)


async def test_a_grip_of_too_many_cards_holds_nothing(visitor: AsyncClient):
    game = await start_game(visitor)
    page = await visitor.get(f"{game}?held=t1:99")
    assert (page.status_code, held(page)) == (200, "")


async def test_an_unknown_game_is_404(visitor: AsyncClient):
    for address in ("/games/nothing", "/games/nothing/board"):
        answer = await visitor.get(address)
        assert answer.status_code == 404
        assert 'href="/"' in answer.text
    assert (await post(visitor, "/games/nothing/click", version=0, clicked="t1")).status_code == 404


@pytest.mark.parametrize(
    ("ruleset", "first"),
    [
        ("signora", "Start the foundations with the top card of a column or the reserve"),
        ("terrace", "Start the foundations with the top card of a column"),
        *((rules.id, "") for rules in RULESETS if not isinstance(rules.base, ChosenBase)),
    ],
)
async def test_a_game_that_starts_with_a_choice_says_so_until_it_is_made(visitor, ruleset, first):
    game = await start_game(visitor, ruleset)
    then = "it sets the base of all. Then you can deal."
    line = f'<span class="first">{first}: {then}</span>'
    assert (line in (await visitor.get(game)).text) is bool(first)
    if not first:
        return
    refused = await post(visitor, f"{game}/deal", version=0)
    assert refused.status_code == 200
    assert line in refused.text
    chosen = await post(visitor, f"{game}/click", version=0, clicked="t1")
    assert 'class="first"' not in chosen.text
    assert 'class="first"' not in (await visitor.get(game)).text


async def test_the_first_move_is_german_where_words_bend(visitor: AsyncClient):
    game = await start_game(visitor, "signora")
    page = (await visitor.get(game, headers={"Accept-Language": "de"})).text
    assert "Beginne die Zielstapel mit der obersten Karte einer Spalte oder der Reserve" in page


async def test_a_face_up_stock_that_cannot_be_played_is_dealt_by_a_click_without_a_script(visitor):
    code = "00000-00000"
    game = await start_game(visitor, "blondes-and-brunettes-till-dawn", code)
    assert not any(move.startswith("stock-") for move in await moves(visitor, game))
    clicked = await visitor.post(f"{game}/click", data={"version": 0, "clicked": "stock"})
    assert clicked.status_code == 303
    assert 'class="pile" role="group" aria-label="Waste, one card' in (await visitor.get(game)).text


@pytest.mark.parametrize(("ruleset", "has_deal"), [("bristol", True), ("freecell", False)])
async def test_only_games_with_a_deal_have_a_button_for_it(visitor, ruleset, has_deal):
    game = await start_game(visitor, ruleset)
    page = (await visitor.get(game)).text
    assert (f'formaction="{game}/deal"' in page) == has_deal
    assert f'formaction="{game}/undo"' in page


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
async def test_a_click_on_any_pile_of_any_game_is_answered(visitor, rules):
    game = await start_game(visitor, rules.id)
    state = f"/api/v1{game}"
    held = ""
    for pile in [*rules.layout.ids, *reversed(rules.layout.ids)] * 2:
        version = (await visitor.get(state)).json()["version"]
        answer = await post(visitor, f"{game}/click", version=version, clicked=pile, held=held)
        assert answer.status_code in {200, 409, 422}, answer.text  # or refused, with the reason
        found = re.search(r'name="held" value="([^"]*)"', answer.text)
        held = found[1] if found else ""
    for word in ("deal", "help/hint", "undo", "redo", "restart"):
        version = (await visitor.get(state)).json()["version"]
        answer = await post(visitor, f"{game}/{word}", version=version)
        assert answer.status_code in {200, 409, 422}, answer.text
    assert (await visitor.get(game)).status_code == 200


async def test_a_deal_in_which_nothing_can_move_says_so(visitor: AsyncClient):
    game = await start_game(visitor, "simple-simon", code="N0M0V-00023")
    page = (await visitor.get(game)).text
    assert "No moves left" in page
    assert "No card can move in this deal." in page
    assert "undo a move" not in page


async def test_a_new_deal_says_where_the_game_is_that_was_left(visitor: AsyncClient):
    left = await start_game(visitor)
    form = {"ruleset": "bristol", "left": left.removeprefix("/games/")}
    kept = "Your game of Bristol is saved on the home page."
    fresh = (await visitor.post("/play", data=form)).headers["location"]
    assert kept not in (await visitor.get(fresh)).text, "nothing was played"
    await post(visitor, f"{left}/deal", version=0)
    assert f'name="left" value="{form["left"]}"' in (await visitor.get(left)).text
    fresh = (await visitor.post("/play", data=form)).headers["location"]
    assert kept in (await visitor.get(fresh)).text
    await post(visitor, f"{fresh.partition('?')[0]}/deal", version=0)
    assert kept not in (await visitor.get(fresh)).text
    await post(visitor, f"{left}/resign", version=1)
    fresh = (await visitor.post("/play", data=form)).headers["location"]
    assert kept not in (await visitor.get(fresh)).text
    fresh = (await visitor.post("/play", data=form | {"left": "x&y=z"})).headers["location"]
    assert kept not in (await visitor.get(fresh)).text


FROM_HERE = {"Sec-Fetch-Site": "same-origin"}


async def test_the_cards_of_a_new_game_are_dealt_to_who_comes_from_a_page_of_this_site(
    visitor: AsyncClient, site: FastAPI
):
    game = await start_game(visitor)
    assert "data-dealt" in (await visitor.get(game, headers=FROM_HERE)).text
    refused = {"version": 0, "clicked": "f1", "held": ""}  # without JavaScript
    answer = await visitor.post(f"{game}/click", data=refused, headers=FROM_HERE)
    assert "An empty foundation starts with an ace." in answer.text
    assert "data-dealt" not in answer.text
    for origin in ({}, {"Sec-Fetch-Site": "none"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = await visitor.get(game, headers=origin)
        assert "data-dealt" not in answer.text
        assert "css/dealing" not in answer.text
    async with visiting(site) as watcher:
        assert "data-dealt" not in (await watcher.get(game, headers=FROM_HERE)).text
    await post(visitor, f"{game}/move", version=0, move=(await moves(visitor, game))[0])
    assert "data-dealt" not in (await visitor.get(game, headers=FROM_HERE)).text
