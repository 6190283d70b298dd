"""No response reveals a card during a race: two races that differ only in hidden cards get equal responses."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient

from app.engine.actions import parse_action
from app.engine.cards import Card
from app.engine.history import History
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.engine.transition import cards_home
from app.races import snapshot
from app.races.limits import COUNTDOWN_MS
from app.rulesets.bristol import BRISTOL
from tests.support.games import UNLIKE_WITH_HIDDEN_CARDS
from tests.support.known import HTMX
from tests.support.leaks import (
    NOON,
    Responses,
    Visit,
    differing,
    on_look_alikes,
    site_dealing,
)
from tests.support.races import WINNABLE_SEED, draw_winnable, winning_moves
from tests.support.serving import HOST

pytestmark = pytest.mark.anyio

LENGTH = 10


class Race:
    """Three clients of one site: a player, a rival and a spectator."""

    def __init__(self, visit: Visit, now: list[int]) -> None:
        self.player = visit
        self.now = now
        self.rival, self.watcher = (
            Visit(
                visit.app,
                AsyncClient(transport=ASGITransport(visit.app), base_url=f"http://{HOST}"),
            )
            for _ in range(2)
        )

    async def gather(self, rules: Ruleset) -> str:
        room = await self.player.ask("POST", "/race", data={"ruleset": rules.id, "minutes": "10"})
        code: str = room.headers["location"].removeprefix("/race/")
        await self.rival.ask("POST", f"/race/{code}/join")
        await self.look(code)
        for one in (self.player, self.rival):
            await one.ask("POST", f"/race/{code}/ready", data={"is_ready": "true"})
        return code

    async def begin(self, code: str) -> str:
        await self.player.ask("POST", f"/api/v1/races/{code}/start")
        await self.look(code)
        self.now[0] += COUNTDOWN_MS
        table = await self.player.ask("GET", f"/race/{code}/play")
        return str(table.headers["location"].removeprefix("/games/"))

    async def play(self, game: str, actions: Sequence[str], first: int = 0) -> None:
        for version, action in enumerate(actions, first):
            self.now[0] += 1000
            body = {"version": version, "move": action}
            moved = await self.player.ask("POST", f"/api/v1/games/{game}/moves", json=body)
            assert moved.status_code == 200, moved.text

    async def look(self, code: str, game: str = "") -> None:
        """All three request everything that they can."""
        self.now[0] += 1000
        for one in (self.player, self.rival, self.watcher):
            for path in corners(code):
                await one.ask("GET", path)
            await one.ask("GET", f"/race/{code}/room", headers=HTMX)
            await one.listen(f"/api/v1/races/{code}/stream")
        if game:
            await self.player.ask("POST", f"/race/{code}/here", data={"tab": "1"})
            await self.player.listen(f"/api/v1/games/{game}/stream")
        for one in (self.rival, self.watcher):
            await one.ask("POST", f"/race/{code}/here", data={"tab": "1"})
            for path in (f"/games/{game}", f"/api/v1/games/{game}", f"/games/{game}/replay"):
                if game:
                    await one.ask("GET", path)
                    await one.ask("GET", f"{path}?at=1")

    def responses(self, *who: Visit) -> Responses:
        return list(itertools.chain.from_iterable(one.responses for one in who))


def corners(code: str) -> list[str]:
    api = f"/api/v1/races/{code}"
    return [
        *(f"/race/{code}", f"/race/{code}/play", f"/race/{code}/replays", f"/race/{code}/qr.svg"),
        *(api, f"{api}/game", f"{api}/record.json", "/", "/me", "/race", "/api/v1/me/export"),
    ]


async def a_race(
    rules: Ruleset,
    deck: Sequence[Card],
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    played: Sequence[str],
    *,
    until_start: bool = False,
) -> Race:
    now = [NOON]
    async with site_dealing(deck, url, monkeypatch, clock=lambda: now[0]) as visit:
        visit.app.state.services.races.setup.draw_deal = draw_winnable
        race = Race(visit, now)
        code = await race.gather(rules)
        if until_start:
            await race.player.ask("POST", f"/api/v1/races/{code}/start")
            await race.look(code)
            return race
        game = await race.begin(code)
        for number, action in enumerate(played):
            await race.play(game, [action], number)
            if number == len(played) // 2:
                await race.look(code, game)
        await race.player.ask("GET", f"/games/{game}")
        await race.look(code, game)
        return race


@pytest.mark.parametrize("rules", UNLIKE_WITH_HIDDEN_CARDS, ids=lambda rules: rules.id)
async def test_responses_do_not_depend_on_face_down_cards(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    races = await on_look_alikes(
        rules,
        LENGTH,
        tmp_path,
        lambda dealt, actions, url: a_race(rules, dealt, url, monkeypatch, actions),
    )
    everybody = [race.responses(race.player, race.rival, race.watcher) for race in races]
    assert len(everybody[0]) > 100
    assert differing(*everybody) == []


async def test_responses_before_the_start_do_not_depend_on_the_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    races = [
        await a_race(
            BRISTOL,
            deck_of_seed(bytes([seed] * 32), 1),
            f"sqlite:///{tmp_path / str(seed)}.db",
            monkeypatch,
            [],
            until_start=True,
        )
        for seed in (1, 2)
    ]
    heard = [race.responses(race.player, race.rival, race.watcher) for race in races]
    assert differing(*heard) == []


def two_ways(deck: Sequence[Card]) -> tuple[list[str], list[str]]:
    """Two ways to play equally many actions that bring equally many cards home, as seen from outside."""
    start = History.start(BRISTOL, deck)
    found: dict[tuple[int, ...], list[str]] = {}
    for first, second in itertools.product(range(6), repeat=2):
        line, words, homes = start, [], []
        for pick in (first, second, 0, 0, 0):
            legal = legal_actions(BRISTOL, line.position)
            action = legal[pick % len(legal)]
            line = line.apply(action)
            words.append(str(action))
            homes.append(cards_home(BRISTOL, line.position) // 4)
        if found.setdefault(tuple(homes), words) != words:
            return found[tuple(homes)], words
    pytest.fail("no two ways look alike")


async def test_rivals_and_spectators_cannot_tell_boards_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    deck = deck_of_seed(bytes(range(32)), 1)
    races = [
        await a_race(BRISTOL, deck, f"sqlite:///{tmp_path / str(n)}.db", monkeypatch, way)
        for n, way in enumerate(two_ways(deck))
    ]
    assert differing(*(race.responses(race.rival, race.watcher) for race in races)) == []
    # Their player sees the difference, or there would be nothing to tell apart.
    assert differing(*(race.responses(race.player) for race in races))


async def test_the_comparison_detects_a_single_card_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(snapshot, "_STEP", 1)  # exact counts instead of steps of four
    deck = deck_of_seed(WINNABLE_SEED, 1)
    line = winning_moves()
    home = next(n for n, word in enumerate(line) if "-f" in word)
    races = [
        await a_race(BRISTOL, deck, f"sqlite:///{tmp_path / str(n)}.db", monkeypatch, way)
        for n, way in enumerate(
            (line[: home + 1], [*line[:home], quiet_instead(deck, line[:home])])
        )
    ]
    assert differing(*(race.responses(race.rival, race.watcher) for race in races))


def quiet_instead(deck: Sequence[Card], before: Sequence[str]) -> str:
    """An action that brings no card home."""
    line = History.start(BRISTOL, deck)
    for word in before:
        line = line.apply(parse_action(BRISTOL.layout, word))
    legal = map(str, legal_actions(BRISTOL, line.position))
    return next(word for word in legal if "-f" not in word)
