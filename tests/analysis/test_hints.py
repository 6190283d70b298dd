"""Hints name a good move and the reason, and use no more than the player sees."""

import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import Connection

from app.analysis import hints as analysis_help
from app.analysis import numbered_hints, other_hints, repository
from app.analysis.help_pages import place_among_hints
from app.analysis.hints import Effort
from app.analysis.numbered_hints import NumberedHint, hint_after, sight_of
from app.engine.actions import DEAL, Action, parse_action
from app.engine.history import History
from app.engine.notation import parse_position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, deck_of_seed, parse_code
from app.games import past_games
from app.games.board import Holding, hint_mark
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.replay import replay
from app.games.view_models import state_view
from app.jobs.admission import Places
from app.rulesets import RULESETS, find_ruleset
from app.rulesets.bristol import BRISTOL
from app.rulesets.klondike import KLONDIKE, ONE_PASS
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.settings import Settings
from app.solver.advice import NOTHING_ELSE, Advice, advise
from app.solver.estimates import Estimate
from app.solver.hints import side_effect
from app.solver.sight import Sight, see
from tests.analysis.sample_games import sit_down, table_at
from tests.golden.records import RECORDS
from tests.support.games import UNLIKE_WITH_HIDDEN_CARDS
from tests.support.known import HTMX
from tests.support.leaks import Visit, look_alike_decks, sample_actions, site_dealing
from tests.support.serving import started, visiting
from tests.support.workers import DIRECT

pytestmark = pytest.mark.anyio

EVERY_GAME = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
LENGTH = 14
WITH_A_CHOICE = "00000-00003"
BUSY = "The server is busy, so this hint looked less far ahead."
NO_MOVE = "FR35H-0001D"  # Spider: all one can do is deal


@pytest.fixture(autouse=True)
def first_win(monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    """Whether players have won before; a test may say no."""
    given = {"was": True}
    monkeypatch.setattr(past_games, "has_won", lambda *_: given["was"])
    return given


@pytest.fixture(autouse=True)
def _little_effort(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(analysis_help, "QUICK", Effort(2_000, 60.0))
    monkeypatch.setattr(analysis_help, "THOROUGH", Effort(6_000, 60.0))


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[FastAPI]:
    """A site whose hints never depend on how busy the machine is."""
    async with started(Settings(database_url=sqlite_url), DIRECT) as app:
        yield app


async def hear(visit: Visit, rules: Ruleset, actions: list[str]) -> None:
    """Ask for every hint in every way, all along a line of play."""
    begun = await visit.ask("POST", "/play", data={"ruleset": rules.id, "code": ""})
    game = begun.headers["location"].removeprefix("/games/")
    for version in range(len(actions) + 1):
        for given in range(4):
            form = {"version": str(version), "hint": str(given), "rough": str(given % 2)}
            await visit.ask("POST", f"/games/{game}/help/hint", data=form, headers=HTMX)
            params = {"after": given, "refine": given == 1}
            await visit.ask("GET", f"/api/v1/games/{game}/hint", params=params)
        await visit.ask("POST", f"/games/{game}/help/hint", data={"version": str(version)})
        await visit.ask("POST", f"/api/v1/games/{game}/finish", json={"version": version})
        await visit.ask("GET", f"/api/v1/games/{game}")
        if version < len(actions):
            body = {"version": version, "move": actions[version]}
            answer = await visit.ask("POST", f"/api/v1/games/{game}/moves", json=body)
            assert answer.status_code == 200


async def heard_of_twins(rules, tmp_path, monkeypatch):
    deck = deck_of_seed(bytes(range(32)), rules.decks)
    actions = sample_actions(rules, deck, LENGTH)
    heard = []
    for name, dealt in (("one", deck), ("two", look_alike_decks(rules, deck, actions))):
        url = f"sqlite:///{tmp_path / name}.db"
        async with site_dealing(dealt, url, monkeypatch, environment=DIRECT) as visit:
            await hear(visit, rules, actions)
            heard.append(visit.responses)
    return heard


@pytest.mark.parametrize("rules", UNLIKE_WITH_HIDDEN_CARDS, ids=lambda rules: rules.id)
async def test_tables_that_look_alike_get_the_same_help_to_the_byte(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    one, two = await heard_of_twins(rules, tmp_path, monkeypatch)
    assert len(one) > 100
    for first, second in zip(one, two, strict=True):
        assert first == second, first[0]


async def test_the_comparison_would_notice_a_hint_that_peeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def peep(game) -> Sight:
        piles = game.position.piles
        return Sight(tuple(pile.cards for pile in piles), tuple(pile.down for pile in piles))

    monkeypatch.setattr(numbered_hints, "sight_of", peep)
    monkeypatch.setattr(analysis_help, "sight_of", peep)
    heard = await heard_of_twins(ROUGE_ET_NOIR, tmp_path, monkeypatch)
    assert any(one != two for one, two in zip(*heard, strict=True))


async def test_each_hint_is_legal_and_the_last_says_that_it_is_the_last(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    legal = (await visitor.get(f"/api/v1/games/{game}")).json()["legal_moves"]
    seen, after = [], 0
    while True:
        answer = (await visitor.get(f"/api/v1/games/{game}/hint?refine=1&after={after}")).json()
        assert answer["version"] == 0
        assert answer["why"].endswith(".")
        seen.append(answer["move"])
        if answer["next"] is None:
            break
        assert answer["next"] == after + 1
        after = answer["next"]
    assert len(seen) > 1
    assert len(set(seen)) == len(seen)
    assert set(seen) <= set(legal)
    beyond = (await visitor.get(f"/api/v1/games/{game}/hint?refine=1&after={len(seen)}")).json()
    assert (beyond["move"], beyond["next"]) == (None, None)
    assert beyond["why"] == "There are no other hints here."


async def test_a_hint_highlights_the_card_and_its_target_without_a_move(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    await visitor.get(f"/api/v1/games/{game}/hint", params={"refine": True})
    # The second one: what the first one does is plain, so it gives no reason.
    told = (await visitor.get(f"/api/v1/games/{game}/hint", params={"after": 1})).json()
    source, target = told["move"].split("-")
    form = {"version": "0", "held": "", "hint": "1"}
    answer = await visitor.post(f"/games/{game}/help/hint", data=form, headers=HTMX)
    assert answer.status_code == 200
    assert re.search(rf'value="{source}" class="advised"', answer.text)
    assert re.search(rf'id="{target}" class="pile advised\b', answer.text)
    assert answer.text.count('class="advised"') == 1
    assert '<input type="hidden" name="hint" value="2">' in answer.text
    reason, about, odds = told["why"].partition(" About")
    # Behind "Why?" is only what the instruction has not told.
    besides = reason.partition(". ")[2]
    assert besides
    assert f"<p>{besides}" in answer.text
    assert (
        f'<div class="odds"><span>Hint 2 of 4. {about.strip()}{odds}</span> '
        f'<button form="table" class="play" formaction="/games/{game}/move" '
        f'name="move" value="{told["move"]}">Play</button> <details>' in answer.text
    )
    plain = await visitor.post(f"/games/{game}/help/hint", data=form)
    assert plain.status_code == 200
    assert "<!DOCTYPE html>" in plain.text
    assert re.search(rf'value="{source}" class="advised"', plain.text)
    assert (await visitor.get(f"/api/v1/games/{game}")).json()["version"] == 0


def test_a_hint_to_deal_marks_the_button_that_deals() -> None:
    history = History.start(BRISTOL, deck_of_code(parse_code(WITH_A_CHOICE), 1))
    game = Game.start(game_id="g", history=history, code=None, owner_id="anna", at_ms=0)
    move = next(action for action in game.legal_actions if action != DEAL)
    marks = [hint_mark(BRISTOL, 1, action) for action in (DEAL, move, None)]
    flags = [state_view(game, Holding(None, frozenset(), mark)).flags for mark in marks]
    assert ["deal-advised" in each.split() for each in flags] == [True, False, False]


@pytest.mark.parametrize("is_said", [True, False])
async def test_no_reason_is_offered_that_the_hint_has_said_already(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch, *, is_said: bool
):
    monkeypatch.setattr(numbered_hints, "side_effect", lambda *_: "" if is_said else "It helps.")
    monkeypatch.setattr(numbered_hints, "follow_up_sentence", lambda *_: "")
    monkeypatch.setattr(numbered_hints, "aim_of", lambda *_: None)
    monkeypatch.setattr(numbered_hints, "with_basis", lambda besides, *_: besides)
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    form = {"version": "0", "hint": "0"}
    answer = await visitor.post(f"/games/{game}/help/hint", data=form, headers=HTMX)
    assert re.search('<span class="">(Play|Deal) ', answer.text)
    assert ("Why?" in answer.text) == (not is_said)
    assert "% chance to win" in answer.text
    form |= {"hint": "1", "rough": "1"}
    answer = await visitor.post(f"/games/{game}/help/hint", data=form, headers=HTMX)
    assert re.search(r"\bHint 1 of [2-9]\.", answer.text)


@pytest.mark.parametrize(
    ("ruleset", "text", "move", "effect"),
    [
        ("scorpion", "t1: 5C QC\nt2: KC", "t1-t2", ""),
        ("scorpion", "t1: [5C] QC\nt2: KC", "t1-t2", "It turns a card face up."),
        ("scorpion", "t1: QC\nt2: KC", "t1-t2", "It leaves an empty column."),
        ("freecell", "f1: AS\nt1: 9C JH", "t1-c1", ""),
        (
            *("freecell", "f1: AS\nt1: 2S JH", "t1-c1"),
            "It frees the two of spades, which can also go home.",
        ),
        ("freecell", "t1: 9C AH", "t1-f1", ""),
        ("terrace", "stock: 2H\nt1: 3S", "t1-f1", "It sets the base."),
        ("klondike", "stock: [2H]", "deal", "Nothing else can be played."),
    ],
)
def test_what_is_behind_why_does_not_repeat_the_hint(
    ruleset: str, text: str, move: str, effect: str
):
    rules = find_ruleset(ruleset)
    assert rules
    sight = see(parse_position(rules, text))
    assert side_effect(rules, sight, parse_action(rules.layout, move)) == effect


async def press(
    visitor: AsyncClient, game: str, state: dict[str, str], more: list[str] | None = None
) -> tuple[str, dict[str, str]]:
    """What is said after one more press, and the hidden fields of the page then.

    What is said below that, at once or behind "Why?", is added to ``more``.
    """
    form = {"version": "0", **state}
    answer = await visitor.post(f"/games/{game}/help/hint", data=form, headers=HTMX)
    said = re.search(r'<span class="">([^<]*)</span>', answer.text)
    assert said
    if more is not None:
        (below,) = re.findall(r'<div class="odds"[^>]*>(.*?)</div>', answer.text)
        more.append(re.sub("<button.*?</button>|<[^>]*>", "", below))
    return said[1], dict(re.findall(r'name="(hint|rough)" value="(\d+)"', answer.text))


async def test_pressing_again_refines_then_offers_the_next_best_and_then_starts_over(
    visitor: AsyncClient,
):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    first, state = await press(visitor, game, {})
    assert state == {"hint": "1", "rough": "1"}
    assert re.fullmatch(r"(Play|Deal) [^.]*\.", first), "what to do, in one short sentence"
    said: list[str] = []
    more: list[str] = []
    for _ in range(8):
        text, state = await press(visitor, game, state, more)
        assert state["rough"] == "0"
        said.append(text)
        if said.count(said[0]) == 2:
            break
    assert said[0] == said[-1]  # after the last one comes the first one again
    assert len(set(said)) == len(said) - 1 > 1
    count = len(said) - 1
    for number, one in enumerate(more[:count], start=1):
        assert one.startswith(f"Hint {number} of {count}. ")


async def test_no_percentage_before_the_first_win(visitor: AsyncClient, first_win: dict[str, bool]):
    first_win["was"] = False
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    told = (await visitor.get(f"/api/v1/games/{game}/hint")).json()
    assert 0 < told["chance"] < 1
    assert "%" not in told["why"]
    page = (await visitor.post(f"/games/{game}/help/hint", data={"version": "0"})).text
    assert "% chance to win" not in page


async def test_no_percentage_where_the_chances_were_never_measured(visitor: AsyncClient):
    game = await sit_down(visitor, "klondike-one-pass", WITH_A_CHOICE)
    told = (await visitor.get(f"/api/v1/games/{game}/hint", params={"refine": True})).json()
    assert 0 < told["chance"] < 1
    assert told["why"]
    assert "%" not in told["why"]


NEARLY_LOST = "Going by the cards in sight, there is hardly any chance to win from here."


def test_in_a_game_without_percentages_a_hint_says_that_hardly_a_chance_is_left():
    """The cards of the stock are dealt, one move is left, and only luck that nobody has had would help."""
    game = table_of(ONE_PASS, "HNT00-00001", [DEAL] * 24)
    new = game.history.unvisited_actions()
    advice = advise(ONE_PASS, sight_of(game), new, 60_000)
    assert advice
    assert 0 < advice.choices[0].chance < 0.001
    assert NEARLY_LOST in hint_after(game, 0, advice, says_chance=False).odds
    for chance in (0.002, 0.5):  # the figures of this game may be too low
        other = Advice((Estimate(advice.choices[0].action, chance, 0.01),), None)
        assert hint_after(game, 0, other, says_chance=False).odds == ""


def test_as_long_as_cards_can_be_dealt_a_figure_that_was_never_measured_says_nothing():
    for number in (0, 24):
        game = table_of(ONE_PASS, "HNT00-00001", [DEAL] * number)
        move = game.history.unvisited_actions()[0]
        found = hint_after(game, 0, Advice((Estimate(move, 0.0001, 0.0),), None), says_chance=False)
        assert (NEARLY_LOST in found.odds) == (number == 24)


@pytest.mark.parametrize(
    ("chance", "says_chance", "said"),
    [
        (0.012, False, NEARLY_LOST),
        (0.03, False, ""),
        (0.012, True, "About 1% chance to win."),
        (0.004, True, "Less than 1% chance to win."),
    ],
)
def test_a_small_chance_is_said_before_the_first_win_too(
    chance: float, says_chance: bool, said: str
):
    game = table_of(KLONDIKE, "HNT00-00001", [])
    advice = Advice((Estimate(game.history.unvisited_actions()[0], chance, 0.005),), None)
    assert hint_after(game, 0, advice, says_chance=says_chance).odds == said


def table_of(rules: Ruleset, code: str, actions: list[Action]) -> Game:
    """A game on a deal after some actions."""
    history = History.start(rules, deck_of_code(parse_code(code), rules.decks))
    game = Game.start(game_id="x", history=history, code=None, owner_id="anna", at_ms=0)
    return replay(game, [GameEvent(str(action), 0, "anna", None) for action in actions])


def test_without_a_percentage_undo_is_still_the_better_advice():
    game = table_at("bristol", "t1: 6C 5D\nt2: 6H\nt3: 9C", "t1-t2")
    move = next(iter(game.legal_actions))
    back = hint_after(game, 0, Advice((), 0.46), says_chance=False)
    assert back.why == "Every move from here leads back to an earlier position. Try undo."
    worse = hint_after(game, 0, Advice((Estimate(move, 0.31, 0.02),), 0.46), says_chance=False)
    assert worse.odds == "An earlier position was better. Try undo."
    assert worse.chance == 0.31


@pytest.mark.parametrize(
    ("of_the_deal", "of_the_run", "is_first"), [(0.5, 0.48, True), (0.9, 0.1, False)]
)
def test_a_complete_run_is_hinted_before_a_deal_unless_that_is_clearly_better(
    of_the_deal: float, of_the_run: float, *, is_first: bool
):
    run = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"
    others = "\n".join(f"t{column}: 9H" for column in range(3, 11))
    table = f"stock: [{' '.join(['3H'] * 10)}]\nt1: 9D {run}\nt2: 8D\n{others}"
    game = table_at("spider", table, "t2-t3", "t3-t2")
    home = parse_action(game.rules.layout, "t1-f1:13")
    assert home in game.legal_actions
    choices = (Estimate(DEAL, of_the_deal, 0.02), Estimate(home, of_the_run, 0.02))
    hint = hint_after(game, 0, Advice(choices, None, plans=((DEAL,), (home,))), says_chance=False)
    assert (hint.action == home) == is_first


def test_a_second_look_keeps_the_first_hint_unless_another_is_clearly_better():
    first, better, other = (parse_action(RULESETS[0].layout, f"t1-t{n}") for n in (2, 3, 4))
    near = Advice((Estimate(better, 0.5, 0.02), Estimate(first, 0.47, 0.02)), None)
    assert [one.action for one in near.led_by(first).choices] == [first, better]
    far = Advice((Estimate(better, 0.5, 0.02), Estimate(first, 0.4, 0.02)), None)
    assert far.led_by(first) == far
    assert near.led_by(other) == near
    equal = near._replace(equals=(Estimate(other, 0.5, 0.02),))
    assert [one.action for one in equal.led_by(other).choices] == [other, first]


def test_a_hint_to_deal_says_until_which_card_if_it_was_seen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(  # a table from a text has no log
        numbered_hints, "sight_of", lambda game: see(game.position, game.history.positions())
    )
    table = "stock: [2C 9H 8C 7H]\nt1: [KS] 8S\nt3: [QD] 6C\nf1: AC"

    def told(deals: int, plan: str) -> NumberedHint:
        game = table_at("klondike", table, *["deal"] * deals)
        actions = tuple(parse_action(game.rules.layout, word) for word in plan.split())
        return hint_after(game, 0, Advice((Estimate(DEAL, 0.5, 0.05),), None, plans=(actions,)))

    hint = told(5, "deal waste-t1 t3-t1")
    assert hint.said == "Deal until the seven of hearts comes."
    on_a_card = "Then the seven of hearts can go on the eight of spades."
    assert hint.besides.startswith(f"{on_a_card} This soon turns up a card in column 3.")
    assert hint.why.startswith(f"{hint.said} {on_a_card}"), "for programs"
    home = told(5, "deal deal deal deal waste-f1")
    assert home.besides.startswith("Then the two of clubs can go home.")
    assert home.besides.count("two of clubs") == 1
    assert told(3, "deal").said == "Deal one card to the waste.", "nobody has seen it"


def test_the_table_goes_back_to_how_it_lay_only_where_that_is_clearly_better():
    """Played to and fro between deals, a card would lead nowhere, though no position comes twice."""
    table = "stock: [2C 9H 8C 7H]\nt1: [KS] 4D 3S\nt2: [KC] 4H\nt3: 9S"
    game = table_at("klondike", table, "t1-t2", "deal")
    back, deal = parse_action(game.rules.layout, "t2-t1"), DEAL
    assert back in game.history.unvisited_actions()
    likely = (Estimate(back, 0.5, 0.05), Estimate(deal, 0.45, 0.05))
    assert hint_after(game, 0, Advice(likely, None)).action == deal
    better = (Estimate(back, 0.9, 0.05), Estimate(deal, 0.45, 0.05))
    assert hint_after(game, 0, Advice(better, None)).action == back
    assert hint_after(game, 0, Advice(likely, None, is_following=True)).action == deal
    sure = (Estimate(back, 1.0, 0), Estimate(deal, 0.98, 0.05))
    assert hint_after(game, 0, Advice(sure, None)).action == back
    # Without a deal in between the same move is new, where something else lies otherwise.
    fresh = table_at("klondike", table, "deal")
    there = (Estimate(parse_action(game.rules.layout, "t1-t2"), 0.5, 0.05), likely[1])
    assert hint_after(fresh, 0, Advice(there, None)).action == there[0].action
    # Once every card has come by, a deal in its place would come again and again.
    idle = table_at("klondike", table, "t1-t2", *["deal"] * 6)
    assert back in idle.history.unvisited_actions()
    assert hint_after(idle, 0, Advice(likely, None)).action == back


def test_who_dealt_once_round_in_vain_is_not_told_to_deal_again():
    table = "stock: [2C 9H 8C 7H]\nt1: [KS] 4D 3S\nt2: [KC] 4H\nt3: 9S\nt4: TD\nt5: [KD] 3D\nt6: 4C"
    game = table_at("klondike", table, "t1-t2", *["deal"] * 6)
    words = ("t2-t1", "t3-t4", "t5-t6")
    back, other, turning = (parse_action(game.rules.layout, word) for word in words)
    deal = Estimate(DEAL, 0.03, 0.01)
    plain = Advice((deal,), None, plans=((DEAL, DEAL),))
    told = hint_after(game, 0, plain)
    assert told.action is None
    assert told.said == "Every move from here leads back to an earlier position. Try undo."
    to_and_fro = Advice((deal,), None, (Estimate(back, 0.03, 0.01),), ((DEAL,), (back,)))
    assert hint_after(game, 0, to_and_fro).action is None
    new = Advice((deal,), None, (Estimate(other, 0.03, 0.01),), ((DEAL,), (other,)))
    assert hint_after(game, 0, new).action == other, "that was never tried"
    useful = plain._replace(plans=((DEAL, turning),))
    assert hint_after(game, 0, useful).action == DEAL, "the plan turns a card up"
    early = table_at("klondike", table, "t1-t2", "deal")
    assert hint_after(early, 0, plain).action == DEAL


def test_a_card_that_is_safe_at_home_is_hinted_first_where_that_is_no_worse():
    game = table_at("klondike", "stock: [9H]\nt1: AD\nt2: [KC] 2C\nt3: 9S")
    home, away = (parse_action(game.rules.layout, word) for word in ("t1-f1", "t1-t2"))
    near = Advice((Estimate(away, 0.5, 0.05), Estimate(home, 0.45, 0.05)), None)
    assert hint_after(game, 0, near).action == home


def test_a_card_comes_down_from_a_foundation_only_where_that_is_clearly_better():
    game = table_at("klondike", "f1: AS 2S\nt1: 3H 4C\nt2: 3D\nt3: 5H")
    down, up, other = (parse_action(game.rules.layout, word) for word in ("f1-t2", "t1-t3", "deal"))

    def told(*chances: tuple[Action, float]) -> list[Action | None]:
        advice = Advice(tuple(Estimate(action, chance, 0.02) for action, chance in chances), None)
        first = hint_after(game, 0, advice)
        return [hint_after(game, given, advice).action for given in range(first.total)]

    assert told((up, 0.5), (down, 0.49), (other, 0.46)) == [up, other]
    assert told((down, 0.5), (up, 0.48)) == [up]
    assert told((down, 0.5), (up, 0.48), (other, 0.37)) == [up]  # to deal, a review calls a mistake
    assert told((down, 0.6), (up, 0.4)) == [down]
    assert told((down, 0.5)) == [down]
    assert down not in [hint_after(game, given).action for given in (1, 2)]


async def test_hints_are_numbered_so_that_asking_again_has_an_end(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    address, form = f"/games/{game}/help/hint", {"version": 0, "hint": 0}
    hint = (await visitor.get(f"/api/v1/games/{game}/hint", params={"refine": True})).json()
    assert hint["next"] == 1
    said = [
        (await visitor.post(address, data=form | {"hint": given})).text for given in range(1, 3)
    ]
    rough = NumberedHint(None, "Deal.", 1, has_next=True, total=3, is_rough=True)
    assert place_among_hints(rough) == "", "a closer look may find fewer"
    known = rough._replace(is_rough=False)
    assert place_among_hints(known) == "Hint 1 of 3."
    assert place_among_hints(known._replace(total=1)) == "There are no other hints here."
    assert place_among_hints(known._replace(total=0)) == "", "none is clearly good"
    assert re.search(r"\bHint 2 of \d\.", said[0])
    assert re.search(r"\bHint [13] of \d\.", said[1])


async def test_the_only_hint_says_so_when_it_comes_again(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(other_hints, "_MOST_HINTS", 1)
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    address = f"/games/{game}/help/hint"
    first, again = [
        (await visitor.post(address, data={"version": 0, "hint": given})).text for given in (0, 1)
    ]
    assert "There are no other hints here." not in first
    assert "There are no other hints here." in again


async def test_a_deal_without_an_alternative_is_offered_since_no_card_fits(visitor: AsyncClient):
    game = await sit_down(visitor, "spider-one-suit", NO_MOVE)
    address = f"/games/{game}/help/hint"
    for given in (0, 1):
        said = (await visitor.post(address, data={"version": 0, "hint": given})).text
        assert "No card fits anywhere now." in said
        assert "Why?" not in said
        assert "Hint 1 of" not in said


async def test_the_refined_hint_begins_with_the_rough_one(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    address = f"/api/v1/games/{game}/hint"
    rough = (await visitor.get(address)).json()["move"]
    heard: list[str] = []

    def led_by(advice: Advice, first: Action) -> Advice:
        heard.append(str(first))
        return advice

    monkeypatch.setattr(Advice, "led_by", led_by)
    await visitor.get(address, params={"refine": True})
    assert rough in heard


async def test_without_a_script_the_page_says_that_asking_again_refines(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    page = (await visitor.post(f"/games/{game}/help/hint", data={"version": "0"})).text
    assert "% chance to win" in page
    assert "Press Hint again for a closer look." in page
    assert 'name="rough" value="1"' in page
    form = {"version": "0", "hint": "1", "rough": "1"}
    again = (await visitor.post(f"/games/{game}/help/hint", data=form)).text
    assert "% chance to win" in again
    assert "closer look" not in again
    assert 'name="hint" value="1"' in again


@pytest.mark.parametrize(("is_rough", "shown"), [(True, None), (False, 0.4)])
def test_the_next_best_has_no_number_if_it_was_hardly_played_out(
    is_rough: bool, shown: float | None
):
    record = next(record for record in RECORDS if record.ruleset == "bristol")
    history = History.start(record.rules, record.cards)
    game = Game.start(game_id="x", history=history, code=None, owner_id="anna", at_ms=0)
    first, second = history.unvisited_actions()[:2]
    choices = (Estimate(first, 0.7, 0.02), Estimate(second, 0.4, 0.1, is_rough))
    found = hint_after(game, 0, Advice(choices, None))
    assert (found.action, found.chance, found.next_best) == (first, 0.7, shown)
    assert ("next best" in found.why) == (shown is not None)


async def test_programs_get_the_chance_and_may_refine_it(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    address = f"/api/v1/games/{game}/hint"
    quick = (await visitor.get(address)).json()
    assert quick["rough"]
    assert 1 > quick["chance"] > 0
    assert quick["next_best"] is None or quick["chance"] >= quick["next_best"] > 0
    assert 0 < quick["deviation"] < 0.5
    assert f"About {round(100 * quick['chance'])}% chance to win" in quick["why"]
    refined = (await visitor.get(address, params={"refine": True})).json()
    assert not refined["rough"]
    assert 0 < refined["deviation"] < 0.1
    assert refined["chance"] != quick["chance"]
    assert refined["next_best"] is None or refined["chance"] >= refined["next_best"] > 0
    assert (await visitor.get(address)).json() == refined


@pytest.mark.parametrize("trouble", ["time", "places"])
async def test_when_no_worker_answers_in_time_the_hint_goes_by_looks(
    site: FastAPI, visitor: AsyncClient, trouble: str, monkeypatch: pytest.MonkeyPatch
):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    by_looks = hint_after(await site.state.services.games.log.load(game), 0)
    if trouble == "time":
        monkeypatch.setattr(analysis_help, "QUICK", Effort(2_000, 0.0))
        monkeypatch.setattr(analysis_help, "THOROUGH", Effort(6_000, 0.0))
        monkeypatch.setattr(analysis_help, "_HANDED_OVER", 0.0)
    else:
        monkeypatch.setattr(site.state.services.jobs, "_places", Places(per_owner=0))
    for refine in (False, True):
        params = {"refine": refine}
        told = (await visitor.get(f"/api/v1/games/{game}/hint", params=params)).json()
        assert told["move"] == str(by_looks.action)
        is_last = refine or trouble == "places"  # else a closer look is still to come
        assert told["why"] == (f"{by_looks.why} {BUSY}" if is_last else by_looks.why)
        assert (told["chance"], told["next_best"]) == (None, None)


async def test_who_only_looks_on_gets_no_hint(site: FastAPI, visitor: AsyncClient):
    """Or a player could watch in a private window, where no hint counts."""
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    address, form = f"/games/{game}/help/hint", {"version": "0"}
    async with visiting(site) as stranger:
        for is_known in (False, True):
            if is_known:
                await sit_down(stranger, "bristol", WITH_A_CHOICE)
            refused = await stranger.get(f"/api/v1/games/{game}/hint")
            assert (refused.status_code, refused.json()["code"]) == (403, "not_your_game")
        assert (await stranger.post(address, data=form, headers=HTMX)).status_code == 403
        assert (await stranger.get(f"/api/v1/games/{game}")).status_code == 200
        await visitor.post(f"/api/v1/games/{game}/resign", json={"version": 0})
        over = await stranger.get(f"/api/v1/games/{game}/hint")
        assert (over.status_code, over.json()["code"]) == (409, "game_over")


async def test_who_only_looks_on_is_not_told_to_finish(site: FastAPI, visitor: AsyncClient):
    record = next(record for record in RECORDS if record.name == "bristol-won")
    game = await sit_down(visitor, "bristol", record.code or "")
    for version, move in enumerate(record.moves):
        body = {"version": version, "move": move}
        state = (await visitor.post(f"/api/v1/games/{game}/moves", json=body)).json()
        if state["can_finish"]:
            break
    form = {"version": str(state["version"])}
    address = f"/games/{game}/help/hint"
    async with visiting(site) as stranger:
        assert (await stranger.post(address, data=form, headers=HTMX)).status_code == 403
    assert "Press Finish." in (await visitor.post(address, data=form, headers=HTMX)).text


async def test_at_a_shared_table_the_hints_of_all_players_count(
    site: FastAPI, visitor: AsyncClient
):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    services = site.state.services
    loaded = await services.games.log.load(game)
    await services.shared_tables.share(game, loaded.owner_id)
    async with visiting(site) as guest, visiting(site) as stranger:
        await sit_down(guest, "bristol", WITH_A_CHOICE)
        guest_id = (await guest.get("/api/v1/me")).json()["id"]
        await services.shared_tables.join((await services.shared_tables.load(game)).token, guest_id)
        assert (await stranger.get(f"/api/v1/games/{game}/hint")).status_code in {403, 404}
        assert not (await services.analysis.hints_given(loaded)).versions
        assert (await guest.get(f"/api/v1/games/{game}/hint")).json()["move"]
    assert (await services.analysis.hints_given(loaded)).versions == {0}


async def test_a_win_says_at_how_many_moves_a_hint_was_asked_for(
    site: FastAPI, visitor: AsyncClient
):
    record = next(record for record in RECORDS if record.name == "bristol-won")
    game = await sit_down(visitor, "bristol", record.code or "")
    asked = f"/games/{game}/help/hint"
    for version, move in enumerate(record.moves):
        if version < 2:
            for given in (0, 1):  # a closer look is the same hint
                form = {"version": str(version), "hint": str(given)}
                assert (await visitor.post(asked, data=form, headers=HTMX)).status_code == 200
        body = {"version": version, "move": move}
        answer = await visitor.post(f"/api/v1/games/{game}/moves", json=body)
        assert answer.json()["status"] in {"playing", "won"}, answer.text
    page = (await visitor.get(f"/games/{game}")).text
    panel = page[page.index('class="ending ') :]
    assert '<p class="praise">Your first win in Bristol</p>' in panel
    assert "along the way" not in panel, "it is a first win"
    assert "<dt>Hints</dt>" not in panel, "it is no figure to compare"
    assert "typical" not in panel
    assert "won, 2 hints" in (await visitor.get("/me")).text
    (kept,) = (await visitor.get("/api/v1/me/export")).json()["games"]
    assert kept["hints"] == 2


async def test_the_hints_of_programs_are_counted_once_for_each_version(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    noted, note = list[int](), repository.note_hint

    def counted(connection: Connection, game_id: str, version: int) -> None:
        noted.append(version)
        note(connection, game_id, version)

    monkeypatch.setattr(repository, "note_hint", counted)
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    for _ in range(2):
        assert (await visitor.get(f"/api/v1/games/{game}/hint")).json()["move"]
    await visitor.post(f"/games/{game}/help/hint", data={"version": "0"}, headers=HTMX)
    assert noted == [0]
    body = {"version": 0, "move": "deal"}
    assert (await visitor.post(f"/api/v1/games/{game}/moves", json=body)).is_success
    assert (await visitor.get(f"/api/v1/games/{game}/hint")).json()["move"]
    assert noted == [0, 1]
    (kept,) = (await visitor.get("/api/v1/me/export")).json()["games"]
    assert kept["hints"] == 2


async def test_no_other_site_can_make_hints_count(site: FastAPI, visitor: AsyncClient):
    game = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    address = f"/api/v1/games/{game}/hint"
    refused = await visitor.get(address, headers={"Sec-Fetch-Site": "cross-site"})
    assert (refused.status_code, refused.json()["code"]) == (403, "cross_site")
    analysis = site.state.services.analysis
    loaded = await site.state.services.games.log.load(game)
    assert not (await analysis.hints_given(loaded)).versions
    assert (await visitor.get(address, headers={"Sec-Fetch-Site": "same-origin"})).is_success
    assert (await analysis.hints_given(loaded)).versions


async def test_a_hint_for_a_table_that_has_moved_on_shows_the_table(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    answer = await visitor.post(f"/games/{game}/help/hint", data={"version": "5"}, headers=HTMX)
    assert answer.status_code == 409
    assert "has changed" in answer.text
    assert "advised" not in answer.text


def test_when_nothing_looks_good_the_hint_says_so_and_names_what_costs_least():
    told = hint_after(table_at("bristol", "t1: 5C KH\nt2: 6D AD 6C\nt3: 7S 6S 5S\nt4: 7D 6H 5D"), 0)
    assert told.said.startswith("Play the ")
    assert told.odds == "No move is clearly good here. This one does the least harm."
    assert told.reason.startswith("Column ")
    assert told.action is not None
    assert not told.has_next


def test_what_leads_back_to_where_one_was_is_no_hint():
    table = table_at("bristol", "t1: 6C 5D\nt2: 6H", "t1-t2")
    assert hint_after(table, 0).why.startswith(
        "Every move from here leads back to an earlier position."
    )
    assert hint_after(table, 0).action is None


def test_a_lost_table_gets_the_way_back():
    told = hint_after(table_at("bristol", "t1: KH\nt2: KD"), 0)
    assert (told.action, told.why) == (None, "No moves left. Undo to try another way.")


def advice_at(ruleset: str, text: str, *actions: str) -> NumberedHint:
    game = table_at(ruleset, text, *actions)
    new = game.history.unvisited_actions()
    return hint_after(game, 0, advise(game.rules, sight_of(game), new, 20_000))


def test_a_way_that_wins_for_sure_is_told_as_such():
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q"]
    homes = [" ".join(rank + suit for rank in ranks) for suit in "CDHS"]
    text = "\n".join(f"f{n}: {home}" for n, home in enumerate(homes, start=1))
    told = advice_at("bristol", f"{text}\nt1: KS KH KD\nt2: KC")
    assert told.why.endswith(" can also go home. Sure to win.")
    assert (told.chance, told.next_best, told.has_next) == (1, None, False)


def test_when_no_way_to_win_is_left_the_hint_says_so():
    table = "t1: 5C KH\nt2: 6D AD 6C\nt3: 7S 6S 5S"
    told = advice_at("bristol", table, "t3-t2")
    assert told.action is None
    assert told.why == "It seems that you can no longer win from here. Try undo."
    told = advice_at("bristol", table)
    assert told.action is None
    assert told.why == "Going by the cards in sight, this deal can't be won.", "nothing to undo"


async def test_in_a_deal_that_cannot_be_won_the_first_hint_offers_another(
    visitor: AsyncClient,
):
    """Its reserve hides nothing, and locks itself. Before the first move there is nothing to undo."""

    async def hint(version: int) -> str:
        form = {"version": version}
        return (await visitor.post(f"/games/{game}/help/hint", data=form, headers=HTMX)).text

    game = await sit_down(visitor, "signora", "C64T8-9JPAC")
    told = await hint(0)
    assert "Going by the cards in sight, this deal can&#39;t be won." in told
    assert '<button form="again" class="find">New deal</button>' in told
    assert "Find the last winnable position" not in told
    undo = f'<button form="table" class="undo" formaction="/games/{game}/undo"'
    assert undo not in told
    assert 'id="again"' in (await visitor.get(f"/games/{game}")).text
    await visitor.post(f"/api/v1/games/{game}/moves", json={"version": 0, "move": "r1-f1"})
    told = await hint(1)
    assert "you can no longer win from here. Try undo." in told
    assert 'form="again" class="find"' not in told
    assert "Find the last winnable position" in told
    assert undo in told
    await visitor.post(f"/games/{game}/resign", data={"version": 1})
    page = unescape((await visitor.get(f"/games/{game}")).text)
    ending = page[page.index('<div class="choices">') :]
    assert "Going by the cards in sight, this deal can't be won." in page
    assert "It ended after" not in page
    main, other = (
        " ".join(each.split()) for each in re.findall(r"<button.*?</button>", ending)[:2]
    )
    assert main == '<button form="again" class="primary">New deal</button>'
    assert 'class="secondary" name="code" value="C64T8-9JPAC">Try this deal again' in other


def test_a_better_earlier_position_is_told_and_never_the_way_back_to_it():
    game = table_at("bristol", "t1: 6C 5D\nt2: 6H\nt3: 9C", "t1-t2")
    move = next(iter(game.legal_actions))
    back = hint_after(game, 0, Advice((), 0.46))
    assert back.action is None
    assert back.why == (
        "Every move from here leads back to an earlier position. Try undo. About 46% chance to win there."
    )
    worse = hint_after(game, 0, Advice((Estimate(move, 0.31, 0.02),), 0.46))
    assert worse.why.endswith(
        "About 31% chance to win. Undo is better: 46% at an earlier position."
    )


LATE = """
    waste: 3H KD QC 3S 6D 5H KH TC 9D 7D
    f1: AD 2D 3D 4D
    f2: AC 2C 3C 4C 5C 6C
    f3: AS 2S
    f4: AH 2H
    t1: QS JD TS 9H 8C 7H 6S 5D 4S
    t2: KC QH JS TD 9C 8H 7C
    t4: KS QD JC TH 9S 8D 7S 6H 5S 4H
    t7: [JH] 8S
"""
"""A Klondike in which only the jack was never seen."""


def test_a_stock_that_was_turned_over_is_remembered_and_a_plan_goes_on_through_it():
    before = table_at("klondike", LATE).after(GameEvent("waste-t7", 1, "anna", None))
    new = before.history.unvisited_actions()
    advice = advise(before.rules, sight_of(before), new, 20_000)
    after = before.after(GameEvent("deal", 2, "anna", None))
    assert sight_of(after).hidden() == 1
    assert advice
    plan = advice.plan_of(DEAL)
    left = plan and plan.after([DEAL])
    assert left
    told = hint_after(after, 0, NOTHING_ELSE.following(left))
    assert (told.action, told.odds) == (left.actions[0], "Sure to win.")
    again = advise(after.rules, sight_of(after), after.history.unvisited_actions(), 20_000)
    assert again
    assert again.choices[0].chance == 1


async def test_what_a_line_showed_that_was_undone_is_remembered(
    site: FastAPI, visitor: AsyncClient
):
    game = await sit_down(visitor, "signora", WITH_A_CHOICE)
    games = site.state.services.games
    move = (await visitor.get(f"/api/v1/games/{game}")).json()["legal_moves"][0]
    for version, action in enumerate([move, "deal"]):
        body = {"version": version, "move": action}
        await visitor.post(f"/api/v1/games/{game}/moves", json=body)
    dealt = sight_of(await games.log.load(game)).hidden()
    for version in (2, 3):
        await visitor.post(f"/api/v1/games/{game}/undo", json={"version": version})
    after = await games.log.load(game)
    assert after.version == 4
    assert sight_of(after).hidden() == dealt
    assert see(after.position).hidden() == dealt + 1


BASIS = "In trial games from here, no other move did clearly better."


def test_why_tells_what_the_best_hint_rests_on_and_also_why_to_deal():
    game = table_at("klondike", "stock: [2H 3C]\nt1: 9S\nt2: TH\nt3: 4D")
    move = parse_action(game.rules.layout, "t1-t2")
    choices = (Estimate(DEAL, 0.5, 0.02), Estimate(move, 0.4, 0.02))
    advice = Advice(choices, None)
    first, second = (hint_after(game, given, advice, says_chance=False) for given in (0, 1))
    assert first.action == DEAL
    assert first.besides == f"The other moves can wait: the stock comes round again. {BASIS}"
    assert second.action == move
    assert BASIS not in second.besides, "it is not the best"
    for other in (advice._replace(back=0.9), Advice(choices[::-1], None)):
        assert BASIS not in hint_after(game, 0, other, says_chance=False).besides


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (KLONDIKE, "The other moves can wait: the stock comes round again."),
        (ONE_PASS, "No move seems better now."),
    ],
    ids=lambda value: value.id if isinstance(value, Ruleset) else "",
)
def test_a_deal_that_comes_first_by_heuristic_has_a_reason(rules: Ruleset, reason: str):
    code = parse_code("FR35H-00002")
    history = History.start(rules, deck_of_code(code, rules.decks))
    game = Game.start(game_id="x", history=history, code=code, owner_id="anna", at_ms=0)
    for action in ("deal", "t6-t1", "t2-t4", "t7-t2", "t2-t1:2"):
        game = game.after(GameEvent(action, 1, "anna", None))
    hint = hint_after(game, 0)
    assert (hint.action, hint.besides) == (DEAL, reason)


def test_where_all_is_known_why_tells_how_long_a_win_takes():
    homes = [" ".join(rank + suit for rank in "A23456789TJQ") for suit in "CDHS"]
    text = "\n".join(f"f{n}: {home}" for n, home in enumerate(homes, start=1))
    game = table_at("bristol", f"{text}\nt1: KS\nt2: KH\nt3: KD\nt4: KC")
    homeward = tuple(parse_action(game.rules.layout, f"t{n}-f{5 - n}") for n in range(1, 5))
    advice = Advice((Estimate(homeward[0], 1.0, 0.0),), None, plans=(homeward,))
    assert hint_after(game, 0, advice).besides.endswith("a way to win from here in 4 moves.")


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ([(0.5, 0.01), (0.49, 0.02)], "Other moves are about as good."),
        ([(0.49, 0.02), (0.44, 0.02)], "Another move is about as good."),
        ([(0.49, 0.6)], "next best move: 49%."),  # nothing is known of it
        ([(0.46, 0.2)], "next best move: 46%."),  # a review would look closer
    ],
)
def test_a_hint_tells_of_all_the_moves_that_a_review_would_call_best(
    rest: list[tuple[float, float]], said: str
):
    game = table_at("klondike", "stock: [9H]\nt1: 9S\nt2: TH\nt3: TD\nt4: 8H")
    first, *others = [parse_action(game.rules.layout, w) for w in ("t1-t2", "t1-t3", "t4-t1")]
    estimates = (Estimate(action, *known) for action, known in zip(others, rest, strict=False))
    advice = Advice((Estimate(first, 0.5, 0.01), *estimates), None)
    hint, quiet = (hint_after(game, 0, advice, says_chance=says) for says in (True, False))
    assert quiet.odds == ""
    if "as good" in said:  # what speaks against its being the only one is behind "Why?"
        assert hint.odds == "About 50% chance to win."
        assert hint.besides == quiet.besides
        assert hint.besides.endswith(said)
        assert BASIS not in hint.besides, "that nothing else is better is said already"
    else:
        assert hint.odds.endswith(said)


def test_no_hint_names_another_empty_foundation_for_the_same_card():
    """A plan that is under way has its own chance, so that its first move may stand beside one that is as good."""
    game = table_at("klondike", "t1: AD\nt2: 2S\nt3: 3D")
    moves = [parse_action(game.rules.layout, word) for word in ("t1-f1", "t1-f2", "t2-t3")]
    known = [Estimate(*one, 0.1) for one in zip(moves, (0.5, 0.49, 0.48), strict=True)]
    found = [hint_after(game, given, Advice(tuple(known), None)) for given in (0, 1)]
    assert [hint.action for hint in found] == [moves[0], moves[2]]
    assert {hint.total for hint in found} == {2}


def test_empty_places_that_a_card_fits_alike_count_once():
    game = table_at("klondike", "t1: AD\nt2: 2S")
    layout = game.rules.layout
    home = [Estimate(parse_action(layout, f"t1-f{n}"), 0.5, 0.01) for n in (1, 2, 3)]
    up = Estimate(parse_action(layout, "t1-t2"), 0.5, 0.01)
    advice = Advice((home[0], up), None, equals=tuple(home[1:]))
    assert "Another move is about as good." in hint_after(game, 1, advice).besides
    assert "as good" not in hint_after(game, 0, advice).besides, (
        "a card that goes home needs no count"
    )


@pytest.mark.parametrize(
    ("other", "is_hint"),
    [
        ("t1-t4", False),  # only another ten for the nine
        ("t3-t4", True),  # it turns a card up
    ],
)
def test_a_hint_tells_of_another_that_is_as_good_only_if_that_is_a_hint_too(
    other: str, is_hint: bool
):
    game = table_at("klondike", "stock: [9H]\nt1: KC 9S\nt2: TH\nt3: [4D] 9C\nt4: TD")
    first, second = (parse_action(game.rules.layout, word) for word in ("t1-t2", other))
    equals = (Estimate(second, 0.5, 0.01),)
    advice = Advice((Estimate(first, 0.5, 0.01),), None, equals=equals)
    hint, another = (hint_after(game, given, advice) for given in (0, 1))
    assert hint.action == first
    assert hint.besides == "In trial games from here, no other move did clearly better.", (
        "that says of the other one, too, that it may be as good"
    )
    assert "next best" not in hint.odds, "the other one is as good, whether it is a hint or not"
    assert (hint.total, another.action) == ((2, second) if is_hint else (1, None))
    if is_hint:
        assert another.besides == "It turns a card face up. Another move is about as good."
