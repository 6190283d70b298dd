"""The moment of a win: its dance of cards, its words, and the panel after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from app.i18n.languages import catalog_of, offered
from tests.browser.game_page import SLOW_MOTION, SWAP_IN, keep_runs, wait_until
from tests.golden.records import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.kept_page

WON = next(r for r in RECORDS if (r.ruleset, r.end) == ("bristol", "won"))


@pytest.mark.parametrize("calm", [False, True])
def test_a_win_has_its_moment_once_and_any_key_skips_it(page_with, open_game, calm):
    page = page_with(
        reduced_motion="reduce" if calm else "no-preference",
        viewport={"width": 1440, "height": 900},
    )
    game_page = open_game(page, "bristol", WON.code)
    game_page.play_unseen(WON.moves[:-1])
    page.wait_for_load_state()
    source, target = WON.moves[-1].split("-")
    page.evaluate(SLOW_MOTION)
    game_page.click(source)
    expect(page.locator(".curtain-words")).to_have_text("You won!")
    assert (page.locator(".ghost").count() > 0) is not calm
    expect(page.locator(".ending")).to_be_hidden()
    assert target.startswith("f")
    page.evaluate("goOnAtFullSpeed()")
    page.evaluate("addEventListener('keydown', () => (document.body.dataset.pressed = ''))")

    def is_pressed() -> bool:  # a busy browser may lose a key
        page.keyboard.press("Shift")
        return bool(page.locator("body[data-pressed]").count())

    wait_until(page, is_pressed)
    expect(page.locator(".curtain")).to_have_count(0, timeout=10_000)  # a quarter of the moment
    expect(page.locator(".ghost")).to_have_count(0)
    expect(page.locator(".ending")).to_be_visible()
    expect(page.locator(".curtain-words")).to_have_count(0)
    middle = page.locator(".ending").evaluate(
        "card => { const { left, right } = card.getBoundingClientRect(); return (left + right) / 2; }"
    )
    assert middle == pytest.approx(720, abs=1)
    expect(page.get_by_role("heading", name="You won!")).to_be_visible()
    expect(page.locator(".rail .undo")).to_be_hidden()  # nothing is left to do
    lasts = page.locator(".ending .court use")
    expect(lasts).to_have_count(4)
    assert lasts.evaluate_all("""cards => cards.every((one) => {
        const [own, court] = [one, one.ownerSVGElement].map((each) => each.getBoundingClientRect());
        return own.top >= court.top && own.bottom > court.bottom; // behind the paper
    })""")
    page.reload()
    page.wait_for_load_state()
    page.evaluate(SWAP_IN, page.locator("#state").evaluate("state => state.outerHTML"))
    page.wait_for_timeout(200)
    expect(page.locator(".curtain")).to_have_count(0)


def test_a_win_keeps_its_card_back_for_a_few_seconds_only(page, open_game):
    """It has its moment even after cards that went home by themselves."""
    open_game(page, "bristol", WON.code).play_unseen(WON.moves)
    for spent in (0, 1600):
        lasts = page.evaluate(UNTIL_THE_CARD, spent)
        assert 3000 <= lasts <= 5000 - spent + 100


def test_cards_that_end_a_game_leave_its_moment_time(page_with, open_game):
    page = page_with(viewport={"width": 390, "height": 844})
    record = next(r for r in RECORDS if r.name == "freecell-won")
    open_game(page, record.ruleset, record.code).play_unseen(record.moves[:FINISHES_FROM])
    answers: list[str] = []
    page.on("response", lambda answer: answers.append(f"{answer.status} {answer.url}"))
    lasts, frames = page.evaluate(FROM_FINISH_TO_THE_CARD)
    shown = (
        page.locator("#table").get_attribute("class"),
        page.locator("#state").get_attribute("class"),
    )
    seen = f"{frames} frames, {answers}, {shown}"
    assert 2000 <= lasts <= 30_000, f"five seconds, and more where it takes long to draw: {seen}"


def test_the_words_of_a_win_lie_in_the_hole_of_the_wheel(page_with, open_game):
    page = page_with()
    open_game(page, "bristol", WON.code).play_unseen(WON.moves)
    catalogs = {info.tag: catalog_of(info) for info in offered()}
    said: set[tuple[str, str]] = set()
    for english in ("You won!", "You won the race!"):
        all_said = {(tag, c.gettext(english) if c else english) for tag, c in catalogs.items()}
        said |= {one for one in all_said if one[0] in {"en", "de", "ja"}}
        said.add(max(all_said, key=lambda one: len(one[1])))
    for width, height in ((390, 844), (844, 390), (1440, 900), (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        hole, all_found = page.evaluate(IN_THE_WHEEL, sorted(said))
        assert 0 < hole < min(width, height)
        for (_, title), found in zip(sorted(said), all_found, strict=True):
            where = f"{title} at {width}x{height}, hole {hole}: {found}"
            assert found["farthest"] < hole / 2, where
            assert found["atClosing"] == "0", where
            assert found["widest"] <= hole * 0.86, where
            # As large as there is room: the most that a line takes, or the largest that they ever are.
            assert found["widest"] >= hole * 0.55 or found["size"] >= 30, where


@pytest.mark.parametrize("ruleset", ["klondike", "spider-one-suit", "freecell"])
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (2560, 1440)])
def test_the_cards_of_every_dance_keep_clear_of_its_words(
    page_with, open_game, site_address, ruleset, size
):
    page = page_with(viewport={"width": size[0], "height": size[1]})
    keep_runs(page, site_address)
    record = next(r for r in RECORDS if (r.ruleset, r.end) == (ruleset, "won"))
    open_game(page, ruleset, record.code).play_unseen(record.moves)
    found = page.evaluate(DANCING)
    assert found["dance"] == DANCES[ruleset]
    assert found["cards"] == 52
    assert found["covering"] == 0
    assert found["apart"] > 20, "they are spread out"
    assert "Clean win" in found["fact"]
    assert found["golden"] == 52
    if ruleset == "freecell":
        heart = page.evaluate(DANCING, "heart")
        assert (heart["cards"], heart["covering"]) == (52, 0)
        assert heart["apart"] > 20


DANCES = {"klondike": "ribbons", "spider-one-suit": "fan", "freecell": "wheel"}
# All cards as they are while the words are there.
DANCING = """async (another) => {
  const src = document.querySelector('script[src*="js/table.js"]').src;
  const { celebrate } = await import(src.replace("table.js", "ending.js"));
  const { dataset } = document.querySelector(".ending");
  if (another) dataset.dance = another;
  celebrate();
  const lasts = Math.max(...document.getAnimations().map((each) => each.effect.getComputedTiming().endTime));
  for (const animation of document.getAnimations()) {
    animation.pause();
    animation.currentTime = lasts * 0.63;
  }
  const words = document.querySelector(".curtain-words");
  const text = document.createRange();
  text.selectNodeContents(words.firstChild);
  const said = text.getBoundingClientRect();
  // The middle of each card and of its sides: a card that leans fills less than its box.
  const cards = [...document.querySelectorAll(".ghost")];
  const spots = cards.map((card) => {
    const { left, right, top, bottom } = card.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return [[x, top], [x, bottom], [left, y], [right, y]];
  });
  const isOver = ([x, y]) => x > said.left && x < said.right && y > said.top && y < said.bottom;
  const lefts = spots.map(([[x]]) => Math.round(x));
  const found = {
    dance: dataset.dance,
    cards: cards.length,
    covering: spots.filter((one) => one.some(isOver)).length,
    apart: new Set(lefts).size,
    fact: words.dataset.fact,
    golden: cards.filter((card) => getComputedStyle(card).outlineStyle === "solid").length,
  };
  dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
  for (const animation of document.getAnimations()) animation.finish();
  while (document.querySelector(".curtain-words")) await new Promise(requestAnimationFrame);
  return found;
}"""
FINISHES_FROM = 83
"""After so many moves of the record, all cards can go home."""
FROM_FINISH_TO_THE_CARD = """async () => {
  const began = performance.now();
  document.querySelector(".rail.can-finish .finish").click();
  const isThere = () => document.querySelector(".ending")?.checkVisibility({ visibilityProperty: true });
  let frames = 0;
  for (; !isThere() && performance.now() - began < 40_000; frames++) await new Promise(requestAnimationFrame);
  return [performance.now() - began, frames];
}"""
# How long the moment is, as its longest animation says, with the words that fade out after it.
UNTIL_THE_CARD = """async (spent) => {
  const src = document.querySelector('script[src*="js/table.js"]').src;
  const { celebrate } = await import(src.replace("table.js", "ending.js"));
  celebrate(spent);
  const lasts = Math.max(...document.getAnimations().map((each) => each.effect.getComputedTiming().endTime)) + 240;
  dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
  for (const animation of document.getAnimations()) animation.finish();
  while (document.querySelector(".curtain-words")) await new Promise(requestAnimationFrame);
  return lasts;
}"""
# The wheel is the same around all words, and takes long to draw: the first have one, the others are measured alone.
IN_THE_WHEEL = """async (said) => {
  const src = document.querySelector('script[src*="js/table.js"]').src;
  const { celebrate } = await import(src.replace("table.js", "ending.js"));
  const piles = [...document.querySelectorAll(".foundations .pile")].map((pile) => [pile, [...pile.children]]);
  const cloth = document.querySelector(".cloth").getBoundingClientRect();
  const middle = { x: innerWidth / 2, y: cloth.top + cloth.height / 2 };
  const from = (x, y) => Math.hypot(x - middle.x, y - middle.y);
  let hole = 0;
  const all = [];
  for (const [language, title] of said) {
    document.documentElement.lang = language;
    document.querySelector(".ending h2").textContent = title;
    celebrate();
    for (const animation of document.getAnimations()) {
      animation.pause();
      animation.currentTime = 2600; // the wheel is open
    }
    hole ||= 2 * Math.min(...[...document.querySelectorAll(".ghost")].map((card) => {
      const { left, right, top, bottom } = card.getBoundingClientRect();
      const { a, b } = new DOMMatrix(getComputedStyle(card).transform);
      return from((left + right) / 2, (top + bottom) / 2) - (card.clientHeight * Math.hypot(a, b)) / 2;
    }));
    const text = document.createRange();
    const words = document.querySelector(".curtain-words");
    text.selectNodeContents(words.firstChild);
    const lines = [...text.getClientRects()];
    const corners = lines.flatMap(({ left, right, top, bottom }) =>
      [left, right].flatMap((x) => [from(x, top), from(x, bottom)]));
    const found = {
      farthest: Math.max(...corners),
      widest: Math.max(...lines.map(({ width }) => width)),
      size: Number.parseFloat(getComputedStyle(words).fontSize),
    };
    for (const animation of document.getAnimations()) animation.currentTime = 3500; // the cards fly home
    found.atClosing = getComputedStyle(words).opacity;
    dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
    for (const animation of document.getAnimations()) animation.finish();
    while (document.querySelector(".curtain-words")) await new Promise(requestAnimationFrame);
    for (const [pile] of piles) pile.replaceChildren();
    all.push(found);
  }
  for (const [pile, cards] of piles) pile.replaceChildren(...cards);
  return [hole, all];
}"""


def test_the_words_of_a_win_are_gone_before_its_card_comes(page, open_game):
    page.set_viewport_size({"width": 1440, "height": 900})
    open_game(page, "bristol", WON.code).play_unseen(WON.moves)
    seen_together = page.evaluate("""async () => {
      const src = document.querySelector('script[src*="js/table.js"]').src;
      const { celebrate } = await import(src.replace("table.js", "ending.js"));
      celebrate();
      dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
      const words = document.querySelector(".curtain-words");
      const card = document.querySelector(".ending");
      let together = 0;
      while (words.isConnected) {
        if (card.checkVisibility({ visibilityProperty: true })) together++;
        await new Promise(requestAnimationFrame);
      }
      return together;
    }""")
    assert seen_together == 0
    expect(page.locator(".ending")).to_be_visible()


def test_the_panel_of_a_win_comes_with_the_last_of_its_cards(page, open_game):
    open_game(page, "bristol", WON.code).play_unseen(WON.moves)
    bare = page.evaluate("""async () => {
      const src = document.querySelector('script[src*="js/table.js"]').src;
      const { celebrate } = await import(src.replace("table.js", "ending.js"));
      document.documentElement.dataset.speed = "fast";
      celebrate();
      const card = document.querySelector(".ending");
      let bare = 0;
      while (!card.checkVisibility({ visibilityProperty: true })) {
        if (!document.querySelector(".ghost")) bare++;
        await new Promise(requestAnimationFrame);
      }
      return bare;
    }""")
    assert bare == 0, "frames without cards in the air and without the panel"


@pytest.mark.parametrize("calm", [False, True])
def test_the_panel_of_a_win_says_all_from_its_first_frame_on(page_with, open_game, calm):
    page = page_with(
        reduced_motion="reduce" if calm else "no-preference",
        viewport={"width": 1440, "height": 900},
    )
    open_game(page, "bristol", WON.code).play_unseen(WON.moves)
    expect(page.locator(".ending .tally b")).to_have_count(2)
    seen = page.evaluate("""async () => {
      const src = document.querySelector('script[src*="js/table.js"]').src;
      const { celebrate } = await import(src.replace("table.js", "ending.js"));
      const card = document.querySelector(".ending");
      const figures = () => [...card.querySelectorAll(".tally b")].map((each) => each.textContent);
      const said = figures();
      celebrate();
      dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
      const seen = [];
      while (seen.length < 5) {
        if (card.checkVisibility({ visibilityProperty: true })) {
          seen.push(getComputedStyle(card).opacity === "1" && `${figures()}` === `${said}`);
        }
        await new Promise(requestAnimationFrame);
      }
      return seen;
    }""")
    assert seen == [True] * 5


@pytest.mark.parametrize("ruleset", ["klondike", "bristol"])
def test_on_a_phone_on_its_side_the_heading_of_a_win_lies_beside_its_buttons(
    page_with: Callable[..., Page], site_address: str, ruleset: str
) -> None:
    """In German it is long, and Klondike leaves little room for it."""
    won = next(each for each in RECORDS if (each.ruleset, each.end) == (ruleset, "won"))
    page = page_with(viewport={"width": 844, "height": 390}, reduced_motion="reduce")
    form: dict[str, str | float | bool] = {"ruleset": ruleset, "code": won.code or ""}
    dealt = page.request.post(f"{site_address}/play", form=form, headers={"Origin": site_address})
    for version, move in enumerate(won.moves):
        page.request.post(f"{dealt.url}/move", form={"version": version, "move": move})
    for language in ("en", "de", "fr", "pl", "pt-BR", "ar"):
        page.set_extra_http_headers({"Accept-Language": language})
        page.goto(dealt.url)
        covered = page.locator(".ending.whole h2").evaluate(
            """(heading) => {
              const text = document.createRange();
              text.selectNodeContents(heading);
              const { left, right, top, bottom } = text.getBoundingClientRect();
              return [...document.querySelectorAll(".ending :is(.choices > *, summary)")].filter((button) => {
                const its = button.getBoundingClientRect();
                const beside = its.right <= left || its.left >= right || its.bottom <= top || its.top >= bottom;
                return its.width > 0 && !beside;
              }).map((button) => button.textContent.trim());
            }"""
        )
        assert covered == [], language


# The most that can be seen of the words while a card flies over them.
UNDER_CARDS = """async (dance) => {
  const src = document.querySelector('script[src*="js/table.js"]').src;
  const { celebrate } = await import(src.replace("table.js", "ending.js"));
  document.querySelector("[data-dance]").dataset.dance = dance;
  celebrate();
  const words = document.querySelector(".curtain-words");
  const { left, right, top, bottom } = words.getBoundingClientRect();
  const animations = document.getAnimations();
  let [most, over] = [0, 0];
  for (const animation of animations) animation.pause();
  for (let time = 0; time <= 3500; time += 50) {
    for (const animation of animations) animation.currentTime = time;
    const isOver = [...document.querySelectorAll(".ghost")].some((card) => {
      const box = card.getBoundingClientRect(); // of a turned card, it is wider than the card
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      return x > left && x < right && y > top && y < bottom;
    });
    if (isOver) [most, over] = [Math.max(most, Number(getComputedStyle(words).opacity)), over + 1];
  }
  for (const animation of animations) animation.finish();
  return [most, over];
}"""


@pytest.mark.parametrize("dance", ["ribbons", "wheel"])
def test_no_card_flies_over_the_words_of_a_win(page, open_game, dance):
    page.set_viewport_size({"width": 1440, "height": 900})
    open_game(page, "bristol", WON.code).play_unseen(WON.moves)
    most, over = page.evaluate(UNDER_CARDS, dance)
    assert over > 0
    assert most < 0.2
