"""How the players of a deal did: the bars, and who may see them."""

from __future__ import annotations

from collections import Counter

import pytest
from httpx import AsyncClient
from sqlalchemy import Connection

from app.daily.distribution import Counts, bars_of, count_attempts
from app.daily.model import Attempt, Score
from app.games.attempt_verdicts import AttemptVerdict
from tests.daily.test_leaderboard import connection as stored_attempts
from tests.daily.test_leaderboard import sample_attempts
from tests.support.dailies import DAY, winning_moves
from tests.support.daily_site import Site, play_moves, start_attempt
from tests.support.serving import visiting

connection = stored_attempts
DEAL = f"/daily/{DAY}/bristol"


def attempt(verdict: AttemptVerdict, score: Score | None = None) -> Attempt:
    return Attempt(
        game_id="game",
        day=DAY,
        ruleset="bristol",
        player_id="anna",
        started_ms=0,
        listed=True,
        verdict=verdict,
        score=score,
    )


def lines(counts: Counts, own: Attempt) -> list[tuple[str, int, bool]]:
    return [(bar.title, bar.count, bar.is_you) for bar in bars_of(counts, own)]


def test_solved_attempts_are_counted_by_their_moves_with_those_of_guests(connection: Connection):
    counts = count_attempts(connection, DAY, "bristol")
    attempts = sample_attempts()
    assert counts.unsolved == sum(values[0] == "unsolved" for values in attempts)
    assert counts.solved == Counter(values[2] for values in attempts if values[0] == "solved")


def test_steps_of_moves_are_equal_and_the_own_one_is_marked():
    own = attempt(AttemptVerdict.SOLVED, Score(64, 100))
    assert lines(Counts(dict.fromkeys(range(60, 72), 1), 0), own) == [
        ("60 to 61", 2, False),
        ("62 to 63", 2, False),
        ("64 to 65", 2, True),
        ("66 to 67", 2, False),
        ("68 to 69", 2, False),
        ("70 to 71", 2, False),
    ]


def test_a_few_slow_attempts_share_the_last_bar():
    counts = Counts({60: 5, 61: 9, 62: 6, 63: 4, 64: 2, 65: 2, 90: 1, 400: 1}, 0)
    assert lines(counts, attempt(AttemptVerdict.SOLVED, Score(400, 9)))[-1] == (
        "65 or more",
        4,
        True,
    )
    assert [bar.percent for bar in bars_of(counts, None)] == [55, 100, 66, 44, 22, 44]


def test_every_attempt_is_in_one_bar():
    for last in range(60, 200, 7):
        counts = Counts({**{n: n % 5 + 1 for n in range(60, last, 3)}, last: 2}, 3)
        bars = bars_of(counts, None)
        assert sum(bar.count for bar in bars) == sum(counts.solved.values()) + 3
        assert len(bars) <= 7
        assert bars[-1].title == "not won"


def test_an_unsolved_attempt_is_in_a_bar_of_its_own():
    assert lines(Counts({80: 1}, 2), attempt(AttemptVerdict.UNSOLVED)) == [
        ("80", 1, False),
        ("not won", 2, True),
    ]


def test_one_result_is_compared_with_nothing():
    assert bars_of(Counts({80: 1}, 0), None) == []
    assert bars_of(Counts({}, 0), None) == []


@pytest.mark.anyio
async def test_only_who_has_finished_the_deal_sees_how_others_did(site: Site, client: AsyncClient):
    await play_moves(client, await start_attempt(client), *winning_moves())
    assert "How others did" not in (await client.get(DEAL)).text  # there are none
    async with visiting(site.app) as scout, visiting(site.app) as other:
        await start_attempt(scout)
        assert 'class="bars' not in (await scout.get(DEAL)).text
        await play_moves(scout, await start_attempt(scout), "resign")
        assert 'class="bars' not in (await scout.get(DEAL)).text
        await play_moves(other, await start_attempt(other), *winning_moves())
        page = (await other.get(DEAL)).text
        assert "How others did" in page
        assert f'<th scope="row">{len(winning_moves())}</th>' in page
        assert page.index("Share your result") < page.index("How others did")


@pytest.mark.anyio
async def test_the_day_offers_a_league_a_reminder_a_calendar_and_a_feed(
    site: Site, client: AsyncClient
):
    page = (await client.get("/daily")).text
    for path in ("/league/new", "/reminder", "/me/calendar", "/daily/feed.atom"):
        assert f'href="{path}"' in page
        assert (await client.get(path)).status_code == 200
