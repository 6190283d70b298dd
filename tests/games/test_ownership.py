"""A game that changes hands: a guest who logs in brings games along that other processes have in memory."""

import pytest
from sqlalchemy import update

from app.db.engine import Database
from app.db.schema import games, players
from app.errors import NotYourGameError
from app.games.outcome import ActionResult
from app.games.service import GameService
from tests.support.serving import migrate

pytestmark = pytest.mark.anyio


async def test_its_new_player_plays_on_and_the_old_one_does_not(database_url: str):
    await migrate(database_url)
    database = Database(database_url)
    here, there = GameService(database), GameService(database)
    with database.engine.begin() as connection:
        for name in ("guest", "anna"):
            connection.execute(players.insert().values(id=name, name=name, created_ms=0))
    game = await here.start("guest", "signora", "7KQ4M2XWTP")
    await there.log.load(game.id)
    with database.engine.begin() as connection:
        connection.execute(update(games).values(owner_id="anna"))
    for service in (here, there):
        with pytest.raises(NotYourGameError):
            await GameService(database).act(game.id, "guest", 0, "t1-f1")
        game = await service.log.load(game.id)
        assert game.owner_id == "anna"
    outcome = await here.act(game.id, "anna", 0, "t1-f1")
    assert outcome.result is ActionResult.ACCEPTED
    # This process still believes in the version before, and learns of both changes at once.
    assert (await there.act(game.id, "anna", 1, "deal")).result is ActionResult.ACCEPTED
    await database.close()
