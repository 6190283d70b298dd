"""The published record of a closed deal, checked by the published script."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from app.daily.model import settled_ms
from app.daily.published_record import stream_record
from app.db.engine import Database
from app.db.migrate import upgrade
from app.engine.shuffle import deck_of_seed
from tests.support.dailies import DAY, HOUR, DailyServer, at, winning_moves

SCRIPT = Path(__file__).parents[2] / "static" / "verify_daily.py"
Record = dict[str, Any]


def load_script():
    spec = importlib.util.spec_from_file_location("verify_daily", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
async def published(sqlite_url: str):
    """The record of a closed day with three runs."""
    database = Database(sqlite_url)
    upgrade(database)
    daily = DailyServer(database)
    await daily.add_players("anna", "ben")
    await daily.add_players("gus", named=False)
    await daily.deal_winnable()
    await daily.solve("anna")
    await daily.solve("gus", detours=1)
    late = await daily.start("ben")
    daily.clock.now = at("01:59:59", DAY + timedelta(days=1))
    late = await daily.act(late, *winning_moves()[:2])
    daily.clock.now = settled_ms(DAY)
    await daily.closing.close(DAY)
    await daily.act(late, "resign")  # too late to be part of the attempt
    deal = await daily.service.find_closed_deal(DAY, "bristol")
    text = "".join([piece async for piece in stream_record(database, deal)])
    await database.close()
    return json.loads(text)


@pytest.mark.anyio
async def test_the_script_accepts_a_genuine_record(published: Record, tmp_path: Path):
    file = tmp_path / "record.json"
    file.write_text(json.dumps(published))
    checked = subprocess.run(  # noqa: ASYNC221 - nothing else waits
        [sys.executable, "-I", str(SCRIPT), str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
    assert "3 runs, 2 solved, 0 removed" in checked.stdout


def test_the_script_shuffles_as_the_server_does():
    script = load_script()
    for decks in (1, 2):
        for seed in (bytes(32), bytes(range(32))):
            ours = [card.text for card in deck_of_seed(seed, decks)]
            assert script.deck_of(seed, decks) == ours


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("forge", "fault"),
    [
        (lambda doc: doc.update(seed="00" * 32), "the seed does not match the commitment"),
        (lambda doc: doc.update(day="2026-03-11"), "the seed does not match the commitment"),
        (lambda doc: doc["deck"].reverse(), "the deck does not follow from the seed"),
        (lambda doc: doc["runs"].pop(), "the record does not match the runs"),
        (lambda doc: doc["runs"][0]["moves"].pop(), "its moves or times do not match its hash"),
        (
            lambda doc: doc["runs"][0]["moves"][0].__setitem__(0, 1),
            "its moves or times do not match its hash",
        ),
        (lambda doc: doc["runs"][0].update(actions=1), "its number of moves is wrong"),
        (lambda doc: doc["runs"][0].update(seconds=1), "its time does not match its moves"),
        (lambda doc: doc.update(finish_by="2026-03-10T00:00:00Z"), "it ended too late"),
        (lambda doc: doc.update(closed="2026-03-10T00:00:00Z"), "it did not start on that day"),
    ],
)
async def test_the_script_detects_every_change(published: Record, forge, fault: str):
    script = load_script()
    doc = published
    assert script.check(doc) == []
    forge(doc)
    assert any(fault in found for found in script.check(doc)), script.check(doc)


@pytest.mark.anyio
async def test_the_script_compares_a_saved_commitment_and_record(published: Record):
    script = load_script()
    doc = published
    assert script.check(doc, doc["commitment"].upper(), doc["record"]) == []
    assert script.check(doc, "0" * 64) == ["the commitment is not the one that you saved"]
    assert script.check(doc, None, "0" * 64) == ["the record is not the one that you saved"]


def test_the_times_of_these_tests_are_an_hour_apart():
    assert at("12:00") - at("11:00") == HOUR
