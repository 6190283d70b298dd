from __future__ import annotations

import pytest
from sqlalchemy import Connection, insert, select

from app.db.engine import Database
from app.db.schema import accounts, daily_deals, events, origins
from app.engine.history import History
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.errors import (
    ConflictError,
    DealNotFoundError,
    GameFullError,
    GameNotFoundError,
    MalformedError,
    RulesetNotFoundError,
)
from app.games.json_state import state_of
from app.games.model import Game, Kind, Status
from app.games.service import GameService
from app.games.visibility import SecretDealError, StillPlayedError
from app.rulesets import find_ruleset
from app.sharing.model import (
    BadRecordError,
    DealResult,
    UnfinishedDealError,
)
from app.sharing.replay_views import replay_view
from app.sharing.service import SharingService
from app.sharing.text_record import parse_record
from tests.golden.records import RECORDS
from tests.sharing.games import acting, golden, played
from tests.support.games import UNLIKE_WITH_HIDDEN_CARDS
from tests.support.known import CODE
from tests.support.leaks import look_alike_decks

pytestmark = pytest.mark.anyio

SEED = bytes(range(32))
WON = [record.name for record in RECORDS if record.end == "won"]


@pytest.fixture
def sharing(database: Database, play: GameService) -> SharingService:
    return SharingService(database, play)


async def sealed(play: GameService, kind: Kind = Kind.DAILY) -> Game:
    bristol = find_ruleset("bristol")
    assert bristol
    return await play.deal_out("anna", bristol, SEED, kind)


def publish(database: Database, *, closed_ms: int | None = 2) -> None:
    deal = {
        "day": "2026-11-20",
        "ruleset": "bristol",
        "revision": 1,
        "seed": SEED,
        "commitment": "",
        "created_ms": 1,
        "closed_ms": closed_ms,
    }
    with database.engine.begin() as connection:
        connection.execute(insert(daily_deals), deal)


# --- deals and their results


async def test_a_deal_is_found_however_it_is_written(sharing: SharingService) -> None:
    deal = sharing.deal("Wood", " 7kq4m 2xwtp")
    assert (deal.rules.id, deal.code) == ("blondes-and-brunettes", CODE)


async def test_an_unknown_game_or_code_is_not_found(sharing: SharingService) -> None:
    with pytest.raises(RulesetNotFoundError):
        sharing.deal("whist", CODE)
    with pytest.raises(DealNotFoundError):
        sharing.deal("bristol", "7KQ4M")


async def test_results_are_for_those_who_have_finished(
    play: GameService, sharing: SharingService
) -> None:
    won = await played(play, "anna", "bristol-won")
    deal = sharing.deal("bristol", str(won.code))
    assert await sharing.results(deal, None) is None
    game = await play.start("ben", "bristol", won.code)
    assert await sharing.results(deal, "ben") is None
    with pytest.raises(UnfinishedDealError):
        await sharing.results_of_finished(deal, "ben")
    await acting(play, game, "deal", "resign")
    results = await sharing.results_of_finished(deal, "ben")
    assert [(result.place, result.player, result.status) for result in results] == [
        (1, "Anna", Status.WON),
        (2, "Ben", Status.RESIGNED),
    ]


async def test_the_best_game_of_each_player_counts(
    database: Database, sharing: SharingService
) -> None:
    clock = iter(range(0, 10**9, 1000))
    play = GameService(database, clock=lambda: next(clock))
    slow = await played(play, "anna", "bristol-won", "deal", "undo")
    quick = await played(play, "anna", "bristol-won")
    await acting(play, await play.start("anna", "bristol", quick.code), "deal", "resign")
    results = await sharing.results(sharing.deal("bristol", str(quick.code)), "anna")
    assert slow.version == quick.version + 2
    assert results == [
        DealResult(
            place=1,
            game_id=quick.id,
            player_id="anna",
            player="Anna",
            is_named=False,
            status=Status.WON,
            actions=quick.version,
            moves=quick.moves,
            seconds=quick.version,
        )
    ]


async def test_results_know_who_has_claimed_a_name(
    database: Database, play: GameService, sharing: SharingService
) -> None:
    won = await played(play, "anna", "bristol-won")
    await acting(play, await play.start("ben", "bristol", won.code), "deal", "resign")
    account = {"player_id": "ben", "name_key": "ben", "password_hash": "", "claimed_ms": 0}
    with database.engine.begin() as connection:
        connection.execute(insert(accounts), account)
    results = await sharing.results(sharing.deal("bristol", str(won.code)), "ben")
    assert results
    assert [(result.player, result.is_named) for result in results] == [
        ("Anna", False),
        ("Ben", True),
    ]


async def test_a_game_without_a_move_is_no_result(
    play: GameService, sharing: SharingService
) -> None:
    won = await played(play, "anna", "bristol-won")
    await acting(play, await play.start("ben", "bristol", won.code), "resign")
    results = await sharing.results(sharing.deal("bristol", str(won.code)), "ben")
    assert results
    assert [result.player for result in results] == ["Anna"]
    await acting(play, await play.start("ben", "bristol", CODE), "resign")
    assert await sharing.results(sharing.deal("bristol", CODE), "ben") == []


async def test_equals_share_a_place(database: Database, sharing: SharingService) -> None:
    play = GameService(database, clock=lambda: 0)
    for player in ("anna", "ben"):
        game = await played(play, player, "bristol-won")
    results = await sharing.results(sharing.deal("bristol", str(game.code)), "ben")
    assert results
    assert [result.place for result in results] == [1, 1]


async def test_other_deals_and_unfinished_games_are_not_results(
    play: GameService, sharing: SharingService
) -> None:
    won = await played(play, "anna", "bristol-won")
    await play.start("ben", "bristol", won.code)
    await acting(play, await play.start("ben", "bristol", CODE), "resign")
    await acting(play, await play.start("ben", "signora", won.code), "resign")
    results = await sharing.results(sharing.deal("bristol", str(won.code)), "anna")
    assert results
    assert [result.player for result in results] == ["Anna"]


async def test_forks_and_records_are_no_results(play: GameService, sharing: SharingService) -> None:
    won = await played(play, "anna", "bristol-won")
    deal = sharing.deal("bristol", str(won.code))
    fork = await sharing.fork("ben", won.id, won.version - 1)
    await acting(play, fork, golden("bristol-won").moves[-1])
    await sharing.import_record("ben", await sharing.record(won.id, "ben"))
    assert await sharing.results(deal, "ben") is None
    results = await sharing.results(deal, "anna")
    assert results
    assert [result.player for result in results] == ["Anna"]


# --- replays


async def test_a_replay_is_every_table_of_the_game(
    play: GameService, sharing: SharingService
) -> None:
    won = await played(play, "anna", "signora-won")
    finished = await sharing.finished_game(won.id, None)
    assert finished.replay.last == won.version
    for version in (0, 1, won.version // 2, won.version):
        seen = await play.log.load_at(won.id, version)
        assert state_of(finished.replay.game_at(version)) == state_of(seen)


async def test_an_unfinished_game_has_no_replay(play: GameService, sharing: SharingService) -> None:
    game = await play.start("anna", "bristol", CODE)
    for viewer in ("anna", "ben", None):
        with pytest.raises(StillPlayedError):
            await sharing.finished_game(game.id, viewer)
    with pytest.raises(GameNotFoundError):
        await sharing.finished_game("nothing", None)


async def test_the_replay_of_a_lost_game_closes_while_it_is_played_on(
    play: GameService, sharing: SharingService
) -> None:
    lost = await played(play, "anna", "bristol-lost")
    assert lost.status is Status.LOST
    assert (await sharing.finished_game(lost.id, None)).replay.last == lost.version
    await acting(play, lost, "undo")
    with pytest.raises(StillPlayedError):
        await sharing.finished_game(lost.id, None)


async def test_a_sealed_game_is_shown_to_its_player_alone_until_the_deal_is_published(
    database: Database, play: GameService, sharing: SharingService
) -> None:
    game = await acting(play, await sealed(play), "deal", "resign")
    assert (await sharing.finished_game(game.id, "anna")).replay.last == 2
    publish(database, closed_ms=None)
    for viewer in ("ben", None):
        with pytest.raises(SecretDealError):
            await sharing.finished_game(game.id, viewer)
        with pytest.raises(SecretDealError):
            await sharing.record(game.id, viewer)
    with pytest.raises(SecretDealError):
        await sharing.fork("anna", game.id, 1)


async def test_a_published_deal_is_open_to_all(
    database: Database, play: GameService, sharing: SharingService
) -> None:
    game = await acting(play, await sealed(play), "deal", "resign")
    publish(database)
    assert (await sharing.finished_game(game.id, None)).replay.last == 2
    deck = parse_record(await sharing.record(game.id, None)).record.deal
    assert deck == deck_of_seed(SEED, 1)
    fork = await sharing.fork("ben", game.id, 1)
    assert fork.position == (await play.log.load_at(game.id, 1)).position
    await acting(play, fork, "deal")


# --- forks


async def test_a_fork_begins_with_the_moves_that_lead_there(
    database: Database, play: GameService, sharing: SharingService
) -> None:
    won = await played(play, "anna", "bristol-won", "deal", "undo")
    fork = await sharing.fork("ben", won.id, 12)
    moves = golden("bristol-won").moves[:10]
    log = await play.log.events(fork.id)
    assert [entry.action for entry in log] == moves
    assert {entry.actor_id for entry in log} == {"ben"}
    assert (fork.owner_id, fork.version, fork.status) == ("ben", 10, Status.PLAYING)
    assert fork.kind is Kind.OPEN
    assert fork.position == (await play.log.load_at(won.id, 12)).position
    assert state_of(await GameService(database).log.load(fork.id)) == state_of(fork)
    found = await database.read(lambda connection: connection.execute(select(origins)).one())
    assert tuple(found) == (fork.id, won.id, 12)


async def test_a_fork_beyond_the_limit_of_actions_is_refused(
    play: GameService, sharing: SharingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    won = await played(play, "anna", "bristol-won")
    monkeypatch.setattr("app.sharing.service.MAX_ACTIONS", 10)
    for step in (12, won.version - 1):
        with pytest.raises(GameFullError, match="By this step, the game has 10 moves"):
            await sharing.fork("ben", won.id, step)
    assert (await sharing.fork("ben", won.id, 8)).version < 10


async def test_a_fork_is_independent_of_its_origin(
    play: GameService, sharing: SharingService
) -> None:
    won = await played(play, "anna", "bristol-won")
    fork = await sharing.fork("ben", won.id, 0)
    fork = await acting(play, fork, *golden("bristol-won").moves)
    assert fork.status is Status.WON
    assert (await play.log.load(won.id)).version == won.version


async def test_what_was_hidden_stays_hidden_in_a_fork(
    play: GameService, sharing: SharingService
) -> None:
    won = await played(play, "anna", "rouge-et-noir-won")
    for at in (0, 1, won.version // 2):
        fork = await sharing.fork("ben", won.id, at)
        piles = state_of(fork)["piles"]
        assert piles == state_of(await play.log.load_at(won.id, at))["piles"]
        assert None in piles["stock"]["cards"] + piles["t1"]["cards"]


async def test_a_fork_of_a_given_up_game_is_played_on_from_its_end(
    play: GameService, sharing: SharingService
) -> None:
    game = await acting(play, await play.start("anna", "bristol", CODE), "deal", "resign")
    fork = await sharing.fork("anna", game.id, 2)
    assert (fork.version, fork.status) == (1, Status.PLAYING)


async def test_a_fork_of_a_lost_position_can_be_undone(
    play: GameService, sharing: SharingService
) -> None:
    lost = await played(play, "anna", "bristol-lost")
    fork = await sharing.fork("ben", lost.id, lost.version)
    assert fork.status is Status.LOST
    assert (await play.log.list_recent("ben", 1))[0].status == Status.LOST  # as it is stored, too
    assert (await acting(play, fork, "undo")).status is Status.PLAYING


async def test_there_is_nothing_to_play_on_when_all_cards_are_home(
    play: GameService, sharing: SharingService
) -> None:
    won = await played(play, "anna", "bristol-won")
    with pytest.raises(ConflictError):
        await sharing.fork("ben", won.id, won.version)
    for step in (-1, won.version + 1):
        with pytest.raises(MalformedError):
            await sharing.fork("ben", won.id, step)


# --- records


@pytest.mark.parametrize("name", WON)
async def test_a_record_brings_the_very_same_game_back(
    play: GameService, sharing: SharingService, name: str
) -> None:
    won = await played(play, "anna", name)
    brought = await sharing.import_record("ben", await sharing.record(won.id, "ben"))
    assert (brought.owner_id, brought.status, brought.code) == ("ben", Status.WON, won.code)
    assert brought.kind is Kind.OPEN
    assert brought.version == won.version
    assert brought.position == won.position


async def test_an_unfinished_game_can_be_taken_along_and_played_on(
    play: GameService, sharing: SharingService
) -> None:
    game = await acting(play, await play.start("anna", "bristol", CODE), "deal", "deal", "undo")
    brought = await sharing.import_record("ben", await sharing.record(game.id, None))
    assert (brought.version, brought.can_redo) == (3, True)
    await acting(play, brought, "redo", "undo", "restart")


async def test_a_record_of_a_given_up_game_ends_where_it_ended(
    play: GameService, sharing: SharingService
) -> None:
    game = await acting(play, await play.start("anna", "bristol", CODE), "deal", "resign")
    record = await sharing.record(game.id, None)
    assert (await sharing.import_record("ben", record)).status is Status.RESIGNED
    with pytest.raises(BadRecordError, match=r"Line \d+: The game was over after move 2\."):
        await sharing.import_record("ben", f"{record}3. deal\n")


async def test_a_deck_that_no_code_leads_to_can_be_brought_and_taken_along(
    database: Database, play: GameService, sharing: SharingService
) -> None:
    deck = " ".join(card.text for card in deck_of_seed(SEED, 1))
    brought = await sharing.import_record("ben", f"Game: bristol\nDeck: {deck}\n1. deal\n")
    assert brought.code is None
    assert brought.position == (await acting(play, await sealed(play), "deal")).position
    other = SharingService(database, GameService(database))
    record = await other.record(brought.id, None)
    assert parse_record(record).record.deal == deck_of_seed(SEED, 1)
    again = await other.import_record("anna", record)
    assert again.position == brought.position


async def test_a_record_says_what_was_moved_and_dealt(
    play: GameService, sharing: SharingService
) -> None:
    game = await play.start("anna", "bristol", CODE)
    stock = game.position.piles[0].cards
    dealt = " ".join(card.text for card in reversed(stock[-3:]))
    record = await sharing.record((await acting(play, game, "deal")).id, None)
    assert record.splitlines()[-1] == f"1. deal          ; {dealt}"
    assert "Player: Anna\n" in record
    assert "Result: playing after 1 action\n" in record


async def test_the_record_of_a_secret_deal_does_not_tell_it(
    play: GameService, sharing: SharingService
) -> None:
    game = await acting(play, await sealed(play), "deal")
    record = await sharing.record(game.id, "anna")
    assert parse_record(record).record.deal is None
    assert "Deal" not in record
    assert "Deck" not in record
    visible = {card.text for pile in game.position.piles for card in pile.face_up}
    assert {word for word in record.split() if len(word) == 2 and word.isupper()} <= visible
    with pytest.raises(BadRecordError, match="no deal and no deck"):
        await sharing.import_record("ben", record)


@pytest.mark.parametrize("rules", UNLIKE_WITH_HIDDEN_CARDS, ids=lambda rules: rules.id)
async def test_what_is_exported_of_a_secret_deal_depends_on_visible_cards_alone(
    database: Database, monkeypatch: pytest.MonkeyPatch, rules: Ruleset
) -> None:
    play = GameService(database, clock=lambda: 0)
    sharing = SharingService(database, play)
    deck = deck_of_seed(SEED, rules.decks)
    history = History.start(rules, deck)
    for _ in range(3):
        history = history.apply(legal_actions(rules, history.position)[-1])
    actions = [str(action) for action in history.actions()]
    records, positions, replays = [], [], []
    for dealt in (deck, look_alike_decks(rules, deck, actions)):
        monkeypatch.setattr("app.games.lookup.deck_of_seed", lambda _seed, _decks, d=dealt: d)
        game = await play.deal_out("anna", rules, SEED, Kind.DAILY)
        game = await acting(play, game, *actions)
        records.append(await sharing.record(game.id, "anna"))
        positions.append(game.position)
        finished = await sharing.finished_game((await acting(play, game, "resign")).id, "anna")
        replays.append([replay_view(finished, "", at).zones for at in range(finished.replay.last)])
    assert positions[0] != positions[1]
    assert records[0] == records[1]
    assert replays[0] == replays[1]


@pytest.mark.parametrize(
    ("moves", "complaint"),
    [
        ("1. t1-t1\n", "Line 3: Move 1, t1-t1: "),
        ("1. deal\n2. redo\n", "Line 4: Move 2, redo: There is nothing to redo."),
        ("1. undo\n", "Line 3: Move 1, undo: There is nothing to undo."),
        ("Result: won\n1. deal\n", "Line 3: The result says won, but these moves end in: playing."),
    ],
)
async def test_a_record_that_does_not_play_names_its_line(
    database: Database, sharing: SharingService, moves: str, complaint: str
) -> None:
    with pytest.raises(BadRecordError) as caught:
        await sharing.import_record("anna", f"Game: bristol\nDeal: {CODE}\n{moves}")
    assert caught.value.detail.startswith(complaint)
    assert caught.value.members == {"line": caught.value.line}

    def count(connection: Connection) -> int:
        return len(connection.execute(select(events)).all())

    assert await database.read(count) == 0


async def test_a_huge_record_is_brought_whole(play: GameService, sharing: SharingService) -> None:
    moves = "".join(f"{n}. {'undo' if n % 2 == 0 else 'deal'}\n" for n in range(1, 2502))
    brought = await sharing.import_record("anna", f"Game: bristol\nDeal: {CODE}\n{moves}")
    assert (brought.version, brought.history.depth) == (2501, 1)
    await acting(play, brought, "undo", "redo")


async def test_an_endless_record_is_refused(sharing: SharingService) -> None:
    moves = "".join(f"{n}. {'undo' if n % 2 == 0 else 'deal'}\n" for n in range(1, 5_002))
    with pytest.raises(BadRecordError, match="Line 5003: A game has at most 5,000 moves"):
        await sharing.import_record("anna", f"Game: bristol\nDeal: {CODE}\n{moves}")
