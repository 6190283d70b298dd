"""pgbouncer in front of PostgreSQL: each transaction gets any connection."""

from __future__ import annotations

import asyncio

import pytest

from app.db.engine import Database
from app.games.outcome import ActionResult
from app.games.service import GameService
from tests.support.pooler import PROGRAM, keeps_prepared_statements, running_pooler
from tests.support.serving import migrate, welcome

pytestmark = pytest.mark.anyio

__test__ = PROGRAM is not None
OPTIONS = [("?prepared_statements=off", 0)]
if keeps_prepared_statements():
    OPTIONS.append(("", 20))


@pytest.mark.parametrize(("option", "prepared"), OPTIONS)
async def test_games_are_played_through_a_pooler(
    postgres_url: str, tmp_path_factory, option: str, prepared: int
):
    folder = tmp_path_factory.mktemp("pooler")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    with running_pooler(folder, postgres_url, prepared=prepared) as url:
        through = f"{url}{option}"
        await migrate(through)
        database = Database(through)
        welcome(database, "anna")
        games = GameService(database)
        started = [await games.start("anna", "rouge-et-noir", None) for _ in range(12)]

        async def play(game_id: str) -> None:
            for version in range(20):
                outcome = await games.act(
                    game_id, "anna", version, "undo" if version % 2 else "deal", f"key-{version}"
                )
                assert outcome.result is ActionResult.ACCEPTED

        await asyncio.gather(*(play(game.id) for game in started))
        fresh = GameService(database)
        assert [(await fresh.log.load(game.id)).version for game in started] == [20] * 12
        await database.close()
