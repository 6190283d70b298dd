from __future__ import annotations

import html
import re
from xml.etree import ElementTree as ET

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import insert

from app.db.schema import hints_given
from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.games.model import Game, Kind
from app.games.past_games import PastGames
from app.games.service import GameService
from app.rulesets import RULESETS, find_ruleset
from app.sharing import api, views
from tests.sharing.games import acting, golden, played_by
from tests.support.games import WITH_HIDDEN_CARDS
from tests.support.known import CODE
from tests.support.leaks import look_alike_decks
from tests.support.serving import HOST, visiting

pytestmark = pytest.mark.anyio

DEAL = f"/deal/bristol/{CODE}"
HOSTILE = "<script>alert(1)</script>\u202e\u05d0"
every_game = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)


def faces(page: str) -> list[str]:
    return re.findall(r'cards\.svg#([A2-9TJQK][CDHS])"', page)


async def sealed(site: FastAPI, visitor: AsyncClient, *actions: str) -> Game:
    """A visitor's game on a deal that is still secret."""
    state = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()
    play: GameService = site.state.services.games
    owner = (await play.log.load(state["id"])).owner_id
    bristol = find_ruleset("bristol")
    assert bristol
    game = await play.deal_out(owner, bristol, bytes(range(32)), Kind.OPEN)
    return await acting(play, game, *actions)


# --- a deal


@every_game
async def test_anyone_can_view_a_deal_without_becoming_a_guest(
    visitor: AsyncClient, rules: Ruleset
) -> None:
    answer = await visitor.get(f"/deal/{rules.id}/{CODE}")
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    page = html.unescape(answer.text)
    assert rules.tagline in page
    assert CODE in page
    assert 'action="/play"' in page
    assert "once you have finished this deal" in page


async def test_what_is_special_about_a_game_is_more_than_its_goal(visitor: AsyncClient) -> None:
    plain = (await visitor.get("/deal/freecell/GNT00-00000")).text
    assert "What is special" not in plain
    assert plain.count("All the rules of FreeCell") == 1
    assert 'class="deal wide-results"' in plain
    other = (await visitor.get("/deal/klondike/GNT00-00000")).text
    assert "What is special about Klondike" in other
    assert 'class="deal"' in other


async def test_the_preview_is_described_with_whole_addresses(visitor: AsyncClient) -> None:
    page = (await visitor.get(DEAL)).text
    assert f'<meta property="og:url" content="http://{HOST}{DEAL}">' in page
    assert f'<meta property="og:image" content="http://{HOST}{DEAL}/picture.png">' in page
    assert f'<link rel="canonical" href="http://{HOST}{DEAL}">' in page
    assert '<meta name="twitter:card" content="summary_large_image">' in page


@pytest.mark.parametrize(
    "sloppy",
    ["bristol/7kq4m2xwtp", "Bristol/7KQ4M-2XWTP", "BRISTOL/7kq4m 2xwtp", "bristol/7KQ4M-2XWTP-"],
)
async def test_sloppy_spellings_lead_to_the_one_address(visitor: AsyncClient, sloppy: str) -> None:
    answer = await visitor.get(f"/deal/{sloppy}")
    assert (answer.status_code, answer.headers["location"]) == (308, DEAL)


async def test_another_name_of_a_game_leads_to_its_own(visitor: AsyncClient) -> None:
    answer = await visitor.get(f"/deal/wood/{CODE}")
    assert answer.headers["location"] == f"/deal/blondes-and-brunettes/{CODE}"


@pytest.mark.parametrize("path", ["whist/7KQ4M-2XWTP", "bristol/7KQ4M", f"bristol/{'7' * 5000}"])
@pytest.mark.parametrize("rest", ["", "/picture.png", "/qr.svg"])
async def test_what_is_no_deal_is_not_found_with_a_way_back(
    visitor: AsyncClient, path: str, rest: str
) -> None:
    answer = await visitor.get(f"/deal/{path}{rest}")
    assert answer.status_code == 404
    assert 'href="/"' in answer.text
    assert len(answer.text) < 9000


@pytest.mark.parametrize("path", [f"/deal/{HOSTILE}/{CODE}", f"/deal/bristol/{HOSTILE}"])
async def test_a_hostile_address_is_shown_harmlessly(visitor: AsyncClient, path: str) -> None:
    page = (await visitor.get(path.replace("/script", "%2Fscript"))).text
    assert "<script>alert" not in page
    assert "\u202e" not in page


@pytest.mark.parametrize("rules", WITH_HIDDEN_CARDS, ids=lambda rules: rules.id)
async def test_a_deal_reveals_no_hidden_card(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch, rules: Ruleset
) -> None:
    def otherwise(code: str, decks: int) -> tuple[Card, ...]:
        return look_alike_decks(rules, deck_of_code(parse_code(code), decks), ())

    async def everything() -> list[str]:
        page = await visitor.get(f"/deal/{rules.id}/{CODE}")
        data = await visitor.get(f"/api/v1/deals/{rules.id}/{CODE}")
        for answer in (page, data):
            del answer.headers["x-request-id"]
        return [page.text, data.text, str(page.headers), str(data.headers)]

    before = await everything()
    for module in (views, api):
        monkeypatch.setattr(module, "deck_of_code", otherwise)
    assert await everything() == before


async def test_the_picture_may_be_kept_for_a_while(visitor: AsyncClient) -> None:
    answer = await visitor.get(f"{DEAL}/picture.png")
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cache-control"] == "public, max-age=86400"
    assert answer.content.startswith(b"\x89PNG")


async def test_the_picture_and_nothing_else_may_be_shown_by_other_sites(
    visitor: AsyncClient,
) -> None:
    for path, who in (
        ("/picture.png", "cross-origin"),
        ("/qr.svg", "same-origin"),
        ("", "same-origin"),
    ):
        answer = await visitor.get(DEAL + path)
        assert answer.headers.get_list("cross-origin-resource-policy") == [who]


async def test_the_qr_code_is_a_drawing_of_the_link(visitor: AsyncClient) -> None:
    answer = await visitor.get(f"{DEAL}/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml; charset=utf-8"
    assert ET.fromstring(answer.text).tag.endswith("svg")
    other = await visitor.get(f"/deal/signora/{CODE}/qr.svg")
    assert other.text != answer.text


async def test_an_endless_host_name_makes_no_qr_code_and_no_fault(visitor: AsyncClient) -> None:
    answer = await visitor.get(f"{DEAL}/qr.svg", headers={"Host": "a" * 3000})
    assert answer.status_code == 400


async def test_results_appear_when_the_deal_is_finished(
    site: FastAPI, visitor: AsyncClient
) -> None:
    won = await played_by(visitor, site, "bristol-won")
    path = f"/deal/bristol/{won.code}"
    async with visiting(site) as other:
        before = (await other.get(path)).text
        assert "68" not in re.sub(r"/static/\w+/", "", before)  # a hash may have any digits
        game = await played_by(other, site, "bristol-won")
        page = (await other.get(path)).text
    assert f"/games/{won.id}/replay" in page
    assert f"/games/{game.id}/replay" in page
    assert page.count("(you)") == 1


async def test_hints_are_told_beside_a_result_and_a_replay(
    site: FastAPI, visitor: AsyncClient
) -> None:
    won = await played_by(visitor, site, "bristol-won")
    path = f"/deal/bristol/{won.code}"
    assert "hint" not in (await visitor.get(path)).text
    given = insert(hints_given).values(game_id=won.id, version=3, number=65)
    await site.state.services.database.write(lambda connection: connection.execute(given))
    assert "<td>won, 65 hints</td>" in (await visitor.get(path)).text
    replay = (await visitor.get(f"/games/{won.id}/replay")).text
    assert re.search(r'class="summary">You won in \d+ moves, [\d:]+, 65 hints\.<', replay)
    review = (await visitor.get(f"/games/{won.id}/help/review")).text
    assert re.search(r'<p class="of">.*</a> · [^<]* · 65 hints\s*</p>', review, re.DOTALL)


async def test_a_game_under_way_is_offered_again(visitor: AsyncClient) -> None:
    state = (await visitor.post("/api/v1/games", json={"ruleset": "bristol", "code": CODE})).json()
    assert f'href="/games/{state["id"]}"' in (await visitor.get(DEAL)).text


# --- a replay


async def test_a_replay_walks_by_plain_links(site: FastAPI, visitor: AsyncClient) -> None:
    won = await played_by(visitor, site, "signora-won")
    path = f"/games/{won.id}/replay"
    async with visiting(site) as stranger:
        first = (await stranger.get(path)).text
        assert f'Step <span class="at">0</span> of {won.version}' in first
        assert 'href="?at=1"' in first
        assert 'href="?at=-1"' not in first
        middle = (await stranger.get(f"{path}?at=37")).text
        assert 'href="?at=36"' in middle
        assert 'href="?at=38"' in middle
        last = (await stranger.get(f"{path}?at=99999999999999999999")).text
        assert f'Step <span class="at">{won.version}</span> of {won.version}' in last
        assert f'href="?at={won.version + 1}"' not in last


@pytest.mark.parametrize("name", ["rouge-et-noir-won", "bristol-won", "terrace-won"])
async def test_a_replay_shows_only_what_its_player_saw(
    site: FastAPI, visitor: AsyncClient, name: str
) -> None:
    won = await played_by(visitor, site, name)
    play: GameService = site.state.services.games
    for at in (0, 5, won.version // 2):
        seen = await play.log.load_at(won.id, at)
        page = (await visitor.get(f"/games/{won.id}/replay?at={at}")).text
        up = [card.text for pile in seen.position.piles for card in pile.face_up]
        shown = faces(page)
        assert shown
        assert all(shown.count(face) <= up.count(face) for face in shown)


@pytest.mark.parametrize("name", ["rouge-et-noir-won", "bristol-won", "terrace-won"])
async def test_nothing_can_be_picked_up_on_a_view_only_table(
    site: FastAPI, visitor: AsyncClient, name: str
) -> None:
    won = await played_by(visitor, site, name)
    for path in (f"/deal/{won.rules.id}/{won.code}", f"/games/{won.id}/replay?at=20"):
        assert 'name="clicked"' not in (await visitor.get(path)).text
    new = {"ruleset": won.rules.id, "code": won.code}
    state = (await visitor.post("/api/v1/games", json=new)).json()
    game = (await visitor.get(f"/games/{state['id']}")).text
    assert 'name="clicked"' in game  # which is how a table that is played looks


async def test_a_replay_tells_its_player_that_it_is_theirs_and_others_by_whom(
    site: FastAPI, visitor: AsyncClient
) -> None:
    won = await played_by(visitor, site, "bristol-won")
    name = (await visitor.get("/api/v1/me")).json()["name"]
    own = (await visitor.get(f"/games/{won.id}/replay")).text
    assert re.search(r'<span class="summary">You won in [^<]+\.</span>', own)
    assert f"Bristol: won by {name}" in own, "what is shared has the name"
    assert re.search(r'<span class="summary brief">Won · 68 moves · [\d:]+</span>', own)
    async with visiting(site) as stranger:
        other = (await stranger.get(f"/games/{won.id}/replay")).text
    assert f'<span class="summary">Won by {name} in ' in other
    assert f'<span class="summary brief">{name} · won · 68 moves · ' in other


async def test_the_script_gets_only_the_table(site: FastAPI, visitor: AsyncClient) -> None:
    won = await played_by(visitor, site, "bristol-won")
    answer = await visitor.get(f"/games/{won.id}/replay?at=3", headers={"HX-Request": "true"})
    assert answer.text.startswith('<div id="table"')
    assert 'data-at="3"' in answer.text
    assert "HX-Request" in answer.headers["vary"]


async def test_an_unfinished_game_has_no_replay_but_a_link_back(
    site: FastAPI, visitor: AsyncClient
) -> None:
    state = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()
    answer = await visitor.get(f"/games/{state['id']}/replay")
    assert answer.status_code == 409
    assert "can watch the replay once the game has ended" in answer.text
    back = f'<a class="primary" href="/games/{state["id"]}">Back to the game</a>'
    review = await visitor.get(f"/games/{state['id']}/help/review")
    assert review.status_code == 409
    for page in (answer.text, review.text):
        assert back in re.sub(r"\s+", " ", page)
        assert "<h1>This game isn&#39;t over yet</h1>" in page
    async with visiting(site) as stranger:
        other = (await stranger.get(f"/games/{state['id']}/replay")).text
    assert "This game isn&#39;t over yet" in other
    assert "Back to the game" not in other


async def test_playing_on_starts_a_separate_game(site: FastAPI, visitor: AsyncClient) -> None:
    won = await played_by(visitor, site, "bristol-won")
    async with visiting(site) as other:
        answer = await other.post(f"/games/{won.id}/replay/fork", data={"at": "12"})
        assert answer.status_code == 303
        assert (await other.get(answer.headers["location"])).status_code == 200
        mine = answer.headers["location"].rpartition("/")[2]
    play: GameService = site.state.services.games
    assert (await play.log.load(mine)).position == (await play.log.load_at(won.id, 12)).position
    assert (await play.log.load(mine)).owner_id != won.owner_id


@pytest.mark.parametrize(("at", "status"), [("68", 409), ("69", 422), ("-1", 422), ("x", 422)])
async def test_what_cannot_be_played_on_is_said(
    site: FastAPI, visitor: AsyncClient, at: str, status: int
) -> None:
    won = await played_by(visitor, site, "bristol-won")
    answer = await visitor.post(f"/games/{won.id}/replay/fork", data={"at": at})
    assert answer.status_code == status


@pytest.mark.parametrize("path", ["replay", "record.txt"])
async def test_a_secret_deal_is_shown_to_its_player_alone(
    site: FastAPI, visitor: AsyncClient, path: str
) -> None:
    game = await sealed(site, visitor, "deal", "resign")
    assert (await visitor.get(f"/games/{game.id}/{path}")).status_code == 200
    async with visiting(site) as stranger:
        answer = await stranger.get(f"/games/{game.id}/{path}")
        assert answer.status_code == 403
        assert not faces(answer.text)


# --- records


async def test_a_record_travels_as_plain_text(site: FastAPI, visitor: AsyncClient) -> None:
    won = await played_by(visitor, site, "bristol-won")
    answer = await visitor.get(f"/games/{won.id}/record.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text.startswith(f"Game: Bristol\nRevision: 1\nDeal: {won.code}\n")
    async with visiting(site) as other:
        back = await other.post("/import", data={"text": answer.text})
        assert back.status_code == 303
        assert back.headers["location"].endswith("/replay")
        assert (await other.get(back.headers["location"])).status_code == 200


async def test_a_file_is_as_good_as_pasted_text(visitor: AsyncClient) -> None:
    record = f"Game: bristol\nDeal: {CODE}\n1. deal\n".encode()
    answer = await visitor.post(
        "/import", data={"text": "not this"}, files={"file": ("mine.txt", record)}
    )
    assert answer.status_code == 303


async def test_a_browser_sends_a_file_that_was_not_chosen(visitor: AsyncClient) -> None:
    parts = (
        '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n'
        f"Game: bristol\r\nDeal: {CODE}\r\n\r\n"
        '--x\r\nContent-Disposition: form-data; name="file"; filename=""\r\n'
        "Content-Type: application/octet-stream\r\n\r\n\r\n--x--\r\n"
    )
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = await visitor.post("/import", content=parts, headers=headers)
    assert answer.status_code == 303


async def test_a_bad_record_comes_back_with_its_line(visitor: AsyncClient) -> None:
    record = f"Game: bristol\nDeal: {CODE}\n1. deal\n2. {HOSTILE}\n"
    answer = await visitor.post("/import", data={"text": record})
    assert answer.status_code == 422
    assert "Line 4: " in answer.text
    assert "<script>alert" not in answer.text
    assert html.escape("<script>") in answer.text


@pytest.mark.parametrize(
    "file",
    [b"\x89PNG\r\n\x1a\n" + bytes(range(256)), b"\xff\xfe" + "Game".encode("utf-16-le"), b""],
)
async def test_a_file_that_is_no_text_is_refused(visitor: AsyncClient, file: bytes) -> None:
    answer = await visitor.post("/import", files={"file": ("x.txt", file)})
    assert answer.status_code == 422
    assert "Line 1: " in answer.text


async def test_a_record_beyond_all_measure_is_refused(visitor: AsyncClient) -> None:
    answer = await visitor.post("/import", data={"text": "1. deal\n" * 30_000})
    assert answer.status_code == 413


async def test_headers_of_a_record_are_never_shown_as_markup(
    site: FastAPI, visitor: AsyncClient
) -> None:
    record = (
        f"Game: bristol\nDeal: {CODE}\nPlayer: {HOSTILE}\nSite: {HOSTILE}\n1. deal\n2. resign\n"
    )
    answer = await visitor.post("/import", data={"text": record})
    page = (await visitor.get(answer.headers["location"])).text
    assert "alert(1)" not in page
    exported = await visitor.get(answer.headers["location"].replace("replay", "record.txt"))
    assert "alert(1)" not in exported.text


async def test_a_forked_game_names_its_origin(site: FastAPI, visitor: AsyncClient) -> None:
    won = await played_by(visitor, site, "bristol-won")
    answer = await visitor.post(f"/games/{won.id}/replay/fork", data={"at": "5"})
    fork = answer.headers["location"]
    play: GameService = site.state.services.games
    game = await play.log.load(fork.rpartition("/")[2])
    await acting(play, game, *golden("bristol-won").moves[5:])
    assert f"/games/{won.id}/replay?at=5" in (await visitor.get(f"{fork}/replay")).text
    said = "From a replay: you played on from step 5. It doesn&#39;t count in your statistics."
    assert said in (await visitor.get(fork)).text
    assert said not in (await visitor.get(f"/games/{won.id}")).text
    past = PastGames(site.state.services.database)
    assert await past.count_wins(won.owner_id, won.rules, 9) == 1, "the next deals go by the first"


async def test_a_number_of_microsoft_is_played_linked_and_recorded(
    site: FastAPI, visitor: AsyncClient
) -> None:
    made = await visitor.post("/play", data={"ruleset": "freecell", "code": "#11982"})
    game = made.headers["location"].split("?")[0]
    assert "MS-11982" in (await visitor.get(game)).text
    state = (await visitor.get(f"/api/v1{game}")).json()
    assert state["code"] == "MS-11982"
    top = [state["piles"][f"t{column}"]["cards"][-1] for column in range(1, 9)]
    assert top == ["KC", "8D", "2S", "3S", "2H", "QD", "4C", "5H"]
    await visitor.post(f"/api/v1{game}/moves", json={"version": 0, "move": state["legal_moves"][0]})
    record = (await visitor.get(f"{game}/record.txt")).text
    assert "Deal: MS-11982" in record
    async with visiting(site) as other:
        assert (await other.get("/deal/freecell/MS-11982")).status_code == 200
        assert (await other.get("/deal/freecell/ms-11982/qr.svg")).is_success
        imported = await other.post("/import", data={"text": record})
        assert imported.status_code == 303
        for ruleset in ("spider", "eight-off"):
            refused = await other.post("/api/v1/games", json={"ruleset": ruleset, "code": "#11982"})
            assert refused.status_code == 404
            assert "isn't one" in refused.text


async def test_a_step_with_a_large_deal_is_seen_in_short_and_read_out_in_full(
    visitor: AsyncClient,
) -> None:
    state = (await visitor.post("/api/v1/games", json={"ruleset": "spider-one-suit"})).json()
    path = f"/games/{state['id']}"
    await visitor.post(f"{path}/deal", data={"version": 0})
    await visitor.post(f"{path}/resign", data={"version": 1})
    page = (await visitor.get(f"{path}/replay?at=1")).text
    assert '<span class="step-text" aria-hidden="true">Dealt ten cards.</span>' in page
    assert re.search(r'<span class="sr-only step-whole">Dealt ten cards: the ', page)
    assert 'data-seen="Dealt ten cards."' in page


async def test_the_sentence_of_a_shared_replay_is_in_the_language_of_its_page(
    site: FastAPI, visitor: AsyncClient
) -> None:
    game = await played_by(visitor, site, "bristol-won")
    english = (await visitor.get(f"/games/{game.id}/replay")).text
    assert 'data-text="Bristol: won by' in english
    german = await visitor.get(f"/games/{game.id}/replay", headers={"Accept-Language": "de"})
    assert 'data-text="Bristol: Gewonnen von' in german.text
