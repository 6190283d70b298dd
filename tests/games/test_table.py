from __future__ import annotations

import pytest

from app.engine.history import Line
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import IllegalActionError
from app.games.model import Entry, Status, Table, UnknownRevisionError, stored_spec
from app.rulesets import find_game

CODE = parse_code("7KQ4M-2XWTP")


@pytest.fixture
def table() -> Table:
    spec = find_game("bristol")
    assert spec
    line = Line.start(spec, deck_of_code(CODE, 1))
    return Table.start(game_id="g", line=line, code=CODE, owner_id="anna", at_ms=1000)


def entry(action: str, at_ms: int = 2000, key: str | None = None) -> Entry:
    return Entry(action=action, at_ms=at_ms, actor_id="anna", key=key)


def test_every_accepted_action_raises_the_version_and_counts(table: Table) -> None:
    for number, action in enumerate(["deal", "undo", "redo", "restart", "redo", "resign"], start=1):
        table = table.after(entry(action))
        assert table.version == table.actions == number


def test_restart_goes_to_the_opening_and_redo_brings_everything_back(table: Table) -> None:
    opening = table.position
    played = table.after(entry("deal")).after(entry("deal"))
    restarted = played.after(entry("restart"))
    assert restarted.position == opening
    assert restarted.after(entry("redo")).after(entry("redo")).position == played.position


def test_the_time_of_a_table_is_that_of_its_log(table: Table) -> None:
    assert table.elapsed_ms == 0
    assert table.after(entry("deal", at_ms=4500)).elapsed_ms == 3500


def test_a_clock_set_back_does_not_run_the_game_backwards(table: Table) -> None:
    table = table.after(entry("deal", at_ms=5000)).after(entry("deal", at_ms=10))
    assert table.elapsed_ms == 4000


def test_resigning_ends_the_game_for_good(table: Table) -> None:
    table = table.after(entry("deal")).after(entry("resign"))
    assert table.status is Status.RESIGNED
    assert table.is_over
    assert not table.can_undo


def test_a_table_remembers_which_key_made_which_version(table: Table) -> None:
    table = (
        table.after(entry("deal", key="one")).after(entry("deal")).after(entry("undo", key="two"))
    )
    assert table.keys == {"one": 1, "two": 3}


@pytest.mark.parametrize("turn", ["undo", "redo", "restart"])
def test_a_turn_that_is_not_possible_says_so(table: Table, turn: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        table.after(entry(turn))


def test_an_illegal_move_names_its_rule(table: Table) -> None:
    with pytest.raises(IllegalActionError):
        table.after(entry("t1-t1"))


def test_an_unknown_revision_is_said_plainly() -> None:
    with pytest.raises(UnknownRevisionError, match="revision 99 of bristol"):
        stored_spec("bristol", 99)
