"""How much guests and players with a name can keep."""

from __future__ import annotations

import pytest
from httpx import AsyncClient
from sqlalchemy import insert

from app.db.engine import Database
from app.db.schema import accounts
from app.engine.actions import DEAL
from app.games import quotas
from app.games.model import Kind
from app.games.quotas import Quota, QuotaReachedError, Quotas
from app.games.service import GameService
from app.rulesets import find_ruleset
from app.settings import Settings
from app.sharing.service import SharingService
from tests.support.known import CODE
from tests.support.serving import running_site, visiting, welcome

pytestmark = pytest.mark.anyio


@pytest.fixture
def play(database: Database) -> GameService:
    """Guests can keep 2 games with 6 actions, one of them imported; Una, who has a name, 4 with 12."""
    welcome(database, "una", "newcomer")
    row = {"player_id": "una", "name_key": "una", "password_hash": "", "claimed_ms": 0}
    with database.engine.begin() as connection:
        connection.execute(insert(accounts), row)
    return GameService(database, quotas=Quotas(database, Quota(2, 6, 1), Quota(4, 12, 2)))


@pytest.mark.parametrize(("player", "most"), [("newcomer", 2), ("una", 4)])
async def test_a_player_can_keep_a_number_of_games(play: GameService, player: str, most: int):
    for _ in range(most):
        await play.start(player, "bristol", CODE)
    with pytest.raises(QuotaReachedError, match=f"You have {most} games") as reached:
        await play.start(player, "bristol", CODE)
    assert ("Create an account" in reached.value.detail) == (player == "newcomer")


@pytest.mark.parametrize("kind", [Kind.DAILY, Kind.RACE])
async def test_ranked_games_are_never_refused(play: GameService, kind: Kind):
    rules = find_ruleset("bristol")
    assert rules
    for _ in range(3):
        await play.deal_out("newcomer", rules, b"s" * 32, kind)


async def test_a_player_can_keep_a_number_of_actions(
    play: GameService, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(quotas, "_ACTIONS_PER_CHECK", 2)
    game = await play.start("newcomer", "bristol", CODE)
    for version in range(6):
        await play.act(game.id, "newcomer", version, DEAL if version % 2 == 0 else "undo")
    with pytest.raises(QuotaReachedError, match="Your games have 6 moves"):
        await play.act(game.id, "newcomer", 6, DEAL)
    with pytest.raises(QuotaReachedError, match="Your games have 6 moves"):
        await play.start("newcomer", "bristol", CODE)
    before_check = (await play.log.load(game.id)).at(5)
    await play.quotas.check_action(before_check, "newcomer")
    with pytest.raises(QuotaReachedError, match="Your games have 6 moves"):
        await play.quotas.check_action(before_check, "newcomer", 2)  # several at once
    await play.act(game.id, "newcomer", 6, "resign")
    assert (await play.log.load(game.id)).is_over


async def test_a_player_can_keep_a_number_of_imported_games(database: Database, play: GameService):
    sharing = SharingService(database, play)
    game = await play.start("una", "bristol", CODE)
    await play.act(game.id, "una", 0, "resign")
    record = await sharing.record(game.id, "una")
    await sharing.import_record("newcomer", record)
    with pytest.raises(QuotaReachedError, match="You have 1 imported game,"):
        await sharing.import_record("newcomer", record)


async def refusal(visitor: AsyncClient) -> None:
    json = await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
    assert (json.status_code, json.json()["code"]) == (403, "quota_reached")
    page = await visitor.post("/play", data={"ruleset": "bristol", "deal": "any"})
    assert page.status_code == 403
    assert "You have 1 game, as many as a guest can keep. Create an account" in page.text


async def test_a_guest_is_told_what_to_do(database_url: str):
    settings = Settings(database_url=database_url, guest_games=1, proof_seconds=0)
    async with running_site(settings) as app, visiting(app) as visitor:
        assert (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).is_success
        await refusal(visitor)
        claim = {"name": "Anna", "password": "seven ravens sleep"}
        assert (await visitor.post("/api/v1/me/claim", json=claim)).is_success
        assert (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).is_success
