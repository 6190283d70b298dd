"""The state and the rules of a race room, by example and with random commands."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.errors import AppError, ConflictError
from app.races import course, decisions
from app.races.errors import (
    NotHostError,
    NotInRaceError,
    RemovedError,
    RoomClosedError,
    RoomFrozenError,
    TooFewReadyError,
    TooManyChangesError,
    TooSoonError,
)
from app.races.events import (
    Event,
    Finished,
    GameEnding,
    Joined,
    Opened,
    event_facts,
    event_word,
    parse_event,
)
from app.races.limits import (
    ABANDONED_MS,
    ABSENT_HOST_MS,
    COUNTDOWN_MS,
    FAIR_START_MS,
    MAX_DEALS,
    MAX_LOBBY_EVENTS,
    MAX_SEATS,
)
from app.races.ranking import rank_racers, why_unranked
from app.races.room import Phase, Room

NOON = 1_773_144_000_000
CHOICE = decisions.RaceOptions("signora", 1, 15, "b" * 64, is_proven=True)


def a_room(host: str = "anna") -> Room:
    opened = Opened(
        at_ms=NOON,
        player_id=host,
        ruleset="bristol",
        revision=1,
        minutes=10,
        commitment="a" * 64,
        name="",
    )
    return Room.opened("ABC234", opened)


def after(room: Room, events: tuple[Event, ...]) -> Room:
    for event in events:
        room = room.after(event)
    return room


def a_race(*players: str) -> Room:
    """A race among players, just dealt; each game is called after its player."""
    room = a_room(players[0])
    for player in players[1:]:
        room = after(room, decisions.join(room, player, NOON))
    for player in players:
        room = after(room, decisions.ready(room, player, NOON, is_ready=True))
    room = after(room, decisions.start(room, players[0], NOON))
    return after(room, course.deal(room, {player: f"game of {player}" for player in players}))


def a_result(
    player: str, ending: GameEnding, ms: int, actions: int = 50, home: int = 52
) -> Finished:
    return Finished(
        at_ms=NOON + COUNTDOWN_MS + ms,
        player_id=player,
        game_id=f"game of {player}",
        ending=ending,
        elapsed_ms=ms,
        actions=actions,
        home=home,
        reached_ms=ms,
    )


def finished(room: Room, *results: Finished) -> Room:
    for result in results:
        room = after(room, course.finish(room, result))
    return room


def ranks(room: Room) -> list[tuple[int, str]]:
    return [(one.rank, one.seat.player_id) for one in rank_racers(room)]


def test_wins_rank_by_whole_seconds_then_actions_then_tie():
    room = finished(
        a_race("anna", "ben", "cleo", "dora", "emil"),
        a_result("anna", GameEnding.WON, 61_999, 80),
        a_result("ben", GameEnding.WON, 61_000, 80),
        a_result("cleo", GameEnding.WON, 61_500, 79),
        a_result("dora", GameEnding.WON, 60_000, 300),
        a_result("emil", GameEnding.RESIGNED, 5_000, home=51),
    )
    assert ranks(room) == [(1, "dora"), (2, "cleo"), (3, "anna"), (3, "ben"), (5, "emil")]
    assert room.phase is Phase.ENDED


def test_without_a_win_cards_home_then_time_count():
    room = finished(
        a_race("anna", "ben", "cleo", "dora"),
        a_result("anna", GameEnding.TIME, 90_000, home=20),
        a_result("ben", GameEnding.IDLE, 80_000, home=20),
        a_result("cleo", GameEnding.RESIGNED, 80_700, home=20),
        a_result("dora", GameEnding.STUCK, 1_000, home=3),
    )
    assert ranks(room) == [(1, "ben"), (1, "cleo"), (3, "anna"), (4, "dora")]


def test_the_race_ends_with_its_last_game():
    room = finished(a_race("anna", "ben"), a_result("anna", GameEnding.WON, 60_000))
    assert room.phase is Phase.RACING
    room = finished(room, a_result("ben", GameEnding.WON, 59_000))
    assert room.end
    assert room.end.at_ms == NOON + COUNTDOWN_MS + 60_000


def test_a_game_is_recorded_once():
    room = finished(a_race("anna", "ben"), a_result("anna", GameEnding.WON, 60_000))
    assert course.finish(room, a_result("anna", GameEnding.RESIGNED, 70_000)) == ()


def test_start_pressed_twice_starts_once():
    room = a_room()
    room = after(room, decisions.join(room, "ben", NOON))
    for player in ("anna", "ben"):
        room = after(room, decisions.ready(room, player, NOON, is_ready=True))
    room = after(room, decisions.start(room, "anna", NOON))
    assert room.start_ms == NOON + COUNTDOWN_MS
    assert decisions.start(room, "anna", NOON + 4_000) == ()
    room = after(room, course.deal(room, {"anna": "a", "ben": "b"}))
    assert decisions.start(room, "anna", NOON + 9_000) == ()


def test_starting_requires_two_ready_players():
    room = a_room()
    for player in ("ben", "cleo"):
        room = after(room, decisions.join(room, player, NOON))
        room = after(room, decisions.ready(room, player, NOON, is_ready=False))
    with pytest.raises(TooFewReadyError):
        decisions.start(room, "anna", NOON)
    room = after(room, decisions.ready(room, "anna", NOON, is_ready=True))
    with pytest.raises(TooFewReadyError):
        decisions.start(room, "anna", NOON)
    room = after(room, decisions.ready(room, "cleo", NOON, is_ready=True))
    with pytest.raises(NotHostError):
        decisions.start(room, "cleo", NOON)
    room = after(room, decisions.start(room, "anna", NOON))
    assert [seat.player_id for seat in room.racers] == ["anna", "cleo"]


def test_strangers_see_each_other_for_a_moment_before_their_race_starts():
    room = after(a_room(), decisions.set_listed(a_room(), "anna", NOON, is_listed=True))
    room = after(room, decisions.join(room, "ben", NOON))
    room = after(room, decisions.join(room, "cleo", NOON + 1000))
    # To take the race off the list makes strangers no friends.
    room = after(room, decisions.set_listed(room, "anna", NOON + 1000, is_listed=False))
    soon = NOON + 1000 + FAIR_START_MS
    with pytest.raises(TooSoonError):
        decisions.start(room, "anna", soon - 1)
    assert decisions.start(room, "anna", soon)
    # Nor does a host choose among them, and start at once.
    room = after(room, decisions.remove(room, "anna", soon, number=3))
    with pytest.raises(TooSoonError):
        decisions.start(room, "anna", soon + FAIR_START_MS - 1)
    assert decisions.start(room, "anna", soon + FAIR_START_MS)


def test_to_join_or_to_start_is_to_be_ready():
    room = after(a_room(), decisions.join(a_room(), "ben", NOON))
    room = after(room, decisions.start(room, "anna", NOON))
    assert [seat.player_id for seat in room.racers] == ["anna", "ben"]


def test_in_a_log_of_before_who_joined_is_not_ready_yet():
    room = a_room().after(Joined(at_ms=NOON, player_id="ben", name=""))
    with pytest.raises(TooFewReadyError):
        decisions.start(room, "anna", NOON)


def test_options_are_frozen_once_another_player_has_joined():
    room = after(a_room(), decisions.change_options(a_room(), "anna", NOON, CHOICE))
    assert (room.ruleset, room.minutes, room.commitment) == ("signora", 15, "b" * 64)
    room = after(room, decisions.join(room, "ben", NOON))
    room = after(room, decisions.leave(room, "ben", NOON))
    with pytest.raises(RoomFrozenError):
        decisions.change_options(room, "anna", NOON, CHOICE)


def test_the_longest_seated_player_becomes_host():
    room = a_room()
    for player in ("ben", "cleo"):
        room = after(room, decisions.join(room, player, NOON))
    room = after(room, decisions.leave(room, "anna", NOON))
    assert room.host_id == "ben"
    room = after(room, decisions.join(room, "anna", NOON))
    room = after(room, decisions.leave(room, "ben", NOON))
    assert room.host_id == "cleo"


def test_an_absent_host_is_replaced_after_a_minute_and_a_half():
    room = after(a_room(), decisions.join(a_room(), "ben", NOON))
    last_seen = {"anna": NOON, "ben": NOON + 89_000}
    assert course.settle(room, NOON + 89_000, last_seen) == ()
    last_seen["ben"] = NOON + 90_000
    room = after(room, course.settle(room, NOON + 90_000, last_seen))
    assert room.host_id == "ben"


def test_an_abandoned_room_ends_after_ten_minutes():
    room = a_room()
    seen = {"anna": NOON + 1_000}
    assert course.settle(room, NOON + ABANDONED_MS, seen) == ()
    room = after(room, course.settle(room, NOON + 2 * ABANDONED_MS, seen))
    assert room.end
    assert room.end.is_deserted
    assert room.end.at_ms == NOON + 1_000 + ABANDONED_MS
    with pytest.raises(RoomClosedError):
        decisions.join(room, "ben", NOON + 2 * ABANDONED_MS)


def test_removed_players_and_locked_rooms():
    room = after(a_room(), decisions.join(a_room(), "mallory", NOON))
    room = after(room, decisions.remove(room, "anna", NOON, 2))
    with pytest.raises(RemovedError):
        decisions.join(room, "mallory", NOON)
    room = after(room, decisions.join(room, "mallory again", NOON))
    room = after(room, decisions.remove(room, "anna", NOON, 3))
    room = after(room, decisions.set_locked(room, "anna", NOON, is_locked=True))
    with pytest.raises(RoomClosedError):
        decisions.join(room, "mallory once more", NOON)


def test_too_few_players_cancel_the_countdown():
    room = a_room()
    room = after(room, decisions.join(room, "ben", NOON))
    for player in ("anna", "ben"):
        room = after(room, decisions.ready(room, player, NOON, is_ready=True))
    room = after(room, decisions.start(room, "anna", NOON))
    room = after(room, decisions.leave(room, "ben", NOON + 1_000))
    assert room.phase is Phase.LOBBY
    assert room.racers == []
    with pytest.raises(TooFewReadyError):
        decisions.start(room, "anna", NOON + 2_000)


def test_leaving_requires_giving_up_a_game_in_progress():
    room = a_race("anna", "ben")
    with pytest.raises(ConflictError):
        decisions.leave(room, "anna", NOON + 9_000)
    room = finished(room, a_result("anna", GameEnding.RESIGNED, 9_000))
    room = after(room, decisions.leave(room, "anna", NOON + 15_000))
    assert room.host_id == "ben"
    assert ranks(room) == [(1, "anna")]


def test_account_merge_moves_the_seat():
    room = after(
        a_race("gus", "ben"), decisions.merge_player(a_race("gus", "ben"), "gus", "anna", NOON)
    )
    seat = room.seat_of("anna")
    assert seat
    assert seat.game_id == "game of gus"
    assert room.seat_of("gus") is None
    assert room.host_id == "anna"
    room = finished(room, a_result("gus", GameEnding.WON, 60_000))
    assert ranks(room) == [(1, "anna")]


def test_removed_player_does_not_return_by_account_merge():
    room = after(a_room(), decisions.join(a_room(), "mallory", NOON))
    room = after(room, decisions.remove(room, "anna", NOON, 2))
    room = after(room, decisions.join(room, "a new guest", NOON))
    room = after(room, decisions.merge_player(room, "a new guest", "mallory", NOON))
    assert [seat.player_id for seat in room.present] == ["anna"]


def test_account_merge_gives_no_second_seat():
    room = a_race("anna", "gus")
    room = after(room, decisions.merge_player(room, "gus", "anna", NOON))
    assert [seat.player_id for seat in room.present] == ["anna"]
    seat = room.seat_of("anna")
    assert seat
    assert seat.game_id == "game of anna"


def test_a_full_room_is_closed():
    room = a_room()
    for number in range(MAX_SEATS - 1):
        room = after(room, decisions.join(room, f"guest {number}", NOON))
    with pytest.raises(RoomClosedError):
        decisions.join(room, "one more", NOON)


def test_game_deadline_is_five_idle_minutes_or_the_time_limit():
    room = a_race("anna", "ben")
    start = NOON + COUNTDOWN_MS
    assert room.game_deadline_ms(0) == start + 300_000
    assert room.game_deadline_ms(start + 100_000) == start + 400_000
    assert room.game_deadline_ms(start + 400_000) == start + 600_000


def worn_out(room: Room, player: str) -> Room:
    """The room after a player has changed their mind as often as the room takes."""
    while room.version < MAX_LOBBY_EVENTS:
        seat = room.seat_of(player)
        assert seat
        is_ready = not seat.is_ready
        room = after(room, decisions.ready(room, player, NOON, is_ready=is_ready))
    return room


def test_a_room_that_has_changed_too_often_can_only_be_raced_or_left():
    room = after(a_room(), decisions.join(a_room(), "ben", NOON))
    room = worn_out(after(room, decisions.join(room, "cleo", NOON)), "cleo")
    seat = room.seat_of("cleo")
    assert seat
    asks: list[Callable[[], object]] = [
        lambda: decisions.ready(room, "cleo", NOON, is_ready=not seat.is_ready),
        lambda: decisions.set_locked(room, "anna", NOON, is_locked=True),
        lambda: decisions.set_listed(room, "anna", NOON, is_listed=True),
        lambda: decisions.join(room, "dora", NOON),
    ]
    for ask in asks:
        with pytest.raises(TooManyChangesError, match="Start a new one"):
            ask()
    assert not room.has_place
    assert decisions.join(room, "ben", NOON) == ()
    left = after(room, decisions.leave(room, "cleo", NOON))
    started = after(left, decisions.start(left, "anna", NOON))
    raced = after(started, course.deal(started, {p: f"game of {p}" for p in ("anna", "ben")}))
    raced = finished(
        raced, a_result("anna", GameEnding.RESIGNED, 9_000), a_result("ben", GameEnding.WON, 60_000)
    )
    assert raced.phase is Phase.ENDED


def test_a_host_alone_can_wear_a_room_out_no_further():
    room = worn_out(a_room(), "anna")
    with pytest.raises(TooManyChangesError):
        decisions.change_options(room, "anna", NOON, CHOICE)


def test_to_choose_what_is_chosen_already_changes_nothing():
    room = after(a_room(), decisions.change_options(a_room(), "anna", NOON, CHOICE))
    assert decisions.change_options(room, "anna", NOON, CHOICE) == ()


def test_a_room_has_only_so_many_deals_and_the_time_limit_needs_none():
    room = a_room()
    for number in range(1, MAX_DEALS):
        choice = CHOICE._replace(commitment=str(number) * 64)
        room = after(room, decisions.change_options(room, "anna", NOON, choice))
    with pytest.raises(TooManyChangesError):
        decisions.change_options(room, "anna", NOON, CHOICE)
    longer = choice._replace(minutes=30)
    room = after(room, decisions.change_options(room, "anna", NOON, longer))
    assert (room.minutes, room.deals) == (30, MAX_DEALS)


def test_in_a_full_listed_race_who_is_away_longest_makes_room():
    room = after(a_room(), decisions.set_listed(a_room(), "anna", NOON, is_listed=True))
    guests = [f"guest {number}" for number in range(MAX_SEATS - 1)]
    now = NOON + ABSENT_HOST_MS
    seen = {**dict.fromkeys(["anna", *guests], now), guests[4]: NOON, guests[6]: NOON - 1}
    for guest in guests:
        assert course.settle(room, now, seen) == ()
        room = after(room, decisions.join(room, guest, NOON))
    unlisted = after(room, decisions.set_listed(room, "anna", NOON, is_listed=False))
    assert course.settle(unlisted, now, seen) == ()
    room = after(room, course.settle(room, now, seen))
    gone = [seat.player_id for seat in room.seats if seat.is_gone]
    assert gone == [guests[6]]
    assert course.settle(room, now, seen) == ()


def test_commands_of_strangers_are_refused():
    room = a_room()
    asks: list[Callable[[], object]] = [
        lambda: decisions.ready(room, "mallory", NOON, is_ready=True),
        lambda: decisions.leave(room, "mallory", NOON),
        lambda: decisions.start(room, "mallory", NOON),
        lambda: decisions.remove(room, "mallory", NOON, 1),
    ]
    for ask in asks:
        with pytest.raises(NotInRaceError):
            ask()


PLAYERS = [f"p{number}" for number in range(13)]


class RoomMachine(RuleBasedStateMachine):
    """Anybody does anything at any time."""

    @initialize()
    def open_the_room(self) -> None:
        self.room = a_room(PLAYERS[0])
        self.log: list[Event] = [
            Opened(
                at_ms=NOON,
                player_id=PLAYERS[0],
                ruleset="bristol",
                revision=1,
                minutes=10,
                commitment="a" * 64,
                name="",
            )
        ]
        self.now = NOON
        self.seen = {PLAYERS[0]: NOON}
        self.was_frozen = False
        self.race: list[str | None] = []

    def attempt(self, decide: Callable[[], tuple[Event, ...]]) -> None:
        before = self.room
        try:
            events = decide()
        except AppError:
            return
        self.log += events
        self.room = after(self.room, events)
        if before.end:
            assert not any(isinstance(event, Finished) for event in events)

    @rule(seconds=st.sampled_from([0, 1, 4, 6, 20, 70, 400, 700]))
    def wait(self, seconds: int) -> None:
        self.now += seconds * 1000

    @rule(player=st.sampled_from(PLAYERS))
    def join(self, player: str) -> None:
        self.seen[player] = self.now
        self.attempt(lambda: decisions.join(self.room, player, self.now))

    @rule(player=st.sampled_from(PLAYERS), is_ready=st.booleans())
    def ready(self, player: str, is_ready: bool) -> None:
        self.attempt(lambda: decisions.ready(self.room, player, self.now, is_ready=is_ready))

    @rule(player=st.sampled_from(PLAYERS))
    def leave(self, player: str) -> None:
        self.attempt(lambda: decisions.leave(self.room, player, self.now))

    @rule(player=st.sampled_from(PLAYERS), number=st.integers(1, 13))
    def remove(self, player: str, number: int) -> None:
        self.attempt(lambda: decisions.remove(self.room, player, self.now, number))

    @rule(is_locked=st.booleans())
    def set_locked(self, is_locked: bool) -> None:
        host = self.room.host_id
        self.attempt(lambda: decisions.set_locked(self.room, host, self.now, is_locked=is_locked))

    @rule(player=st.sampled_from(PLAYERS))
    def change(self, player: str) -> None:
        self.attempt(lambda: decisions.change_options(self.room, player, self.now, CHOICE))

    @rule()
    def start(self) -> None:
        host = self.room.host_id
        self.attempt(lambda: decisions.start(self.room, host, self.now))
        if self.room.start_ms and not self.room.end:
            assert decisions.start(self.room, host, self.now) == ()

    @precondition(lambda self: self.room.phase is Phase.COUNTDOWN)
    @rule()
    def deal(self) -> None:
        games = {seat.player_id: f"game of {seat.number}" for seat in self.room.racers}
        self.attempt(lambda: course.deal(self.room, games))
        self.race = [seat.game_id for seat in self.room.racers]

    @precondition(lambda self: self.race)
    @rule(
        pick=st.integers(0, 9),
        ending=st.sampled_from(GameEnding),
        ms=st.integers(0, 5_000),
        home=st.integers(0, 3),
    )
    def finish(self, pick: int, ending: GameEnding, ms: int, home: int) -> None:
        game = self.race[pick % len(self.race)]
        seat = self.room.seat_at(game or "")
        assert seat
        result = Finished(
            at_ms=self.now,
            player_id=seat.player_id,
            game_id=game or "",
            ending=ending,
            elapsed_ms=ms,
            actions=home,
            home=home,
            reached_ms=ms,
        )
        self.attempt(lambda: course.finish(self.room, result))

    @rule(old=st.sampled_from(PLAYERS), new=st.sampled_from(PLAYERS))
    def merge_player(self, old: str, new: str) -> None:
        if old != new:
            self.seen[new] = self.now
            self.attempt(lambda: decisions.merge_player(self.room, old, new, self.now))

    @rule()
    def settle(self) -> None:
        self.attempt(lambda: course.settle(self.room, self.now, self.seen))
        assert course.settle(self.room, self.now, self.seen) == ()

    @invariant()
    def the_log_tells_it_all(self) -> None:
        written = [(event_word(e), e.at_ms, e.player_id, event_facts(e)) for e in self.log]
        assert Room.replay("ABC234", [parse_event(*row) for row in written]) == self.room
        assert self.room.version == len(self.log)

    @invariant()
    def seats_are_in_order(self) -> None:
        room = self.room
        assert len(room.present) <= MAX_SEATS
        assert len({seat.player_id for seat in room.seats}) == len(room.seats)
        assert len({seat.number for seat in room.seats}) == len(room.seats)
        if room.present:
            assert room.host_id in {seat.player_id for seat in room.present}
        assert not any(seat.is_gone and seat.player_id not in PLAYERS for seat in room.seats)
        assert not {seat.player_id for seat in room.present} & room.removed_ids or self.race

    @invariant()
    def what_is_settled_stays_settled(self) -> None:
        assert self.room.is_frozen >= self.was_frozen
        self.was_frozen = self.room.is_frozen
        if self.race:
            assert [seat.game_id for seat in self.room.racers] == self.race
        if self.room.phase is Phase.COUNTDOWN:
            assert len(self.room.racers) >= 2

    @invariant()
    def ranks_are_shared_and_without_gaps(self) -> None:
        found = [one.rank for one in rank_racers(self.room)]
        assert all(rank <= number for number, rank in enumerate(found, start=1))
        assert found == sorted(found)
        assert all(
            rank in {1, number} or found[number - 2] == rank
            for number, rank in enumerate(found, start=1)
        )
        if self.room.end and self.race:
            assert len(found) == (0 if why_unranked(self.room) else len(self.race))


TestRoom = RoomMachine.TestCase
