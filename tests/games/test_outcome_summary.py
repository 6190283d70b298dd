"""What a finished game meant: against one's own best and average, as a streak, and its place."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from sqlalchemy import update

from app.db.schema import games, hints_given
from app.games import responses
from app.games.end_card import EndCard
from app.games.outcome_summary import Measure, summarize
from app.games.past_games import PastGames
from app.games.replay import replay
from app.games.win_figures import help_line
from app.profiles.statistics import CountedGame
from tests.games.playing import post, start_game, win
from tests.games.test_time_played import LOG, dealt
from tests.golden.records import RECORDS
from tests.support.dailies import winning_moves
from tests.support.daily_site import open_site, play_moves, start_attempt
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

WON = replay(
    dealt(), LOG
)  # one move kept of five actions, 1:06; whether it is won does not matter to the numbers


def earlier(status: str, moves: int, seconds: int) -> CountedGame:
    return CountedGame("x", "bristol", status, moves + 4, moves, seconds * 1000, 0)


def test_the_first_win_has_nothing_to_compare_with() -> None:
    found = summarize(WON, [earlier("lost", 3, 5)])
    assert found.moves == Measure("1", "", is_best=False)
    assert found.time == Measure("1:06", "", is_best=False)
    assert (found.wins, found.streak) == (1, 1)
    assert found.usual_moves == 75, "a median of 73, in steps of five"


def test_a_win_is_compared_with_the_wins_before_it() -> None:
    before = [earlier("won", 8, 40), earlier("lost", 1, 1), earlier("won", 6, 90)]
    found = summarize(WON, before)
    assert found.moves == Measure("1", "6", is_best=True)
    assert found.time == Measure("1:06", "0:40", is_best=False)
    assert (found.wins, found.streak) == (3, 2)


def test_as_good_as_the_best_is_no_new_best() -> None:
    found = summarize(WON, [earlier("won", 1, 66)])
    assert not found.moves.is_best
    assert not found.time.is_best


@pytest.fixture
def endings(monkeypatch):
    """The ending of each answer about a game that is rendered."""
    seen: list[EndCard | None] = []

    def view(*given, **named):
        state = state_view(*given, **named)
        seen.append(state.ending)
        return state

    state_view = vars(responses)["state_view"]
    monkeypatch.setattr(responses, "state_view", view)
    return seen


async def test_the_last_move_and_the_page_say_what_the_win_meant(visitor, site, endings):
    await win(visitor)
    first = endings[-1].win.summary
    assert (first.wins, first.streak, first.moves.best) == (1, 1, "")
    assert first.moves.value == "68"
    assert first.offers_name, "to a guest, after the first win"
    address = await win(visitor)
    second = endings[-1].win.summary
    assert not second.offers_name
    assert (second.wins, second.streak, second.moves.best) == (2, 2, "68")
    await visitor.get(address)
    assert endings[-1].win.summary == second
    assert [each for each in endings if each and not each.win.summary] == []
    async with visiting(site) as other:
        await other.get(address)
    assert endings[-1].is_won
    assert endings[-1].win.summary is None, "another's numbers are theirs"


async def test_a_win_is_shared_as_a_text_that_leads_to_its_deal(visitor, site, endings):
    address = await win(visitor)
    page = (await visitor.get(address)).text
    shared = endings[-1].win.shared
    code = next(each.code for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
    link = rf"http://\S+/deal/bristol/{code}"
    assert re.fullmatch(rf"Fair Deal · Bristol: won in 68 moves, [:\d]+\n{link}", shared)
    assert f">{shared}</textarea>" in page, "without a script it can be copied by hand"
    assert page.count('data-share="shared-text" hidden') == 1
    assert ">Share deal</a>" in page
    async with visiting(site) as other:
        assert "data-share" not in (await other.get(address)).text, "it is not theirs"


async def test_a_win_with_hints_is_never_the_best(visitor, endings, site):
    await win(visitor)
    slow = update(games).values(moves=500, played_ms=10**7)
    await site.state.services.database.write(lambda connection: connection.execute(slow))
    won = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
    game = await start_game(visitor, "bristol", code=won.code)
    await post(visitor, f"{game}/help/hint", version=0, hint=0)
    await play_moves(visitor, game.removeprefix("/games/"), *won.moves)
    page = (await visitor.get(game)).text
    said = page.index('<p class="help">1 hint along the way</p>')
    assert page.index("</dl>") < said < page.index('class="choices"'), "a win comes first"
    helped = endings[-1].win.summary
    assert helped.hints == 1
    assert helped.moves.best == "500"
    assert not helped.moves.is_best
    assert not helped.time.is_best
    assert endings[-1].win.praise == "", "a line says it"
    figures = endings[-1].figures
    assert [figure.name for figure in figures] == ["Moves", "Time", "Wins in a row"]
    assert {figure.note for figure in figures} == {""}
    assert re.match(
        r"Fair Deal · Bristol: won in 68 moves, [:\d]+, 1 hint\n", endings[-1].win.shared
    )


async def test_a_first_win_with_a_hint_is_a_first_win(visitor, endings):
    won = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
    game = await start_game(visitor, "bristol", code=won.code)
    await post(visitor, f"{game}/help/hint", version=0, hint=0)
    await play_moves(visitor, game.removeprefix("/games/"), *won.moves)
    await visitor.get(game)
    assert endings[-1].win.praise == "Your first win in Bristol"
    assert not endings[-1].win.had_help, "so its line is as golden as any"
    assert endings[-1].win.help == "", "a first win is for joy"
    assert "hint" not in endings[-1].text
    assert endings[-1].win.summary.hints == 1
    assert re.search(r", 1 hint\n", endings[-1].win.shared), "others are told"
    assert help_line(replace(endings[-1].win.summary, hints=9)) == ""
    assert help_line(replace(endings[-1].win.summary, hints=110)) == "110 hints along the way"
    few = replace(endings[-1].win.summary, hints=4)
    assert help_line(few, is_led=True) == "4 hints along the way", "of a short game"
    assert [each.name for each in endings[-1].figures] == ["Moves", "Time"]


@pytest.mark.parametrize(("hints", "is_led"), [(33, False), (34, True)])
async def test_who_followed_hints_to_win_is_offered_the_deal_without_them(
    visitor, site, endings, hints, is_led
):
    """Who has won may want to look back, so the review stays in sight; such a win is not much of a challenge."""
    won = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
    game = await start_game(visitor, "bristol", code=won.code)
    await post(visitor, f"{game}/help/hint", version=0, hint=0)
    given = update(hints_given).values(number=hints)
    await site.state.services.database.write(lambda connection: connection.execute(given))
    await play_moves(visitor, game.removeprefix("/games/"), *won.moves)
    page = (await visitor.get(game)).text
    assert endings[-1].win.code_without_hints == (won.code if is_led else "")
    assert endings[-1].win.praise == ("" if is_led else "Your first win in Bristol")
    assert f"{hints} hints along the way" in page
    played = await site.state.services.games.log.load(game.removeprefix("/games/"))
    wins = PastGames(site.state.services.database).count_wins
    assert await wins(played.owner_id, played.rules, 9) == (0 if is_led else 1)
    choices = page[page.index('class="choices"') :]
    first = choices[: choices.index('<details class="more">')]
    assert ("Try this deal without hints" in first) == is_led
    assert "Review this game" in first
    assert ("Challenge a friend" in first) != is_led
    assert "Challenge a friend" in choices


@pytest.mark.parametrize(
    ("ruleset", "entrance"),
    [("bristol", ""), ("terrace", "rows"), ("signora", "rows"), ("spider", "run")],
)
async def test_a_win_shows_the_cards_that_came_last(visitor, endings, ruleset, entrance):
    won = next(each for each in RECORDS if (each.ruleset, each.end) == (ruleset, "won"))
    game = (await start_game(visitor, ruleset, code=won.code)).removeprefix("/games/")
    await play_moves(visitor, game, *won.moves)
    page = (await visitor.get(f"/games/{game}")).text
    piles = (await visitor.get(f"/api/v1/games/{game}")).json()["piles"]
    filled = [pile["cards"] for name, pile in piles.items() if name[0] == "f" and pile["cards"]]
    lasts = filled[-1] if entrance == "run" else [cards[-1] for cards in filled]
    court = re.search(r'<svg class="court" data-entrance="(.*?)".*?</svg>', page, re.DOTALL)
    assert court
    assert court[1] == endings[-1].win.court.entrance == entrance
    assert re.findall(r"#(\w+)", court[0]) == lasts


async def test_a_solved_daily_says_its_place_and_streak(sqlite_url, endings):
    async with open_site(sqlite_url) as site, visiting(site.app) as guest:
        game = await start_attempt(guest)
        site.clock.advance(177_000)
        await play_moves(guest, game, *winning_moves())
        page = (await guest.get(f"/games/{game}")).text
    context = endings[-1].win.summary.context
    assert re.search(r'class="primary" href="/daily/[-\d]+/[-\w]+">Play today&#39;s ', page)
    assert ">See the leaderboard</a>" in page
    assert context.next_step == "10 deals left today, new ones in 11 h 58 min."
    assert (context.place, context.text) == ("You are the first to finish.", "")
    place = page.index('<p class="standing">You are the first to finish.</p>')
    assert page.index("</dl>") < place < page.index('class="week"'), "right below the figures"
    assert ">Create an account</a> to be ranked from tomorrow." in page
    assert context.streak == 1
    days = page[page.index('class="week"') : page.index('class="choices"')]
    assert days.count('class="fresh"') == 6
    assert days.count('class="solved"') == 1
    assert "Your streak: 1 day, your best so far." in days
    assert "Days in a row" not in page, "it stands there once"
    assert re.fullmatch(
        r"Fair Deal · Bristol · \d+ \w+ \d{4}\n■{10} \d+ moves, 2:57\nhttp\S+/daily/[-\d]+/bristol",
        context.result.text,
    )
    assert f">{context.result.text}</textarea>" in page, "without a script it can be copied by hand"
    assert 'data-share="shared-text" hidden' in page
    assert "No rank as a guest" not in page, "the last line says it"
    assert endings[-1].win.summary.time.value == "2:57"
    assert endings[-1].win.summary.offers_name


async def test_a_lost_game_says_how_far_it_went(visitor, site, endings):
    lost = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "lost"))
    address = await start_game(visitor, code=lost.code)
    for version, move in enumerate(lost.moves):
        await post(visitor, f"{address}/move", version=version, move=move)
    page = (await visitor.get(address)).text
    assert endings[-1].fact == "39 of 52 cards home."
    assert endings[-1].text == "You were past halfway."
    assert endings[-1].filled == 7.5, "of ten"
    assert f"</svg>{endings[-1].fact}</p>" in page
    assert '<rect width="7.5" height="1"/>' in page
    assert ">Try this deal again</button>" in page
    async with visiting(site) as viewer:
        seen = (await viewer.get(address)).text
    assert "39 of 52 cards home." in seen
    assert "You were past halfway" not in seen, "they were not"


async def test_the_end_has_one_shape_whether_or_not_a_card_got_home(visitor, endings):
    address = await start_game(visitor)
    await post(visitor, f"{address}/deal", version=0)
    await post(visitor, f"{address}/resign", version=1)
    page = (await visitor.get(address)).text
    assert endings[-1].fact == "0 of 52 cards home."
    assert '<rect width="0.0" height="1"/>' in page
    unplayed = await start_game(visitor)
    await post(visitor, f"{unplayed}/resign", version=0)
    assert "gauge" not in (await visitor.get(unplayed)).text, "nothing was counted"


async def test_a_card_that_was_only_undone_is_no_best(visitor, endings):
    lost = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "lost"))
    address = await start_game(visitor, code=lost.code)
    for version, move in enumerate(lost.moves):
        await post(visitor, f"{address}/move", version=version, move=move)
    home = int(endings[-1].fact.split()[0])
    version = len(lost.moves)
    while True:
        await post(visitor, f"{address}/undo", version=version)
        version += 1
        piles = (await visitor.get(f"/api/v1{address}")).json()["piles"]
        left = sum(pile["count"] for name, pile in piles.items() if name.startswith("f"))
        if left < home:
            break
    await post(visitor, f"{address}/resign", version=version)
    await visitor.get(address)
    assert endings[-1].fact == f"{left} of 52 cards home."


async def test_try_again_deals_the_same_cards_and_remembers_how_far_one_came(visitor, endings):
    lost = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "lost"))
    address = await start_game(visitor, code=lost.code)
    for version, move in enumerate(lost.moves):
        await post(visitor, f"{address}/move", version=version, move=move)
    assert "best so far" not in endings[-1].fact, "it is this one"
    await post(visitor, f"{address}/restart", version=len(lost.moves))
    await post(visitor, f"{address}/resign", version=len(lost.moves) + 1)
    page = (await visitor.get(address)).text
    said = "0 of 52 cards home, your best with this deal: 39."
    assert said in page
    code = re.search(
        '<button form="again" class="primary" name="code" value="(.*?)">Try this deal again<', page
    )
    assert code
    again = await visitor.post("/play", data={"ruleset": "bristol", "code": code[1]})
    address = again.headers["location"]
    await post(visitor, f"{address}/resign", version=0)
    assert said in (await visitor.get(address)).text, "in an earlier game with these cards"
    other = await start_game(visitor)
    await post(visitor, f"{other}/resign", version=0)
    assert "best so far" not in (await visitor.get(other)).text
