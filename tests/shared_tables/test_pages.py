"""The pages of shared tables, with and without JavaScript."""

from __future__ import annotations

import re

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import update

from app.db.schema import games
from app.games.catalog import find_offer
from app.games.mini_table import mini_table
from app.games.model import Status
from app.http.static import static_files
from tests.support.known import CODE, HTMX
from tests.support.serving import HOST, visiting

pytestmark = pytest.mark.anyio


def read(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, pattern
    return found[1]


async def open_table(visitor: AsyncClient) -> tuple[str, str]:
    """Share a game: its path, and the path of its invitation."""
    dealt = await visitor.post("/play", data={"ruleset": "bristol", "code": CODE})
    path = dealt.headers["location"]
    answer = await visitor.post(f"{path}/together/share")
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    page = await visitor.get(path)
    return path, read(r'value="http://[^/]+(/together/[\w-]+)"', page.text)


async def test_one_link_lets_a_friend_join_without_an_account(
    site: FastAPI, visitor: AsyncClient
) -> None:
    path, invitation = await open_table(visitor)
    async with visiting(site) as friend:
        shown = await friend.get(invitation)
        assert ">Join<" in shown.text
        assert "Play Bristol with" in shown.text
        sat = await friend.post(invitation)
        assert (sat.status_code, sat.headers["location"]) == (303, path)
        moved = await friend.post(f"{path}/deal", data={"version": 0})
        assert moved.status_code == 303
        again = await friend.get(invitation)
        assert again.headers["location"] == path
    mine = await visitor.get(path)
    assert 'data-version="1"' in mine.text
    above, _, below = mine.text.partition("<main")
    assert above.count('<li class="chip seat-') == 2, "the players are in the line above the board"
    assert "<bdi>You</bdi>" in above
    assert 'class="chip' not in below, "and nowhere else"
    assert re.search(r"[A-Z][\w ]+: Dealt three cards: [\w ,]+\.", mine.text)
    caught = await visitor.get(f"{path}/board?since=0", headers=HTMX)
    assert re.search(r"[A-Z][\w ]+: Dealt three cards: [\w ,]+\.", caught.text)


async def test_an_invitation_draws_the_table_for_who_may_watch_it(
    site: FastAPI, visitor: AsyncClient
) -> None:
    path, invitation = await open_table(visitor)
    await visitor.post(f"{path}/deal", data={"version": 0})
    game = await site.state.services.games.log.load(path.rpartition("/")[2])
    sprite = static_files().url("img/cards.svg")
    table = mini_table(game.rules, game.position).svg(sprite)
    other = find_offer(game.rules.id).opening.svg(sprite)
    async with visiting(site) as friend:
        page = (await friend.get(invitation)).text
        assert table in page
        assert f'href="{path}">Just watch' in page
        assert f'content="http://{HOST}/preview/bristol.png"' in page
        await visitor.post(f"{path}/watch/audience", data={"audience": "nobody"})
        page = (await friend.get(invitation)).text
    assert other in page
    assert table not in page
    assert f'href="{path}"' not in page
    assert ">Join<" in page


async def test_the_invitation_is_open_until_somebody_has_joined(
    site: FastAPI, visitor: AsyncClient
) -> None:
    path, invitation = await open_table(visitor)
    panel = r'<details id="invite"\s+class="invite-panel"\s*((?:open )?)>'
    waiting = (await visitor.get(path)).text
    assert read(panel, waiting) == "open "
    assert "<summary>Invite</summary>" in waiting
    assert f'{invitation}/qr.svg"' in waiting
    code = await visitor.get(f"{invitation}/qr.svg")
    assert code.headers["content-type"].startswith("image/svg+xml")
    assert (await visitor.get("/together/nowhere/qr.svg")).status_code == 404
    async with visiting(site) as friend:
        await friend.post(invitation)
        for player in (visitor, friend):
            page = (await player.get(path)).text
            assert not read(panel, page)
    async with visiting(site) as spectator:
        page = (await spectator.get(path)).text
        assert invitation not in page
        assert 'id="invite"' not in page


async def test_rebased_click_returns_everything_that_changed(
    site: FastAPI, visitor: AsyncClient
) -> None:
    path, invitation = await open_table(visitor)
    moves = [
        move.split("-")
        for move in read(r'data-moves="([^"]+)"', (await visitor.get(path)).text).split()
    ]
    one, other = next((a, b) for a in moves for b in moves if not set(a) & set(b))
    async with visiting(site) as friend:
        await friend.post(invitation)
        await friend.post(f"{path}/move", data={"version": 0, "move": "-".join(one)})
    answer = await visitor.post(
        f"{path}/move", data={"version": 0, "move": "-".join(other)}, headers=HTMX
    )
    assert answer.status_code == 200
    drawn = set(re.findall(r'<div id="([a-z0-9]+)"', answer.text))
    assert {*one, *other} <= drawn
    assert 'data-version="2"' in answer.text


async def test_conflicting_click_names_the_first_player(
    site: FastAPI, visitor: AsyncClient
) -> None:
    path, invitation = await open_table(visitor)
    async with visiting(site) as friend:
        await friend.post(invitation)
        move = read(r'data-moves="(\S+)', (await friend.get(path)).text)
        await friend.post(f"{path}/move", data={"version": 0, "move": move})
    late = await visitor.post(f"{path}/move", data={"version": 0, "move": move}, headers=HTMX)
    assert late.status_code == 409
    assert re.search(r"[A-Z][\w ]+ moved it first\.", late.text)
    assert 'data-version="1"' in late.text


async def test_spectators_see_no_invitation_and_cannot_play(
    site: FastAPI, visitor: AsyncClient
) -> None:
    path, _ = await open_table(visitor)
    async with visiting(site) as stranger:
        page = await stranger.get(path)
        assert "/together/" not in page.text.replace(f"{path}/together", "")
        host = read(r'seat-1[^>]*title="([^"]+)"', page.text)
        asked = f"You are watching. Ask to join, and {host} can let you in."
        assert asked in page.text
        assert "Only players at this table" not in page.text
        refused = await stranger.post(f"{path}/deal", data={"version": 0})
        assert refused.status_code == 403
        answer = await stranger.post(f"{path}/together/leave")
        assert answer.status_code == 403


async def test_names_are_escaped(site: FastAPI, visitor: AsyncClient) -> None:
    path, invitation = await open_table(visitor)
    async with visiting(site) as friend:
        await friend.post(invitation)
        player_id = (await friend.get("/api/v1/me")).json()["id"]
        evil = "\u202e<img src=x onerror=alert(1)>"
        await site.state.services.database.write(
            lambda connection: connection.exec_driver_sql(
                "UPDATE players SET name = ? WHERE id = ?", (evil, player_id)
            )
        )
        await friend.post(f"{path}/deal", data={"version": 0})
    for address in (path, f"{path}/together/people", f"{path}/board?since=0"):
        text = (await visitor.get(address, headers=HTMX)).text
        assert "onerror" in text
        assert "<img src=x" not in text


async def test_a_ranked_game_cannot_be_shared(visitor: AsyncClient) -> None:
    begun = await visitor.post("/daily/bristol/play")
    path = begun.headers["location"]
    page = await visitor.get(path)
    assert "Play together" not in page.text
    assert (await visitor.post(f"{path}/together/share")).status_code == 409


async def test_unknown_invitation_is_not_found(visitor: AsyncClient) -> None:
    assert (await visitor.get("/together/nonsense")).status_code == 404
    assert (await visitor.post("/together/nonsense")).status_code == 404


async def test_the_home_page_lists_shared_tables_among_what_can_go_on(visitor: AsyncClient) -> None:
    opened = await visitor.post("/together", data={"ruleset": "signora"})
    path = opened.headers["location"]
    home = (await visitor.get("/")).text
    assert home.count(f'href="{path}"') == 1
    assert home.index(f'href="{path}"') < home.index(">Together<")
    assert home.count("waiting for others") == 1


async def test_who_joins_is_told_so_until_they_move(site: FastAPI, visitor: AsyncClient) -> None:
    path, invitation = await open_table(visitor)
    welcome = "You have joined. Anyone can move at any time."
    assert welcome not in (await visitor.get(path)).text, "the owner"
    await visitor.post(f"{path}/deal", data={"version": 0})
    async with visiting(site) as friend:
        assert welcome not in (await friend.get(path)).text
        await friend.post(invitation)
        assert welcome in (await friend.get(path)).text
        await friend.post(f"{path}/deal", data={"version": 1})
        assert welcome not in (await friend.get(path)).text


async def test_who_joined_a_table_finds_it_again_everywhere(
    site: FastAPI, visitor: AsyncClient
) -> None:
    path, invitation = await open_table(visitor)
    async with visiting(site) as friend:
        await friend.post(invitation)
        await friend.post(f"{path}/deal", data={"version": 0})
        host = (await visitor.get("/api/v1/me")).json()["name"]
        title = f"Bristol, with {host}"
        home, together, own = [
            (await friend.get(address)).text for address in ("/", "/together", "/me")
        ]
        assert "Continue where you left off" in home
        assert home.count(path) == 1, "not once more under ways to play together"
        assert title in home
        assert "Shared table · 1 move" in re.sub(r"<[^>]+>", "", home)
        assert 'id="first-title"' not in home, "nobody is new here with a game under way"
        for page in (together, own):
            assert f'<a href="{path}"><bdi>{title}</bdi></a>' in page
        await site.state.services.database.write(
            lambda connection: connection.execute(update(games).values(status=Status.WON))
        )
        home = (await friend.get("/")).text
        assert 'id="first-title"' not in home, "nor with one that is over"
        assert "New deal of Bristol" in home


async def test_a_large_deal_is_seen_in_short_and_read_out_in_full(
    site: FastAPI, visitor: AsyncClient
) -> None:
    opened = await visitor.post("/together", data={"ruleset": "spider-one-suit"})
    path = opened.headers["location"]
    invitation = read(r'value="http://[^/]+(/together/[\w-]+)"', (await visitor.get(path)).text)
    async with visiting(site) as friend:
        await friend.post(invitation)
        await friend.post(f"{path}/deal", data={"version": 0})
    notice = (await visitor.get(path)).text.split('id="notice"')[1].split("</div>")[0]
    seen, heard = re.findall(r"<span ([^>]*)>([^<]*)</span>", notice)
    assert seen[0] == 'aria-hidden="true"'
    assert re.fullmatch(r"[A-Z][\w ]+: Dealt ten cards\.", seen[1])
    assert heard[0] == 'class="sr-only"'
    assert re.fullmatch(r"[A-Z][\w ]+: Dealt ten cards: (the [\w ]+(, | and )?){10}\.", heard[1])
