"""Turning a reminder on and off: pages, API, accounts, and the service worker."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient, Response
from sqlalchemy import func, select

from app.db.schema import players, push_keys, push_reminders
from app.settings import Settings
from tests.support.known import PASSWORD
from tests.support.push import Browser
from tests.support.serving import expire_guests, running_site, started, visiting

pytestmark = pytest.mark.anyio

API = "/api/v1/reminders"


def form(browser: Browser, **changes: Any) -> dict[str, Any]:
    fields = {"subscription": json.dumps(browser.json), "hour": "18", "zone": "Europe/Vienna"}
    return fields | changes


def body(browser: Browser, **changes: Any) -> dict[str, Any]:
    return {"subscription": browser.json, "hour": 18, "zone": "Europe/Vienna"} | changes


async def turn_on(client: AsyncClient, browser: Browser) -> Response:
    answer = await client.post(API, json=body(browser))
    assert answer.status_code == 201, answer.text
    return answer


async def reminders(client: AsyncClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await client.get(API)).json()["reminders"]
    return found


async def test_it_is_off_until_a_player_turns_it_on_and_again_after_one_tap(visitor: AsyncClient):
    page = (await visitor.get("/reminder")).text
    assert "Turn on" in page
    assert "Every day at" not in page
    answer = await visitor.post("/reminder", data=form(Browser()))
    assert (answer.status_code, answer.headers["location"]) == (303, "/reminder?done=on")
    page = (await visitor.get(answer.headers["location"])).text
    assert "The reminder is on." in page
    assert "Every day at 18:00 (Europe/Vienna)" in page
    (stop,) = re.findall(r'action="(/reminder/stop/\w+)"', page)
    answer = await visitor.post(stop)
    assert answer.headers["location"] == "/reminder?done=stopped"
    assert "Every day at" not in (await visitor.get("/reminder")).text


async def test_the_link_of_a_notification_works_signed_out_and_only_its_button_stops(
    site: FastAPI, visitor: AsyncClient
):
    await turn_on(visitor, Browser())
    (reminder,) = await reminders(visitor)
    link = f"/reminder/stop/{reminder['id']}"
    async with visiting(site) as stranger:
        page = await stranger.get(link)
        assert f'<form method="post" action="{link}">' in page.text
        assert page.headers["cache-control"] == "no-store"
        assert await reminders(visitor)
        assert (await stranger.post(link)).status_code == 303
        assert not await reminders(visitor)
        for again in (await stranger.get(link), await stranger.post(link)):
            assert again.status_code == 404
            assert "This reminder is off." in again.text


async def test_another_hour_for_the_same_browser_replaces_the_first(visitor: AsyncClient):
    browser = Browser()
    first = (await turn_on(visitor, browser)).json()
    answer = await visitor.post(API, json=body(browser, hour=7))
    assert answer.json()["id"] == first["id"]
    assert [found["hour"] for found in await reminders(visitor)] == [7]


async def test_a_browser_that_another_player_used_reminds_its_new_player_only(
    site: FastAPI, visitor: AsyncClient
):
    browser = Browser()
    first = (await turn_on(visitor, browser)).json()
    async with visiting(site) as other:
        second = (await turn_on(other, browser)).json()
        assert second["id"] != first["id"]
        assert len(await reminders(other)) == 1
    assert await reminders(visitor) == []


def renewal(old: Browser, new: Browser) -> dict[str, Any]:
    return {"old_endpoint": old.endpoint, "subscription": new.json}


async def stored_subscriptions(site: FastAPI) -> list[tuple[str, bytes, bytes]]:
    r = push_reminders.c
    found: list[tuple[str, bytes, bytes]] = await site.state.services.database.read(
        lambda connection: [
            (row.endpoint, bytes(row.public_key), bytes(row.auth))
            for row in connection.execute(select(r.endpoint, r.public_key, r.auth))
        ]
    )
    return found


async def test_a_renewed_subscription_takes_the_place_of_the_old_one(
    site: FastAPI, visitor: AsyncClient
):
    old, new = Browser("old"), Browser("new")
    before = (await turn_on(visitor, old)).json()
    async with visiting(site) as signed_out:
        answer = await signed_out.put(f"{API}/subscription", json=renewal(old, new))
    assert answer.status_code == 204, answer.text
    assert await reminders(visitor) == [before]
    assert await stored_subscriptions(site) == [tuple(new.subscription)]
    again = await visitor.put(f"{API}/subscription", json=renewal(old, new))
    assert (again.status_code, again.json()["code"]) == (404, "not_found")


async def test_a_renewed_subscription_with_a_reminder_of_its_own_keeps_that(
    site: FastAPI, visitor: AsyncClient
):
    old, new = Browser("old"), Browser("new")
    await turn_on(visitor, old)
    kept = (await turn_on(visitor, new)).json()
    answer = await visitor.put(f"{API}/subscription", json=renewal(old, new))
    assert answer.status_code == 204, answer.text
    assert await reminders(visitor) == [kept]


async def test_a_renewed_subscription_elsewhere_is_refused(site: FastAPI, visitor: AsyncClient):
    old, new = Browser("old"), Browser("new", host="example.org")
    await turn_on(visitor, old)
    answer = await visitor.put(f"{API}/subscription", json=renewal(old, new))
    assert (answer.status_code, answer.json()["code"]) == (422, "push_endpoint_refused")
    assert await stored_subscriptions(site) == [tuple(old.subscription)]


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://example.org/push",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:444/x",
        "https://user@fcm.googleapis.com/x",
        "https://127.0.0.1/x",
        "nonsense",
    ],
)
async def test_an_endpoint_elsewhere_is_refused_with_a_code(visitor: AsyncClient, endpoint):
    wrong = Browser().json | {"endpoint": endpoint}
    answer = await visitor.post(API, json=body(Browser(), subscription=wrong))
    assert (answer.status_code, answer.json()["code"]) == (422, "push_endpoint_refused")
    page = await visitor.post("/reminder", data=form(Browser(), subscription=json.dumps(wrong)))
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert await reminders(visitor) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"hour": 24},
        {"hour": -1},
        {"hour": "x"},
        {"hour": 2**70},
        {"zone": "Nowhere"},
        {"zone": ""},
        {"zone": "../x"},
        {"zone": "\ud800"},
        {"subscription": {}},
        {"subscription": {"endpoint": "https://fcm.googleapis.com/x", "keys": {}}},
        {"subscription": Browser().json | {"keys": {"p256dh": "BA" + "A" * 85, "auth": "A" * 22}}},
    ],
)
async def test_malformed_input_is_a_clear_error(visitor: AsyncClient, changes):
    answer = await visitor.post(API, content=json.dumps(body(Browser(), **changes)))
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")


@pytest.mark.parametrize("subscription", ["", "{", "[]", "null", "\0", "1" * 9000])
async def test_a_form_without_a_subscription_is_a_clear_error(visitor: AsyncClient, subscription):
    answer = await visitor.post("/reminder", data=form(Browser(), subscription=subscription))
    assert answer.status_code == 422


async def test_a_player_has_at_most_ten(visitor: AsyncClient):
    for number in range(10):
        await turn_on(visitor, Browser(str(number)))
    answer = await visitor.post(API, json=body(Browser("10")))
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_reminders")
    await turn_on(visitor, Browser("9"))


async def test_the_api_stops_one_by_its_id(visitor: AsyncClient):
    made = (await turn_on(visitor, Browser())).json()
    assert (await visitor.delete(f"{API}/{made['id']}")).status_code == 204
    assert (await visitor.delete(f"{API}/{made['id']}")).status_code == 404
    assert (await visitor.delete(f"{API}/unknown")).status_code == 404


async def test_a_network_renews_and_stops_a_number_of_reminders_in_a_minute(sqlite_url: str):
    settings = Settings(database_url=sqlite_url, reminders_per_minute=3)
    async with running_site(settings) as app, visiting(app) as anna, visiting(app) as other:
        found = (await turn_on(anna, Browser())).json()
        renewed = {"old_endpoint": "https://example.org/", "subscription": Browser().json}
        tries = [
            await other.put(f"{API}/subscription", json=renewed),
            await other.delete(f"{API}/unknown"),
            await other.post("/reminder/stop/unknown"),
        ]
        assert [answer.status_code for answer in tries] == [404] * 3
        tries = [
            await other.put(f"{API}/subscription", json=renewed),
            await other.delete(f"{API}/{found['id']}"),
            await other.post(f"/reminder/stop/{found['id']}"),
        ]
        assert [answer.status_code for answer in tries] == [429] * 3
        assert tries[0].json()["code"] == "rate_limited"
        assert all(answer.headers["retry-after"] for answer in tries)
        assert [each["id"] for each in await reminders(anna)] == [found["id"]]


async def test_a_deleted_player_has_no_reminder(site: FastAPI, visitor: AsyncClient):
    await turn_on(visitor, Browser())
    assert (await visitor.request("DELETE", "/api/v1/me", json={})).status_code == 204
    assert count(site) == 0


async def test_a_guest_who_claims_a_name_or_signs_in_keeps_the_reminder(
    site: FastAPI, visitor: AsyncClient
):
    await turn_on(visitor, Browser("one"))
    await visitor.post("/join", data={"name": "Anna", "password": PASSWORD, "again": PASSWORD})
    assert len(await reminders(visitor)) == 1
    async with visiting(site) as guest:
        await turn_on(guest, Browser("two"))
        answer = await guest.post("/login", data={"name": "Anna", "password": PASSWORD})
        assert answer.status_code == 303
        assert len(await reminders(guest)) == 2
    assert len(await reminders(visitor)) == 2


async def test_a_guest_who_brings_too_many_keeps_the_newest(site: FastAPI, visitor: AsyncClient):
    for number in range(6):
        await turn_on(visitor, Browser(f"a{number}"))
    await visitor.post("/join", data={"name": "Anna", "password": PASSWORD, "again": PASSWORD})
    async with visiting(site) as guest:
        for number in range(6):
            await turn_on(guest, Browser(f"b{number}"))
        await guest.post("/login", data={"name": "Anna", "password": PASSWORD})
        assert len(await reminders(guest)) == 10
    assert count(site) == 10


async def test_a_guest_who_stays_away_is_deleted_with_the_reminder(
    site: FastAPI, visitor: AsyncClient
):
    await turn_on(visitor, Browser())
    await expire_guests(site)
    assert count(site) == 0
    with site.state.services.database.engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(players)) == 0


async def test_the_export_lists_reminders_without_their_secrets(visitor: AsyncClient):
    browser = Browser()
    made = (await turn_on(visitor, browser)).json()
    answer = await visitor.get("/me/export")
    (found,) = answer.json()["reminders"]
    assert (found["hour"], found["zone"]) == (18, "Europe/Vienna")
    assert found["push_service"] == browser.host
    for secret in (made["id"], browser.endpoint, browser.json["keys"]["auth"]):
        assert secret not in answer.text


async def test_the_privacy_page_and_todays_page_lead_to_it(visitor: AsyncClient):
    assert 'href="/reminder"' in (await visitor.get("/privacy")).text
    assert 'href="/reminder"' in (await visitor.get("/daily")).text


async def test_the_service_worker_may_load_its_parts_and_is_never_stale(visitor: AsyncClient):
    answer = await visitor.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    policies = answer.headers.get_list("content-security-policy")
    assert policies == ["default-src 'none'; script-src 'self'; connect-src 'self'"]
    (part,) = re.findall(r'importScripts\("(.+)"\);', answer.text)
    assert 'addEventListener("push"' in (await visitor.get(part)).text


async def test_the_key_stays_the_same_and_is_sealed(sqlite_url: str):
    keys = set()
    for _ in range(2):
        async with started(Settings(database_url=sqlite_url, secret_key="k" * 32)) as app:
            async with visiting(app) as client:
                keys.add((await client.get(API)).json()["public_key"])
            with app.state.services.database.engine.connect() as connection:
                stored = connection.scalar(select(push_keys.c.private_key))
            assert stored.startswith("aes-gcm:")
    assert len(keys) == 1
    async with (
        started(Settings(database_url=sqlite_url, secret_key="x" * 32)) as app,
        visiting(app) as client,
    ):
        answer = await client.get(API)
        assert (answer.status_code, answer.json()["code"]) == (503, "reminders_off")
        assert (await client.get("/reminder")).status_code == 200


@pytest.fixture
async def without(sqlite_url: str) -> AsyncIterator[FastAPI]:
    async with started(Settings(database_url=sqlite_url, push_hosts="none")) as app:
        yield app


async def test_an_operator_can_turn_reminders_off(without: FastAPI):
    assert without.state.services.reminder_sender.tasks() == []
    async with visiting(without) as client:
        page = (await client.get("/reminder")).text
        assert "There are no reminders on this site." in page
        answer = await client.post(API, json=body(Browser()))
        assert (answer.status_code, answer.json()["code"]) == (503, "reminders_off")


def count(app: FastAPI) -> int:
    with app.state.services.database.engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(push_reminders)) or 0
