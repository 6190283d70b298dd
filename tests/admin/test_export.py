from __future__ import annotations

import csv
import io
import json
import re

import pytest

from app.admin.game_log.export import ExportFormat, export_games
from app.admin.game_log.filters import GameFilter
from app.db.schema import players
from app.games.model import Kind, Status
from app.rulesets import find_ruleset
from tests.sharing.games import acting, played
from tests.support.archives import TakenMonth
from tests.support.known import CODE

pytestmark = pytest.mark.anyio

SEED = bytes(range(32))


@pytest.fixture
async def tables(site):
    """A game won, one open, one without an action, one sealed."""
    play = site.state.services.games
    anna, _ = await site.state.services.sessions.new_guest()
    sealed = find_ruleset("bristol")
    assert sealed
    return [
        await played(play, anna.id, "bristol-won", "deal", "undo"),
        await acting(play, await play.start(anna.id, "signora", CODE), "r1-f1"),
        await play.start(anna.id, "terrace", CODE),
        await play.deal_out(anna.id, sealed, SEED, Kind.DAILY),
    ]


async def test_json_lines_have_each_game_with_its_log(site, vera, tables):
    answer = await vera.get("/admin/games/export.jsonl?order=up")
    assert answer.headers["content-type"] == "application/jsonl"
    assert answer.headers["content-disposition"] == 'attachment; filename="fairdeal-games.jsonl"'
    told = [json.loads(line) for line in answer.text.splitlines()]
    assert sorted(game["game"] for game in told) == sorted(table.id for table in tables)
    won = next(game for game in told if game["game"] == tables[0].id)
    log = await site.state.services.games.log.events(tables[0].id)
    assert [event["action"] for event in won["events"]] == [entry.action for entry in log]
    assert [event["seq"] for event in won["events"]] == list(range(1, len(log) + 1))
    assert (won["status"], won["version"]) == ("won", len(log))
    assert (won["code"], won["kind"]) == (tables[0].code, "open")


async def test_csv_has_a_row_for_each_event(site, vera, tables):
    answer = await vera.get("/admin/games/export.csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == sum(max(table.version, 1) for table in tables)
    mine = [row for row in rows if row["game"] == tables[0].id]
    assert [int(row["seq"]) for row in mine] == list(range(1, tables[0].version + 1))
    empty = next(row for row in rows if row["game"] == tables[2].id)
    assert (empty["seq"], empty["action"], empty["version"]) == ("", "", "0")


async def test_a_download_contains_the_games_that_match_the_filter(vera, tables):
    answer = await vera.get("/admin/games/export.jsonl?ruleset=signora")
    assert [json.loads(line)["game"] for line in answer.text.splitlines()] == [tables[1].id]
    one = await vera.get(f"/admin/games/{tables[0].id}/log.jsonl")
    assert json.loads(one.text)["game"] == tables[0].id
    assert (await vera.get("/admin/games/nothing/log.csv")).status_code == 404
    assert (await vera.get("/admin/games/export.exe")).status_code == 422


async def test_the_seed_of_a_sealed_deal_is_not_exported(vera, tables):
    for form in ExportFormat:
        text = (await vera.get(f"/admin/games/{tables[3].id}/log.{form}")).text
        assert SEED.hex() not in text
        assert tables[3].id in text


@pytest.mark.parametrize("form", ["csv", "jsonl"])
async def test_names_of_downloads_are_plain(vera, tables, form):
    for path in ("export", f"{tables[0].id}/log"):
        answer = await vera.get(f"/admin/games/{path}.{form}?ruleset=bristol&name=x%22%3B")
        named = answer.headers["content-disposition"]
        assert re.fullmatch(rf'attachment; filename="fairdeal-[\w-]+\.{form}"', named, re.ASCII), (
            named
        )


async def test_a_name_cannot_become_a_formula(site, vera, tables):
    def rename(connection):
        connection.execute(players.update().values(name='=HYPERLINK("http://evil")'))

    await site.state.services.database.write(rename)
    rows = csv.DictReader(io.StringIO((await vera.get("/admin/games/export.csv")).text))
    assert {row["player"][:2] for row in rows} == {"'="}


async def test_downloads_are_logged_and_for_administrators_only(vera, browsers, tables):
    moderator = await browsers.staff_member("Mona", "moderator")
    assert (await moderator.get("/admin/games/export.csv")).status_code == 403
    visitor = await browsers.visitor()
    assert (await visitor.get("/admin/games/export.csv")).status_code == 404
    await vera.get("/admin/games/export.csv?status=won")
    assert "csv?status=won" in (await vera.get("/admin/audit")).text


async def test_games_are_exported_in_batches(site, tables, monkeypatch):
    """The first rows are sent before the last games are read."""
    monkeypatch.setattr("app.admin.game_log.export._GAMES_PER_QUERY", 1)
    reads = 0
    read = site.state.services.database.read

    async def counted(work):
        nonlocal reads
        reads += 1
        return await read(work)

    monkeypatch.setattr(site.state.services.database, "read", counted)
    lines = export_games(site.state.services.database, GameFilter(), ExportFormat.JSONL)
    await anext(lines)
    assert reads == 2
    assert len([line async for line in lines]) == len(tables) - 1


async def test_lost_games_can_be_exported_by_their_status(vera, tables):
    text = (await vera.get(f"/admin/games/export.jsonl?status={Status.LOST}")).text
    assert text == ""


async def test_games_of_an_archived_month_say_so(site, vera, tables):
    month = TakenMonth(site.state.services.database, tables[0].started_ms)
    await month.take_out()
    answer = await vera.get("/admin/games/export.jsonl")
    told = {game["game"]: game for game in map(json.loads, answer.text.splitlines())}
    assert told[tables[0].id]["events"] is None
    assert told[tables[0].id]["version"] == tables[0].version
    assert told[tables[2].id]["events"] == []  # no move was made in it
    rows = list(csv.DictReader(io.StringIO((await vera.get("/admin/games/export.csv")).text)))
    actions = {row["game"]: row["action"] for row in rows}
    assert (actions[tables[0].id], actions[tables[2].id]) == ("archived", "")
