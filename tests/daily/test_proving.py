from __future__ import annotations

import pytest

from app.daily.proving import Prover
from app.games import find_game
from app.games.bristol import BRISTOL
from app.jobs.jobs import Jobs
from tests.dailies import WINNABLE_SEED

pytestmark = pytest.mark.anyio


async def test_a_proof_is_found_in_another_process_and_no_proof_in_time_is_a_no():
    jobs = Jobs()
    hard = find_game("rouge-et-noir")
    assert hard
    assert await Prover(jobs, 20)(BRISTOL, WINNABLE_SEED)
    assert not await Prover(jobs, 0.01)(hard, bytes(32))
    await jobs.close()
