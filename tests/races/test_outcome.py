"""What the end of a race says: to the first, the others, who resigned and who watched; and while others still play."""

from __future__ import annotations

import pytest

from app.engine.transition import cards_home
from app.races.limits import IDLE_MS
from app.races.outcome import RaceOutcome, last_one, outcome, outcome_of_game, outcome_so_far
from tests.support.races import RaceServer, winning_moves

pytestmark = pytest.mark.anyio

CARDS = 52


async def told(server: RaceServer, code: str, viewer_id: str | None) -> RaceOutcome | None:
    server.races.lookup.forget(code)
    return outcome(await server.races.snapshot(code), CARDS, viewer_id)


async def told_at_the_table(server: RaceServer, code: str, player_id: str) -> RaceOutcome | None:
    server.races.lookup.forget(code)
    return outcome_of_game(await server.races.snapshot(code), CARDS, player_id)


async def told_so_far(server: RaceServer, code: str, viewer_id: str | None) -> RaceOutcome | None:
    server.races.lookup.forget(code)
    return outcome_so_far(await server.races.snapshot(code), viewer_id)


async def test_a_race_that_was_won(server: RaceServer):
    code = await server.race("anna", "ben", "cleo")
    server.clock.advance(60_000)
    assert await told_so_far(server, code, None) is None
    await server.win(code, "anna")
    assert await told(server, code, "anna") is None
    still = "2 players are still playing."
    assert await told_so_far(server, code, "anna") == ("You won in 1:00", still)
    assert await told_so_far(server, code, "ben") == ("Anna won in 1:00", still)
    assert await told_so_far(server, code, None) == ("Anna won in 1:00", still)
    assert await told_at_the_table(server, code, "anna") == (
        "You won the race!",
        "2 players are still playing.",
    )
    server.clock.advance(5_000)
    await server.win(code, "ben")
    assert await told_at_the_table(server, code, "ben") == (
        "All cards home",
        "Rank 2 of 3. Cleo is still playing.",
    )
    assert await told_at_the_table(server, code, "cleo") is None
    assert await told_so_far(server, code, "cleo") == ("Anna won in 1:00", "You are still playing.")
    assert await told_so_far(server, code, "ben") == (
        "Anna won in 1:00",
        "Rank 2 of 3. Cleo is still playing.",
    )
    await server.act(code, "cleo", *winning_moves()[:20])
    await server.races.resign(code, "cleo")
    assert await told_so_far(server, code, "anna") is None
    ahead = RaceOutcome("You won in 1:00", "5 seconds ahead of Ben.")
    assert await told(server, code, "anna") == ahead
    celebrated = ahead._replace(title="You won the race!")
    assert await told_at_the_table(server, code, "anna") == celebrated
    second = RaceOutcome("Anna won in 1:00", "Rank 2 of 3. 5 seconds behind Anna.")
    assert await told(server, code, "ben") == second
    assert await told_at_the_table(server, code, "ben") == second._replace(title="All cards home")
    last = await told(server, code, "cleo")
    assert last
    assert last.title == "Anna won in 1:00"
    assert last.text.startswith("Rank 3 of 3. You resigned. ")
    assert last.text.endswith(" of 52 cards home.")
    assert await told(server, code, None) == ("Anna won in 1:00", "5 seconds ahead of Ben.")


async def told_alone(
    server: RaceServer, code: str, player_id: str, home: int = 0
) -> RaceOutcome | None:
    server.races.lookup.forget(code)
    return last_one(await server.races.snapshot(code), player_id, home)


async def test_the_last_one_who_plays_learns_what_wins_now(server: RaceServer):
    code = await server.race("anna", "ben", "cleo")
    await server.races.resign(code, "ben")
    assert await told_alone(server, code, "anna") is None
    await server.races.resign(code, "cleo")
    assert await told_alone(server, code, "anna") == (
        "Only you are still playing.",
        "1 card home is enough to win the race: no one else has that many.",
    )
    assert await told_alone(server, code, "cleo") is None
    code = await server.race("anna", "ben")
    await server.races.resign(code, "ben")
    assert await told_alone(server, code, "anna") == (
        "Ben resigned.",
        "1 card home is enough to win the race: no one else has that many.",
    )
    assert await told_alone(server, code, "anna", home=1) == (
        "Ben resigned.",
        "You are ahead: you win even if you stop now.",
    )
    await server.win(code, "anna")
    assert await told_alone(server, code, "anna") is None
    code = await server.race("anna", "ben")
    await server.win(code, "ben")
    assert await told_alone(server, code, "anna") is None


async def test_what_wins_now_goes_by_the_number_that_is_shown(server: RaceServer):
    code = await server.race("anna", "ben")
    moves = winning_moves()
    table = await server.act(code, "ben")
    while cards_home(table.rules, table.position) < 2:
        table = await server.act(code, "ben", moves[table.version])
    await server.races.resign(code, "ben")
    server.races.lookup.forget(code)
    assert (await server.see(code, "anna"))["Ben"].home == 2
    assert await told_alone(server, code, "anna", home=2) == (
        "Ben resigned.",
        "3 cards home are enough to win the race: no one else has that many.",
    )
    assert await told_alone(server, code, "anna", home=3) == (
        "Ben resigned.",
        "You are ahead: you win even if you stop now.",
    )


async def test_one_card_home_wins_against_who_resigned_at_once(server: RaceServer):
    code = await server.race("anna", "ben")
    await server.races.resign(code, "ben")
    moves = winning_moves()
    table = await server.act(code, "anna")
    while not cards_home(table.rules, table.position):
        table = await server.act(code, "anna", moves[table.version])
    await server.races.resign(code, "anna")
    found = await told(server, code, "anna")
    assert found
    assert found == ("You win the race, 1 card to 0", "You both resigned.")
    assert await told_at_the_table(server, code, "anna") == found
    assert await told(server, code, "ben") == (
        "Anna wins the race, 1 card to 0",
        "You both resigned.",
    )
    assert await told(server, code, None) == ("Anna wins the race, 1 card to 0", "Both resigned.")


async def test_of_two_with_as_many_cards_home_the_first_to_get_them_wins(server: RaceServer):
    code = await server.race("anna", "ben")
    for player in ("anna", "ben"):
        server.clock.advance(2_000)
        await server.act(code, player, *winning_moves()[:40])
    server.clock.advance(IDLE_MS)
    home = (await server.see(code))["Anna"].home
    assert await told(server, code, "anna") == (
        "You win the race",
        f"You both got {home} cards home; you got there first.",
    )


async def test_who_stops_with_more_cards_home_than_who_ran_out_of_time_wins(server: RaceServer):
    code = await server.race("anna", "ben")
    await server.act(code, "anna", *winning_moves()[:40])
    await server.races.resign(code, "anna")
    server.clock.advance(IDLE_MS)
    home = (await server.see(code))["Anna"].home
    assert home
    assert await told(server, code, "anna") == (
        f"You win the race, {home} cards to 0",
        "No one got all cards home, so the most cards home wins.",
    )
    assert await told(server, code, "ben") == (
        f"Anna wins the race, {home} cards to 0",
        "Rank 2 of 2. You made no move for five minutes. 0 of 52 cards home.",
    )


async def test_a_race_that_no_one_won(server: RaceServer):
    code = await server.race("anna", "ben", "cleo")
    for player, moves in (("anna", winning_moves()[:40]), ("ben", ()), ("cleo", ())):
        await server.act(code, player, *moves)
        await server.races.resign(code, player)
    rows = await server.see(code)
    home = rows["Anna"].home
    assert home
    assert await told(server, code, "anna") == (
        f"You win the race, {home} cards to 0",
        "All resigned.",
    )
    assert await told(server, code, "ben") == (
        f"Anna wins the race, {home} cards to 0",
        "All resigned. Rank 2 of 3. 0 of 52 cards home.",
    )


async def test_a_tie_that_no_one_won_is_no_dead_heat(server: RaceServer):
    code = await server.race("anna", "ben", "cleo")
    for player in ("anna", "ben"):
        await server.act(code, player, *winning_moves()[:40])
        await server.races.resign(code, player)
    await server.races.resign(code, "cleo")
    found = await told(server, code, "anna")
    assert found
    assert found.title == "A draw"
    assert found.text.startswith("All resigned. You and Ben tied with ")


async def test_who_gives_up_first_waits_for_their_rank(server: RaceServer):
    code = await server.race("anna", "ben")
    await server.races.resign(code, "ben")
    assert await told_at_the_table(server, code, "ben") == (
        "You resigned",
        "0 of 52 cards home. Anna is still playing. You can see your rank when everyone has finished.",
    )
    await server.win(code, "anna")
    assert await told(server, code, "anna") == (
        "You won in 0:00",
        "No one else got all cards home.",
    )


async def test_a_dead_heat(server: RaceServer):
    code = await server.race("anna", "ben", "cleo")
    server.clock.advance(60_000)
    for player in ("anna", "ben"):
        await server.win(code, player)
    await server.win(code, "cleo", detours=1)
    assert await told(server, code, "anna") == ("A dead heat", "You and Ben won together.")
    assert await told(server, code, None) == ("A dead heat", "Anna and Ben won together.")
    assert await told(server, code, "cleo") == (
        "A dead heat",
        "Anna and Ben won together. Rank 3 of 3. The same time as Ben, with more moves.",
    )


async def test_a_race_that_nobody_played_ranks_nobody(server: RaceServer):
    code = await server.race("anna", "ben")
    server.clock.advance(IDLE_MS)
    nobody = RaceOutcome("No one played", "No one made a move.")
    assert await told(server, code, "anna") == nobody
    assert await told_at_the_table(server, code, "anna") == nobody
    assert await told(server, code, None) == nobody


async def test_a_race_in_which_no_card_got_home_ranks_nobody(server: RaceServer):
    code = await server.race("anna", "ben")
    await server.act(code, "anna", "deal")
    await server.races.resign(code, "anna")
    server.clock.advance(IDLE_MS)
    assert await told(server, code, "ben") == ("No one won this time", "No one got a card home.")


@pytest.mark.parametrize(
    ("players", "resigned"),
    [(("anna", "ben"), "Both resigned."), (("anna", "ben", "cleo"), "All resigned.")],
)
async def test_a_race_that_all_resigned_is_told_the_same_way_everywhere(
    server: RaceServer, players: tuple[str, ...], resigned: str
):
    code = await server.race(*players)
    await server.act(code, "anna", "deal")
    for player in players:
        await server.races.resign(code, player)
    title, why = "No one won this time", "No one got a card home."
    own = resigned.replace("Both", "You both")
    assert await told(server, code, None) == (title, f"{resigned} {why}")
    for player in players:
        assert await told(server, code, player) == (title, f"{own} {why}")
        assert await told_at_the_table(server, code, player) == (title, f"{own} {why}")
