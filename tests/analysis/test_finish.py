"""Automatic finish and automatic moves of safe cards: each is a logged action."""

import re
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import Connection, select

from app.db.schema import events
from app.db.schema import games as games_table
from app.engine.actions import Action, Move, parse_action
from app.engine.history import History
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.errors import NotYourGameError
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.outcome import ActionResult
from app.games.replay import opening_of, replay
from app.games.service import GameService
from app.solver.auto_finish import automatic_finish, safe_moves
from tests.analysis.sample_games import log_of, sit_down
from tests.golden.records import RECORDS, Record
from tests.support.games import UNLIKE
from tests.support.known import HTMX
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio


WON = {record.ruleset: record for record in RECORDS if record.code and record.end == "won"}
EVERY_GAME = pytest.mark.parametrize("ruleset", [rules.id for rules in UNLIKE])
CARD_BY_CARD = pytest.mark.parametrize(
    "ruleset", [rules.id for rules in UNLIKE if not rules.has_only_whole_runs]
)
BRISTOL = WON["bristol"]
BEGAN = 1_800_000_000_000


def lines(record: Record) -> list[History]:
    """The line of a record after each number of moves."""
    line = History.start(record.rules, record.cards)
    found = [line]
    for move in record.moves:
        line = line.apply(parse_action(record.rules.layout, move))
        found.append(line)
    return found


def plain_from(record: Record) -> int:
    """After how many moves the rest is plain."""
    return next(
        n for n, line in enumerate(lines(record)) if automatic_finish(line.rules, line.position)
    )


def safe_after(record: Record) -> int:
    """A move, by its number from 0, that leaves a safe card which was not there before."""
    safe = [bool(safe_moves(line.rules, line.position)) for line in lines(record)]
    return next(n for n in range(len(record.moves)) if safe[n + 1] and not safe[n])


@EVERY_GAME
async def test_the_rest_is_played_home_in_actions_of_the_log(visitor: AsyncClient, ruleset: str):
    record = WON[ruleset]
    done = plain_from(record)
    game = await sit_down(visitor, ruleset, record.code or "", *record.moves[:done])
    state = (await visitor.get(f"/api/v1/games/{game}")).json()
    assert state["can_finish"]
    answer = await visitor.post(f"/api/v1/games/{game}/finish", json={"version": done})
    assert answer.status_code == 200
    assert answer.json()["status"] == "won"
    log = await log_of(visitor, game)
    assert log[:done] == record.moves[:done]
    assert len(log) == answer.json()["version"] > done
    line = lines(record)[done]
    for action in log[done:]:
        line = line.apply(parse_action(line.rules.layout, action))


async def test_the_deals_of_a_finish_are_actions_of_the_log_and_not_told_before(
    visitor: AsyncClient,
):
    record = WON["klondike"]
    done = plain_from(record)
    line = lines(record)[done]
    stock = line.rules.layout.stock
    assert line.position.piles[stock].cards  # some are left, and lie face down
    game = await sit_down(visitor, "klondike", record.code or "", *record.moves[:done])
    page = (await visitor.get(f"/games/{game}")).text
    assert "can-finish" in page
    assert "can-deal" in page
    state = (await visitor.get(f"/api/v1/games/{game}")).json()
    assert state["can_finish"]
    assert set(state["piles"]["stock"]["cards"]) == {None}
    answer = await visitor.post(
        f"/games/{game}/help/finish", data={"version": str(done)}, headers=HTMX
    )
    assert "You won!" in answer.text
    played = (await log_of(visitor, game))[done:]
    assert "deal" in played
    for action in played:
        line = line.apply(parse_action(line.rules.layout, action))
    film = answer.text.split('data-sequence="')[1].split('"')[0].split()
    assert [shot.split(":")[0] for shot in film] == [word for word in played if word != "deal"]


async def test_a_finish_is_stored_at_once_and_as_if_played_one_by_one(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    record = WON["klondike"]
    games: GameService = site.state.services.games
    monkeypatch.setattr(games, "_clock", lambda: BEGAN)
    monkeypatch.setattr(games.log, "_clock", lambda: BEGAN)
    done = plain_from(record)
    for _ in range(2):
        await sit_down(visitor, "klondike", record.code or "", *record.moves[:done])
    counts, append, threads = list[int](), games.log.append, list[threading.Thread]()

    async def counted(
        before: Game, events: Sequence[GameEvent], after: Game, *more: Any, **options: Any
    ) -> bool:
        counts.append(len(events))
        return await append(before, events, after, *more, **options)

    def noted(rules: Ruleset, position: Position) -> list[Action]:
        threads.append(threading.current_thread())
        return automatic_finish(rules, position)

    listed = (await visitor.get("/api/v1/me/export")).json()["games"]
    one, other = (each["id"] for each in listed)
    line = await games.log.load(one)
    actions = automatic_finish(line.rules, line.position)
    for number, action in enumerate(actions):
        await games.act(one, line.owner_id, done + number, action, is_automatic=True)
    monkeypatch.setattr(games.log, "append", counted)
    monkeypatch.setattr("app.analysis.automatic_moves.automatic_finish", noted)
    answer = await visitor.post(f"/api/v1/games/{other}/finish", json={"version": done})
    assert answer.json()["status"] == "won"
    assert counts == [len(actions)]
    assert threads
    assert threading.main_thread() not in threads

    def rows(connection: Connection, game_id: str) -> tuple[list[Any], list[Any]]:
        of_log = select(events).where(events.c.game_id == game_id).order_by(events.c.seq)
        of_game = select(games_table).where(games_table.c.id == game_id)
        return (
            [row | {"game_id": ""} for row in map(dict, connection.execute(of_log).mappings())],
            [row | {"id": ""} for row in map(dict, connection.execute(of_game).mappings())],
        )

    read = site.state.services.database.read
    one_by_one = await read(lambda connection: rows(connection, one))
    assert await read(lambda connection: rows(connection, other)) == one_by_one
    assert sum(row["automatic"] for row in one_by_one[0]) == len(actions)
    kept = await games.log.load(other)
    fresh = replay(
        opening_of((await games.log.list_rows([other]))[0]), await games.log.events(other)
    )
    assert (fresh.position, fresh.status) == (kept.position, kept.status)


async def test_a_finish_is_played_whole_or_not_at_all(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    done = plain_from(BRISTOL)
    game = await sit_down(visitor, "bristol", BRISTOL.code or "", *BRISTOL.moves[:done])
    games: GameService = site.state.services.games
    seen = await games.log.load(game)
    actions = automatic_finish(seen.rules, seen.position)
    assert len(actions) > 2
    with pytest.raises(NotYourGameError):
        await games.play_automatically(seen, "somebody", actions)
    monkeypatch.setattr("app.games.service.MAX_ACTIONS", done + 2)
    full = await games.play_automatically(seen, seen.owner_id, actions)
    assert (full.result, full.game.version) == (ActionResult.FULL, done)
    monkeypatch.undo()
    assert (await games.act(game, seen.owner_id, done, actions[0])).result is ActionResult.ACCEPTED
    late = await games.play_automatically(seen, seen.owner_id, actions)
    assert (late.result, late.game.version) == (ActionResult.STALE, done + 1)
    assert len(await log_of(visitor, game)) == done + 1


async def test_where_the_rest_can_go_home_a_hint_says_to_finish(visitor: AsyncClient):
    record = WON["klondike"]
    done = plain_from(record)
    game = await sit_down(visitor, "klondike", record.code or "", *record.moves[:done])
    form = {"version": str(done)}
    told = (await visitor.post(f"/games/{game}/help/hint", data=form, headers=HTMX)).text
    assert "The rest can go home. Press Finish." in told
    assert 'class="play">Finish</button>' in told
    assert "finish-advised" in told
    assert "deal-advised" not in told
    assert "advised" not in told.replace("finish-advised", "")  # no card is marked
    page = (await visitor.post(f"/games/{game}/help/hint", data=form)).text
    assert "The rest can go home. Press Finish." in page


async def test_a_game_is_not_finished_while_a_decision_is_left(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", BRISTOL.code or "", *BRISTOL.moves[:10])
    state = (await visitor.get(f"/api/v1/games/{game}")).json()
    assert not state["can_finish"]
    answer = await visitor.post(f"/api/v1/games/{game}/finish", json={"version": 10})
    assert (answer.status_code, answer.json()["code"]) == (422, "illegal_move")
    assert answer.json()["detail"] == "This game can't be finished automatically yet."
    assert len(await log_of(visitor, game)) == 10


async def test_a_finish_based_on_an_old_version_plays_nothing(visitor: AsyncClient):
    done = plain_from(BRISTOL)
    game = await sit_down(visitor, "bristol", BRISTOL.code or "", *BRISTOL.moves[:done])
    answer = await visitor.post(f"/api/v1/games/{game}/finish", json={"version": done - 1})
    assert (answer.status_code, answer.json()["code"]) == (409, "stale_version")
    assert len(await log_of(visitor, game)) == done
    form = {"version": str(done)}
    assert (await visitor.post(f"/games/{game}/help/finish", data=form)).status_code == 303
    again = await visitor.post(f"/api/v1/games/{game}/finish", json={"version": len(BRISTOL.moves)})
    assert (again.status_code, again.json()["code"]) == (409, "game_over")


async def test_a_page_gets_the_moves_to_show_one_after_another(visitor: AsyncClient):
    done = plain_from(BRISTOL)
    game = await sit_down(visitor, "bristol", BRISTOL.code or "", *BRISTOL.moves[:done])
    assert "can-finish" in (await visitor.get(f"/games/{game}")).text
    form = {"version": str(done)}
    answer = await visitor.post(f"/games/{game}/help/finish", data=form, headers=HTMX)
    film = answer.text.split('data-sequence="')[1].split('"')[0].split()
    moves = [shot.split(":")[0] for shot in film]
    assert moves == (await log_of(visitor, game))[done:]
    line = lines(BRISTOL)[done]
    for shot in film:
        move = parse_action(line.rules.layout, shot.split(":")[0])
        assert isinstance(move, Move)
        source = line.rules.layout.index[move.source]
        assert shot.split(":")[1] == line.position.piles[source].cards[-1].text
        line = line.apply(move)
    assert "You won!" in answer.text


async def test_nobody_finishes_the_game_of_another(visitor: AsyncClient, site: FastAPI):
    done = plain_from(BRISTOL)
    game = await sit_down(visitor, "bristol", BRISTOL.code or "", *BRISTOL.moves[:done])
    async with visiting(site) as stranger:
        answer = await stranger.post(f"/api/v1/games/{game}/finish", json={"version": done})
        assert (answer.status_code, answer.json()["code"]) == (403, "not_your_game")


# --- finishing by itself


async def finish_by_itself(visitor: AsyncClient) -> None:
    chosen = {"theme": "auto", "suits": "two", "hand": "right", "cloth": "game", "clock": "off"}
    other = {"card_back": "lattice", "speed": "normal", "sound": "off", "vibration": "off"}
    form = {**chosen, **other, "safe_home": "off", "finish": "on"}
    assert (await visitor.post("/settings", data=form)).status_code == 303


@pytest.mark.parametrize("headers", [HTMX, {}])
async def test_a_game_finishes_by_itself_where_that_is_wished(
    visitor: AsyncClient, headers: dict[str, str]
):
    done = plain_from(BRISTOL)
    game = await sit_down(visitor, "bristol", BRISTOL.code or "", *BRISTOL.moves[: done - 2])
    await finish_by_itself(visitor)
    for version in (done - 2, done - 1):
        assert len(await log_of(visitor, game)) == version, "a decision was left"
        word = BRISTOL.moves[version]
        path = "deal" if word == "deal" else "move"
        form = {"version": str(version), "move": word}
        answer = await visitor.post(f"/games/{game}/{path}", data=form, headers=headers)
    log = await log_of(visitor, game)
    assert log[:done] == BRISTOL.moves[:done]
    if headers:
        assert "You won!" in answer.text
        film = answer.text.split('data-sequence="')[1].split('"')[0].split()
        assert [shot.split(":")[0] for shot in film] == log[done:]
        assert "safe card" not in answer.text
    else:
        assert answer.status_code == 303
        assert "You won!" in (await visitor.get(f"/games/{game}")).text


async def test_a_game_that_can_be_finished_waits_for_its_button_unless_it_is_wished(
    visitor: AsyncClient,
):
    done = plain_from(BRISTOL)
    game = await sit_down(visitor, "bristol", BRISTOL.code or "", *BRISTOL.moves[: done - 1])
    assert await play(visitor, game, done - 1, BRISTOL.moves[done - 1]) == done
    await finish_by_itself(visitor)
    await wish(visitor, "false")  # the page of old leaves it as it is
    assert await play(visitor, game, done, "undo") == done + 1, "who takes back goes on by hand"
    assert await play(visitor, game, done + 1, BRISTOL.moves[done - 1]) > done + 2


# --- safe cards


async def wish(visitor: AsyncClient, safe_home: str) -> None:
    answer = await visitor.post("/wishes", data={"safe_home": safe_home, "back": "/games/x"})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/games/x"


async def play(visitor: AsyncClient, game: str, version: int, word: str):
    """A move or a turn by the forms of the page; the version after it."""
    path = word if word in {"undo", "redo", "deal"} else "move"
    form = {"version": str(version), "move": word}
    answer = await visitor.post(f"/games/{game}/{path}", data=form, headers=HTMX)
    assert answer.status_code == 200, answer.text
    return int(answer.text.split('name="version" value="')[1].split('"')[0])


@CARD_BY_CARD
async def test_safe_cards_go_home_by_themselves_where_that_is_wished(
    visitor: AsyncClient, ruleset: str
):
    record = WON[ruleset]
    done = safe_after(record)
    game = await sit_down(visitor, ruleset, record.code or "", *record.moves[:done])
    await wish(visitor, "true")
    version = await play(visitor, game, done, record.moves[done])
    log = await log_of(visitor, game)
    assert len(log) == version > done + 1
    line = lines(record)[done + 1]
    for action in log[done + 1 :]:
        assert action in {str(move) for move in safe_moves(line.rules, line.position)}
        line = line.apply(parse_action(line.rules.layout, action))
    assert not safe_moves(line.rules, line.position)


async def test_safe_cards_move_automatically_only_if_the_player_wants_it(visitor: AsyncClient):
    done = safe_after(BRISTOL)
    game = await sit_down(visitor, "bristol", BRISTOL.code or "", *BRISTOL.moves[:done])
    assert await play(visitor, game, done, BRISTOL.moves[done]) == done + 1
    await play(visitor, game, done + 1, "undo")
    await wish(visitor, "true")
    await wish(visitor, "false")
    assert await play(visitor, game, done + 2, BRISTOL.moves[done]) == done + 3


async def test_undo_takes_back_one_card_and_the_next_move_leaves_it_there(visitor: AsyncClient):
    done = safe_after(BRISTOL)
    game = await sit_down(visitor, "bristol", BRISTOL.code or "", *BRISTOL.moves[:done])
    await wish(visitor, "true")
    version = await play(visitor, game, done, BRISTOL.moves[done])
    played_home = (await log_of(visitor, game))[-1]
    assert await play(visitor, game, version, "undo") == version + 1
    state = (await visitor.get(f"/api/v1/games/{game}")).json()
    assert played_home in state["legal_moves"]
    source = played_home.split("-")[0]
    other = next(move for move in state["legal_moves"] if source not in move and "-f" not in move)
    after = await play(visitor, game, version + 1, other)
    assert played_home not in (await log_of(visitor, game))[version + 1 :]
    assert await play(visitor, game, after, "undo") == after + 1
    # Played again by hand it is an action like any other.
    assert await play(visitor, game, after + 1, played_home) >= after + 2


async def test_the_setting_changes_nothing_for_programs(visitor: AsyncClient):
    done = safe_after(BRISTOL)
    await wish(visitor, "true")
    game = await sit_down(visitor, "bristol", BRISTOL.code or "", *BRISTOL.moves[: done + 1])
    assert len(await log_of(visitor, game)) == done + 1


# --- complete runs

SPIDER = WON["spider-one-suit"]
COMPLETES = next(number for number, move in enumerate(SPIDER.moves) if move.endswith("-f1:13")) - 1
SAID = "A run is complete: its king takes it home."
RINGED = re.compile(r'id="(t\d+)" class="[^"]*\bcomplete\b')


async def keep_runs(visitor: AsyncClient) -> None:
    """Leave complete runs on the table."""
    form = dict.fromkeys(("sound", "vibration", "clock", "safe_home", "runs_home"), "off")
    look = {"theme": "auto", "suits": "two", "hand": "right", "cloth": "game", "speed": "normal"}
    answer = await visitor.post("/settings", data=form | look | {"card_back": "lattice"})
    assert answer.status_code == 303


@pytest.mark.parametrize("safe_home", ["true", "false", None])
async def test_a_complete_run_goes_home_by_itself(visitor: AsyncClient, safe_home):
    game = await sit_down(visitor, SPIDER.ruleset, SPIDER.code or "", *SPIDER.moves[:COMPLETES])
    if safe_home:  # another setting
        await wish(visitor, safe_home)
    version = await play(visitor, game, COMPLETES, SPIDER.moves[COMPLETES])
    assert version == COMPLETES + 2
    assert (await log_of(visitor, game))[-1] == SPIDER.moves[COMPLETES + 1]
    assert SAID not in (await visitor.get(f"/games/{game}")).text


async def test_a_complete_run_that_stays_is_announced(visitor: AsyncClient):
    game = await sit_down(visitor, SPIDER.ruleset, SPIDER.code or "", *SPIDER.moves[:COMPLETES])
    await keep_runs(visitor)
    page = (await visitor.get(f"/games/{game}")).text
    assert SAID not in page
    assert not RINGED.findall(page)
    form = {"version": str(COMPLETES), "move": SPIDER.moves[COMPLETES]}
    answer = await visitor.post(f"/games/{game}/move", data=form, headers=HTMX)
    assert SAID in answer.text
    assert RINGED.findall(answer.text) == [SPIDER.moves[COMPLETES + 1].split("-")[0]]
    page = (await visitor.get(f"/games/{game}")).text
    assert SAID in page
    assert RINGED.findall(page) == RINGED.findall(answer.text)
    await play(visitor, game, COMPLETES + 1, SPIDER.moves[COMPLETES + 1])
    assert SAID not in (await visitor.get(f"/games/{game}")).text
