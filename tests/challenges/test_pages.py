"""A finished game as a challenge, over HTTP."""

from __future__ import annotations

import asyncio
import re

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import insert

from app.challenges import service as challenge_service
from app.challenges.service import DURATION_MS
from app.clock import DAY_MS
from app.db.schema import hints_given
from app.rulesets import RULESETS
from app.rulesets.families import FAMILIES
from tests.challenges.conftest import Late
from tests.games.playing import start_game
from tests.support.known import CODE
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

MAIN_BUTTON_AT_THE_END = '<button form="beat" class="primary beat">'
OFFER = "Challenge a friend to beat this"

API = "/api/v1"


async def a_finished_game(visitor: AsyncClient, moves: int = 3) -> str:
    """A game given up after some deals; its id."""
    game = (await visitor.post(f"{API}/games", json={"ruleset": "bristol", "code": CODE})).json()
    path = f"{API}/games/{game['id']}"
    for version in range(moves):
        answer = await visitor.post(f"{path}/moves", json={"version": version, "move": "deal"})
        assert answer.status_code == 200
    assert (await visitor.post(f"{path}/resign", json={"version": moves})).status_code == 200
    return str(game["id"])


async def a_game_worth_beating(visitor: AsyncClient) -> str:
    """A game given up with seven cards home; its id."""
    deal = {"ruleset": "bristol", "code": "WATCH-00009"}
    game = (await visitor.post(f"{API}/games", json=deal)).json()
    path = f"{API}/games/{game['id']}"
    moves = "t3-t8 t3-f1 t6-t5 t6-f2 t8-f1 t8-f1 t4-f1 t1-t8 r1-f1 t1-f1"
    for version, move in enumerate(moves.split()):
        answer = await visitor.post(f"{path}/moves", json={"version": version, "move": move})
        assert answer.status_code == 200, move
    assert (await visitor.post(f"{path}/resign", json={"version": 10})).status_code == 200
    return str(game["id"])


async def a_challenge(visitor: AsyncClient) -> str:
    answer = await visitor.post(f"{API}/games/{await a_finished_game(visitor)}/ghost")
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


async def test_a_link_from_before_challenges_had_their_own_address_still_works(
    site: FastAPI, visitor: AsyncClient
):
    token = await a_challenge(visitor)
    async with visiting(site) as friend:
        for rest in (token, f"{token}?practice=a%26b", f"{token}/qr.svg"):
            old = await friend.get(f"/ghost/{rest}")
            assert (old.status_code, old.headers["location"]) == (308, f"/challenge/{rest}")
        assert (await friend.get(f"/challenge/{token}")).status_code == 200
        # A page that was open when the address changed still has the old one in its form.
        begun = await friend.post(f"/ghost/{token}", follow_redirects=True)
        assert re.search(r"/games/[\w-]+$", str(begun.url))


async def test_the_leaderboard_appears_with_the_first_move_and_not_before(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    async with visiting(site) as friend:
        before = await friend.get(f"/challenge/{token}")
        assert "You can see the leaderboard after your first move" in before.text
        assert ">Leaderboard<" not in before.text, "a panel of one line"
        assert 'class="beside"' not in before.text
        assert "<table" not in before.text
        assert "resigned" not in before.text
        # What is to be beaten is said at once, and no card is.
        assert re.search(r"<b>\d+ of 52 cards home in \d+:\d\d</b>", before.text)
        assert _cards_in(before.text) == {"back"}
        size = re.compile('class="mini-table"\\s+viewBox="[^"]+"')
        own = await visitor.get(f"/challenge/{token}")
        assert "Wins without help first, then the shortest time, then the fewest moves" in own.text
        assert size.findall(before.text) == size.findall(own.text), "cards as large as the host's"
        begun = await friend.post(f"/challenge/{token}")
        path = begun.headers["location"]
        table = await friend.get(path)
        assert 'class="them"' not in table.text
        assert re.search(r"To beat: \d+ of 52 cards home in \d+:\d\d<", table.text)
        assert (await friend.get(f"{API}/ghosts/{token}")).json()["board"] is None
        await friend.post(f"{path}/deal", data={"version": 0})
        dealt = _cards_in((await friend.get(f"/challenge/{token}")).text)
        assert len(dealt) == 1 + 8 * 3 + 3, (
            "the back of the stock, eight fans, and what is dealt beside"
        )
        assert _cards_in((await visitor.get(f"/challenge/{token}")).text) == dealt
        strip = (await friend.get(f"{path}/ghost/line")).text
        assert 'path class="them"' in strip
        assert "You have 0 home. At this point, they had 0." in strip
        assert re.search(r"To beat: \d+ of 52 cards home in \d+:\d\d<", strip)
        async with visiting(site) as stranger:
            watched = [
                re.sub("</?bdi>", "", (await one.get(f"{path}/ghost/line")).text)
                for one in (visitor, stranger)
            ]
        host, player = [(await one.get(f"{API}/me")).json()["name"] for one in (visitor, friend)]
        assert f"{player} against you<" in watched[0]
        assert f">{player} has 0 home; you had 0 at this point.<" in watched[0]
        assert f"{player} against {host}<" in watched[1]
        assert f">{player} has 0 home; {host} had 0 at this point.<" in watched[1]
        known = (await friend.get(f"{API}/ghosts/{token}")).json()
        assert [(one["status"], one["place"]) for one in known["board"]] == [
            ("resigned", 1),
            ("playing", None),
        ]
        assert {one["game"] for one in known["board"]} == {None}  # no replay while one plays
        await friend.post(f"{path}/resign", data={"version": 1})
        done = (await friend.get(f"{API}/ghosts/{token}")).json()["board"]
        assert all(one["game"] for one in done)


async def test_a_game_with_hints_says_so_to_those_who_are_to_beat_it(
    site: FastAPI, visitor: AsyncClient
) -> None:
    new = {"ruleset": "bristol", "code": CODE}
    game = (await visitor.post(f"{API}/games", json=new)).json()["id"]
    asked = await visitor.post(f"/games/{game}/help/hint", data={"version": "0"})
    assert asked.status_code == 200
    await visitor.post(f"{API}/games/{game}/resign", json={"version": 0})
    token = (await visitor.post(f"{API}/games/{game}/ghost")).json()["token"]
    assert "1 hint<" in (await visitor.get(f"/challenge/{token}")).text  # on the leaderboard
    async with visiting(site) as friend:
        invitation = (await friend.get(f"/challenge/{token}")).text
        assert "Played with 1 hint." in invitation
        assert _terms(invitation) == ["Against the clock", "Hints and undo are allowed"]
        own = (await visitor.get(f"/challenge/{token}")).text
        assert "Played with 1 hint. Your friend sees that, too." in own
        taken = (await friend.post(f"{API}/ghosts/{token}")).json()["id"]
        await friend.post(f"{API}/games/{taken}/moves", json={"version": 0, "move": "deal"})
        page = (await friend.get(f"/challenge/{token}")).text
        assert page.count("Played with 1 hint.") == 1  # in the column of the host alone


async def test_the_page_of_ways_to_play_together_has_challenges(
    site: FastAPI, visitor: AsyncClient
) -> None:
    assert 'href="/challenge">New challenge' in (await visitor.get("/together")).text
    game = await a_finished_game(visitor)
    made = (await visitor.post(f"/games/{game}/ghost/make")).headers["location"]
    async with visiting(site) as friend:
        page = (await visitor.get("/together")).text
        assert re.search(
            rf'href="{made}"><bdi>Bristol</bdi></a> <span[^>]*>no one has played it yet', page
        )
        await friend.post(made)
        assert "1 has played it" in (await visitor.get("/together")).text
        assert made not in (await friend.get("/together")).text


async def test_the_page_for_a_new_challenge_has_finished_games_and_games_to_play(
    site: FastAPI, visitor: AsyncClient
) -> None:
    page = (await visitor.get("/challenge")).text
    assert "the same cards, your result to beat" in page
    assert "Choose a game to play" in page
    assert 'value="bristol"' in page
    assert len(re.findall(r"min · \d+% won", page)) == len(RULESETS), "how hard each game is"
    assert "What “% won” means" in page
    open_game = (await visitor.post("/play", data={"ruleset": "bristol"})).headers["location"]
    poor = await a_finished_game(visitor)
    page = (await visitor.get("/challenge")).text
    assert poor not in page, "no card is home"
    assert "get a good part of its cards home, and you can send it from here" in page
    assert page.index(">Play Bristol</button>") < page.index("Choose a game to play")
    game = await a_game_worth_beating(visitor)
    page = (await visitor.get("/challenge")).text
    assert f'action="/games/{game}/ghost/make"' in page
    assert re.search(r"7 of 52 cards home in \d+:\d\d · ", page)
    assert "you can send it from here" not in page
    given = insert(hints_given).values(game_id=game, version=3, number=2, versions="1 3")
    await site.state.services.database.write(lambda connection: connection.execute(given))
    page = (await visitor.get("/challenge")).text
    assert re.search(r"7 of 52 cards home in \d+:\d\d · 2 hints · ", page), "as the friend will see"
    newest = await a_game_worth_beating(visitor)
    page = (await visitor.get("/challenge")).text
    assert page.index(f"/games/{newest}/") < page.index(f"/games/{game}/"), "the newest first"
    assert open_game not in page
    made = (await visitor.post(f"/games/{game}/ghost/make")).headers["location"]
    assert f'href="{made}"' in (await visitor.get("/challenge")).text
    async with visiting(site) as friend:
        assert game not in (await friend.get("/challenge")).text


async def test_a_game_that_is_played_for_a_challenge_leads_there_first(
    visitor: AsyncClient,
) -> None:
    form = {"ruleset": "bristol", "deal": "any"}
    on = await visitor.post("/challenge", data=form)
    assert (on.status_code, on.headers["location"]) == (307, "/play")
    game = (await visitor.post("/play", data=form)).headers["location"].partition("?")[0]
    assert "When you finish, you get the link for your friend." in (await visitor.get(game)).text
    await visitor.post(f"{API}{game}/moves", json={"version": 0, "move": "deal"})
    await visitor.post(f"{API}{game}/resign", json={"version": 1})
    assert MAIN_BUTTON_AT_THE_END in (await visitor.get(game)).text
    await visitor.post(f"{game}/ghost/make")
    assert MAIN_BUTTON_AT_THE_END not in (await visitor.get(game)).text

    other = await a_finished_game(visitor)
    assert MAIN_BUTTON_AT_THE_END not in (await visitor.get(f"/games/{other}")).text
    assert (await visitor.post("/challenge", data={"ruleset": "nothing"})).status_code == 404


async def test_what_is_kept_of_a_challenge_is_in_the_download_of_each(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    async with visiting(site) as friend:
        tried = (await friend.post(f"{API}/ghosts/{token}")).json()["id"]
        theirs = (await friend.get(f"{API}/me/export")).json()
    mine = (await visitor.get(f"{API}/me/export")).json()
    assert [one["token"] for one in mine["challenges"]] == [token]
    assert mine["tries"] == theirs["challenges"] == []
    [one] = theirs["tries"]
    assert (one["game_id"], one["counts"]) == (tried, True)


async def test_the_same_cards_are_dealt_and_the_first_try_counts(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    opening = (await visitor.post(f"{API}/games", json={"ruleset": "bristol", "code": CODE})).json()
    async with visiting(site) as friend:
        first = (await friend.post(f"{API}/ghosts/{token}")).json()
        assert first["piles"] == opening["piles"]
        again = (await friend.post(f"{API}/ghosts/{token}")).json()
        assert again["id"] != first["id"]
        known = (await friend.get(f"{API}/ghosts/{token}")).json()
        assert (known["mine"], known["tries"], known["practice"]) == (first["id"], 1, True)
        table = f"/games/{again['id']}"
        assert "Practice against" in (await friend.get(table)).text
        await friend.post(f"{table}/resign", data={"version": 0})
        compared = await friend.get(f"/challenge/of/{again['id']}", follow_redirects=True)
        assert "This was practice" in compared.text


async def test_who_knows_the_cards_practises(site: FastAPI, visitor: AsyncClient) -> None:
    finished = await a_finished_game(visitor)
    async with visiting(site) as seen, visiting(site) as played:
        # One has looked at the replay and sends a link of their own, the other was dealt these cards before.
        link = (await seen.post(f"{API}/games/{finished}/ghost")).json()
        assert (
            link["token"] != (await visitor.post(f"{API}/games/{finished}/ghost")).json()["token"]
        )
        await seen.post(f"{API}/ghosts/{link['token']}")
        await played.post(f"{API}/games", json={"ruleset": "bristol", "code": CODE})
        page = await played.get(f"/challenge/{link['token']}")
        assert "You have seen these cards, so this is practice." in page.text
        await played.post(f"{API}/ghosts/{link['token']}")
        board = (await seen.get(f"{API}/ghosts/{link['token']}")).json()
        assert (board["tries"], len(board["board"])) == (0, 1)


async def test_an_open_attempt_cannot_be_found_by_its_code(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    async with visiting(site) as friend:
        state = (await friend.post(f"{API}/ghosts/{token}")).json()
        game = f"/games/{state['id']}"
        await friend.post(f"{API}{game}/moves", json={"version": 0, "move": "deal"})
        told = [state["code"], (await friend.get(f"{API}{game}")).json()["code"]]
        assert told == [None, None]
        for path in (game, f"{game}/record.txt", "/api/v1/me/export", f"/challenge/{token}"):
            answer = await friend.get(path)
            assert answer.status_code == 200
            assert CODE not in answer.text, path
        assert game not in (await friend.get(f"/deal/bristol/{CODE}")).text
        listed = await friend.put(f"{API}{game}/audience", json={"audience": "public"})
        assert listed.status_code == 409
        assert "listed under live games" not in (await friend.get(game)).text
        asked = await friend.post(f"{game}/help/winnable", data={"version": 1})
        assert asked.status_code == 403
        assert "Is it still winnable" not in (await friend.get(game)).text
        await friend.post(f"{game}/resign", data={"version": 1})
        assert CODE in (await friend.get(game)).text


async def test_a_lost_try_that_can_be_taken_back_keeps_its_cards(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    async with visiting(site) as friend, visiting(site) as other:
        state = (await friend.post(f"{API}/ghosts/{token}")).json()
        game = f"/games/{state['id']}"
        version = 0
        while state["status"] == "playing":
            deals = [move for move in state["legal_moves"] if move == "deal"]
            move = (deals or state["legal_moves"])[0]
            path = f"{API}{game}/moves"
            state = (await friend.post(path, json={"version": version, "move": move})).json()
            version += 1
            assert version < 400
        assert state["status"] == "lost"
        assert state["can_undo"]
        known = (await friend.get(f"{API}/ghosts/{token}")).json()
        assert {one["game"] for one in known["board"]} == {None}
        fork = await friend.post(f"{game}/replay/fork", data={"at": 1})
        assert fork.status_code == 403
        assert (await other.get(f"{game}/replay")).status_code == 403
        assert CODE not in (await friend.get(f"{game}/replay")).text
        review = await friend.post(f"{game}/help/review")
        assert review.status_code == 403
        await friend.post(f"{game}/resign", data={"version": version})
        assert (await other.get(f"{game}/replay")).status_code == 200


async def test_two_tabs_begin_at_once_and_one_try_counts(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    async with visiting(site) as friend:
        await friend.post("/play", data={"ruleset": "bristol", "code": ""})  # a guest by now
        both = await asyncio.gather(*(friend.post(f"{API}/ghosts/{token}") for _ in range(4)))
        assert {answer.status_code for answer in both} == {201}
        assert (await friend.get(f"{API}/ghosts/{token}")).json()["tries"] == 1


async def test_a_try_is_played_like_the_game_that_it_is_to_beat(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    async with visiting(site) as friend:
        game = (await friend.post(f"{API}/ghosts/{token}")).json()["id"]
        assert (await friend.get(f"{API}/games/{game}/hint")).status_code == 200
        await friend.post(f"{API}/games/{game}/moves", json={"version": 0, "move": "deal"})
        back = await friend.post(f"{API}/games/{game}/undo", json={"version": 1})
        assert back.status_code == 200


async def test_a_daily_becomes_a_challenge_when_its_day_is_closed(late: Late) -> None:
    async with visiting(late.site) as anna, visiting(late.site) as ben, visiting(late.site) as cleo:
        finished = (await anna.post("/daily/bristol/play")).headers["location"]
        await cleo.post("/daily/bristol/play")
        for version in range(2):
            assert (await anna.post(f"{finished}/deal", data={"version": version})).is_redirect
        await anna.post(f"{finished}/resign", data={"version": 2})
        assert OFFER not in (await anna.get(finished)).text
        for client in (anna, ben):
            assert (await client.post(f"{finished}/ghost/make")).status_code == 403
        await late.close_the_day()
        assert OFFER in (await anna.get(finished)).text
        token = (await anna.post(f"{API}{finished}/ghost")).json()["token"]
        state = (await ben.post(f"{API}/ghosts/{token}")).json()
        game = f"/games/{state['id']}"
        assert state["code"] is None
        # By the rules of the daily: no hints, and a dealt card stays dealt.
        assert (await ben.get(f"{API}{game}/hint")).status_code == 403
        await ben.post(f"{game}/deal", data={"version": 0})
        assert (await ben.post(f"{game}/undo", data={"version": 1})).status_code == 422
        # The seed is published by now, so a record would show its player all the cards.
        record = (await ben.get(f"{game}/record.txt")).text
        assert (await ben.post(f"{game}/replay/fork", data={"at": 0})).status_code == 409
        await ben.post(f"{game}/resign", data={"version": 1})
        assert len((await ben.get(f"{game}/record.txt")).text) > len(record) + 52
        page = await ben.get(f"/challenge/of/{state['id']}", follow_redirects=True)
        assert "Neither won." in page.text
        assert (await cleo.get(f"{API}/ghosts/{token}")).json()["practice"]


async def test_what_is_no_finished_game_of_one_player_is_no_challenge(
    site: FastAPI, visitor: AsyncClient
) -> None:
    game = (await visitor.post(f"{API}/games", json={"ruleset": "bristol"})).json()
    still = await visitor.post(f"{API}/games/{game['id']}/ghost")
    assert (still.status_code, still.json()["code"]) == (409, "no_challenge")
    await visitor.post(f"{API}/games/{game['id']}/together")
    await visitor.post(f"{API}/games/{game['id']}/resign", json={"version": 0})
    assert (await visitor.post(f"{API}/games/{game['id']}/ghost")).status_code == 409
    token = await a_challenge(visitor)
    assert (await visitor.post(f"{API}/ghosts/{token}")).status_code == 409  # one's own
    assert (await visitor.post(f"{API}/ghosts/nonsense")).status_code == 404


async def test_after_thirty_days_nobody_can_join_and_everyone_can_view(
    site: FastAPI, visitor: AsyncClient
) -> None:
    token = await a_challenge(visitor)
    service = site.state.services.challenges
    now = service._clock
    service._clock = lambda: now() + DURATION_MS
    async with visiting(site) as friend:
        late = await friend.post(f"{API}/ghosts/{token}")
        assert (late.status_code, late.json()["code"]) == (409, "challenge_over")
        page = await friend.get(f"/challenge/{token}")
        assert "This challenge ended after 30 days" in page.text
        assert "/replay" in page.text


async def test_a_challenge_says_how_long_it_is_open(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenge_service, "DURATION_MS", 7 * DAY_MS)
    token = await a_challenge(visitor)
    service = site.state.services.challenges
    now = service._clock
    assert "and they have 7 days." in (await visitor.get(f"/challenge/{token}")).text
    service._clock = lambda: now() + 7 * DAY_MS
    assert "This challenge ended after 7 days." in (await visitor.get(f"/challenge/{token}")).text


async def test_a_game_that_is_a_challenge_already_has_one_link(visitor: AsyncClient) -> None:
    game = await a_finished_game(visitor)
    links = [(await visitor.post(f"/games/{game}/ghost/make")).headers["location"] for _ in "ab"]
    assert links[0] == links[1]
    assert OFFER in (await visitor.get(f"/games/{game}")).text
    assert OFFER in (await visitor.get(f"/games/{game}/replay")).text


async def test_the_link_has_a_code_for_a_camera(visitor: AsyncClient) -> None:
    token = await a_challenge(visitor)
    assert f'src="/challenge/{token}/qr.svg"' in (await visitor.get(f"/challenge/{token}")).text
    code = await visitor.get(f"/challenge/{token}/qr.svg")
    assert code.headers["content-type"].startswith("image/svg+xml")
    assert (await visitor.get("/challenge/unknown/qr.svg")).status_code == 404


def _cards_in(page: str) -> set[str]:
    """The cards in the picture of the deal."""
    drawing = page.split('class="mini-table"', 1)[1].split("</svg>", 1)[0]
    return set(re.findall(r'#(?:compact-|bold-)?(back|[A-Z0-9]{2,3})"', drawing))


def _terms(page: str) -> list[str]:
    return re.findall(r"<li>(.+)</li>", page.split('<ul class="terms">', 1)[1].split("</ul>", 1)[0])


async def test_games_for_a_challenge_stand_as_on_the_page_of_games_and_are_searched_so(visitor):
    async def shown(query: str = "") -> list[str]:
        page = (await visitor.get(f"/challenge{query}")).text.partition('id="found"')[2]
        return re.findall(r'name="ruleset"\s+value="([^"]+)"', page)

    ordered = [rules.id for family in FAMILIES for rules in family.rulesets]
    assert await shown() == ordered
    await start_game(visitor, ruleset="terrace")
    assert await shown() == ["terrace", *(name for name in ordered if name != "terrace")]
    assert "klondike-draw-three" in await shown("?q=draw+3")
    assert set(await shown("?q=spider")) < set(ordered)
    assert "No games match." in (await visitor.get("/challenge?q=xyzzy")).text
