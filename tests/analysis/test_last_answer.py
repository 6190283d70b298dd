"""However often a player has asked, a view of the table reads the latest answers only."""

from functools import partial

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.analysis import repository
from app.analysis.model import Winnable
from app.analysis.repository import WINNABLE, Subject
from app.analysis.service import AnalysisService, KnownAnswer
from app.games.service import GameService
from tests.analysis.sample_games import sit_down
from tests.support.known import CODE

pytestmark = pytest.mark.anyio


async def test_only_the_latest_answers_are_read(site: FastAPI, visitor: AsyncClient) -> None:
    services = site.state.services
    analysis: AnalysisService = services.analysis
    games: GameService = services.games
    game = await sit_down(visitor, "bristol", CODE, *["deal", "undo"] * 15, "deal")
    table = await games.log.load(game)

    async def answer(version: int, text: str) -> None:
        subject = Subject(game, WINNABLE, version)
        add = partial(repository.add_question, subject=subject, at_ms=0)
        await services.database.write(add)
        await services.database.write(partial(repository.save_answer, subject=subject, text=text))

    await answer(1, Winnable.YES)
    assert await analysis.find_last_answer(table) == KnownAnswer(Winnable.YES, 1)
    for version in range(2, 31):
        await answer(version, Winnable.UNKNOWN)
    assert await analysis.find_last_answer(table) is None
    await answer(31, Winnable.NO)
    assert await analysis.find_last_answer(table) == KnownAnswer(Winnable.NO, 1)
