"""Watching a game of somebody else: the line above the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.faults import all_faults, resize
from tests.browser.game_page import wait_until
from tests.browser.interception import intercept
from tests.browser.running import running
from tests.golden.records import RECORDS
from tests.support.known import CODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import BrowserContext, Page, Route

SIZES = ((390, 844), (844, 390), (768, 1024), (1024, 768), (1280, 800), (1440, 900), (2560, 1440))
WATCHING = "You are watching, so you can't move."
CUT = """() => {
  const line = document.querySelector(".game-bar");
  line.querySelector(".whose bdi").textContent = "Graceful Bumblebee"; // the widest name that a guest is given
  return [...line.querySelectorAll("h1, .whose")]
    .filter((name) => name.scrollWidth > name.clientWidth + 1 || name.clientWidth < 40)
    .map((name) => name.textContent);
}"""


@pytest.mark.parametrize("locale", ["en", "de"])
def test_whoever_watches_can_read_the_names(
    page_with: Callable[..., Page], site_address: str, locale: str
) -> None:
    form: dict[str, str | float | bool] = {"ruleset": "forty-thieves", "code": CODE}
    player, watcher = page_with(), page_with(locale=locale)
    dealt = player.request.post(f"{site_address}/play", form=form, headers={"Origin": site_address})
    watcher.goto(dealt.url)
    watcher.locator("#viewers:not([hidden])").wait_for(state="attached")
    with all_faults() as at:
        for width, height in SIZES:
            with at(f"{width} x {height}"):
                resize(watcher, width, height)
                assert watcher.evaluate(CUT) == []


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)])
def test_whoever_watches_and_presses_a_card_reads_why_in_one_place(
    page_with: Callable[..., Page], site_address: str, size: tuple[int, int]
) -> None:
    form: dict[str, str | float | bool] = {"ruleset": "freecell", "code": CODE}
    player = page_with()
    watcher = page_with(viewport={"width": size[0], "height": size[1]})
    dealt = player.request.post(f"{site_address}/play", form=form, headers={"Origin": site_address})
    watcher.goto(dealt.url)
    watcher.wait_for_load_state()
    line = watcher.locator("#notice")
    expect(line.locator("span:not(.sr-only)")).to_have_text(WATCHING)
    for card in ("t1", "f1"):
        watcher.locator(f'#table button[value="{card}"]').click()
        expect(watcher.locator(".toast")).to_have_text(WATCHING)
        expect(line).to_have_text(WATCHING)  # for screen readers
        expect(line.locator("span:not(.sr-only)")).to_have_count(0)


def test_whoever_watches_a_win_is_told_who_won_and_not_celebrated(
    page_with: Callable[..., Page], site_address: str
) -> None:
    won = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
    player, watcher = page_with(), page_with()
    form: dict[str, str | float | bool] = {"ruleset": "bristol", "code": won.code or ""}
    dealt = player.request.post(f"{site_address}/play", form=form, headers={"Origin": site_address})
    for version, move in enumerate(won.moves[:-1]):
        player.request.post(f"{dealt.url}/move", form={"version": version, "move": move})
    player.goto(dealt.url)
    watcher.goto(dealt.url)
    name = watcher.locator(".whose bdi").inner_text()
    for page in (player, watcher):
        page.evaluate(
            """() => new MutationObserver(() => {
              if (document.querySelector(".curtain")) document.body.dataset.celebrated = "";
            }).observe(document.body, { childList: true, subtree: true })"""
        )
    last: dict[str, str | float | bool] = {
        "version": len(won.moves) - 1,
        "move": won.moves[-1],
    }
    player.request.post(f"{dealt.url}/move", form=last)
    expect(watcher.get_by_role("heading", name=f"{name} won")).to_be_visible()
    expect(watcher.get_by_role("link", name="Watch the replay")).to_be_visible()
    expect(player.get_by_role("heading", name="You won!")).to_be_visible()
    expect(player.locator("body")).to_have_attribute("data-celebrated", "")
    expect(watcher.locator("body")).not_to_have_attribute("data-celebrated", "")
    watcher.get_by_role("button", name="Play this deal").click()
    watcher.wait_for_url(lambda url: url != dealt.url)
    expect(watcher.locator("#state")).to_have_attribute("data-version", "0")


def test_a_chance_that_the_server_could_not_give_is_asked_for_again(
    page_with: Callable[..., Page], new_context: Callable[..., BrowserContext], site_address: str
) -> None:
    """After an error it would else stay that of an earlier position until the next move."""
    form: dict[str, str | float | bool] = {"ruleset": "bristol", "code": CODE}
    player, watcher = page_with(), new_context().new_page()
    dealt = player.request.post(f"{site_address}/play", form=form, headers={"Origin": site_address})
    path = dealt.url.removeprefix(site_address)
    chosen = player.request.put(f"{site_address}/api/v1{path}/chance")
    assert chosen.ok, chosen.text()
    watcher.clock.install()
    asked = []

    def fail(route: Route) -> None:
        asked.append(route.request)
        route.fulfill(status=503, body="")

    watcher.goto(dealt.url)
    watcher.locator("#viewers:not([hidden])").wait_for(state="attached")  # it hears of moves
    address = watcher.locator("#live-chance").get_attribute("data-address")
    intercept(watcher, f"**{address}", fail)
    body = {"version": 0, "move": "deal"}
    assert player.request.post(f"{site_address}/api/v1{path}/moves", data=body).ok
    wait_until(watcher, lambda: asked)
    watcher.clock.run_for(10_000)
    wait_until(watcher, lambda: len(asked) > 1)


def test_the_pictures_of_live_games_follow_their_moves_while_the_page_is_seen(
    page_with: Callable[..., Page], new_context: Callable[..., BrowserContext], site_address: str
) -> None:
    player, watcher = page_with(), new_context().new_page()
    form: dict[str, str | float | bool] = {"ruleset": "bristol", "code": CODE}
    dealt = player.request.post(f"{site_address}/play", form=form, headers={"Origin": site_address})
    game = dealt.url.removeprefix(f"{site_address}/games/")
    api = f"{site_address}/api/v1/games/{game}"
    assert player.request.put(f"{api}/audience", data={"audience": "public"}).ok
    watcher.clock.install()
    watcher.goto(f"{site_address}/watch")
    row = watcher.locator(f"#game-{game}")
    expect(row).to_contain_text("just dealt")
    before = row.locator("svg").inner_html()
    row.get_by_role("link").focus()
    assert player.request.post(f"{api}/moves", data={"version": 0, "move": "deal"}).ok
    with watcher.expect_response("**/watch?*"):
        watcher.clock.run_for(10_000)
    expect(row).to_contain_text("1 move")
    assert row.locator("svg").inner_html() != before
    expect(row.get_by_role("link")).to_be_focused()
    with watcher.expect_response("**/watch?*") as unchanged:
        watcher.clock.run_for(10_000)
    assert unchanged.value.status == 204
    assert player.request.put(f"{api}/audience", data={"audience": "nobody"}).ok


def step_shown(page: Page) -> int:
    return int(page.locator(".show .at").inner_text())


@pytest.fixture(scope="module")
def quiet_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site on which nobody plays in public."""
    folder = tmp_path_factory.mktemp("quiet")
    with running(f"sqlite:///{folder / 'site.db'}", folder) as address:
        yield address


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)])
def test_without_live_games_one_that_the_site_played_plays_by_itself(
    new_context: Callable[..., BrowserContext], quiet_site: str, size: tuple[int, int]
) -> None:
    page = new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.goto(f"{quiet_site}/watch")
    middle = int(page.locator("#table").get_attribute("data-at") or "")
    height = page.locator(".show").evaluate("figure => figure.offsetHeight")
    page.wait_for_function(
        "before => document.querySelector('#table').dataset.at > before + 1", arg=middle
    )
    assert page.locator(".show").evaluate("figure => figure.offsetHeight") == height
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert step_shown(page) > middle
    out_of_the_cloth = """() => {
      const cloth = document.querySelector(".show .preview").getBoundingClientRect();
      return [...document.querySelectorAll("#table .pile > :is(b, i)")].filter((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        return left < cloth.left || right > cloth.right || top < cloth.top || bottom > cloth.bottom;
      }).length;
    }"""
    assert page.evaluate(out_of_the_cloth) == 0


def test_with_reduced_motion_it_stands_still_until_its_button_is_pressed(
    new_context: Callable[..., BrowserContext], quiet_site: str
) -> None:
    page = new_context(reduced_motion="reduce").new_page()
    page.clock.install()
    page.goto(f"{quiet_site}/watch")
    play = page.get_by_role("button", name="Play", exact=True)
    expect(play).to_be_visible()
    first = step_shown(page)
    page.clock.run_for(30_000)
    assert step_shown(page) == first
    play.click()
    page.clock.run_for(1_200)
    expect(page.locator(".show .at")).to_have_text(str(first + 1))


def test_at_its_end_it_rests_and_begins_again(
    new_context: Callable[..., BrowserContext], quiet_site: str
) -> None:
    page = new_context().new_page()
    page.clock.install()
    page.goto(f"{quiet_site}/watch")
    last = page.locator(".show").get_attribute("data-last")
    page.clock.run_for(100)  # it waits a little longer before its first step than between steps
    while (shown := step_shown(page)) < int(last or ""):
        page.clock.run_for(1_100)
        expect(page.locator(".show .at")).not_to_have_text(str(shown))
    expect(page.locator(".show .at")).to_have_text(last or "")
    page.clock.run_for(6_000)
    expect(page.locator(".show .at")).not_to_have_text(last or "")
    assert step_shown(page) < 10


def test_without_a_script_it_is_a_picture_and_a_link_to_its_replay(
    new_context: Callable[..., BrowserContext], quiet_site: str
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{quiet_site}/watch")
    name = page.locator(".show figcaption a")
    title = name.inner_text()
    expect(page.get_by_role("img", name=f"{title} table")).to_be_visible()
    expect(page.locator(".show .play")).to_be_hidden()
    name.click()
    expect(page.locator(".at-replay h1")).to_contain_text(title)


PICTURES_REACH = """() => {
  const list = document.querySelector(".now .live").getBoundingClientRect();
  const pictures = [...document.querySelectorAll(".now .live .cloth")].map((one) => one.getBoundingClientRect());
  return (Math.max(...pictures.map((one) => one.right)) - list.left) / list.width;
}"""


def test_few_live_games_take_the_width_of_the_page(
    new_context: Callable[..., BrowserContext], quiet_site: str
) -> None:
    page = new_context(viewport={"width": 1440, "height": 900}).new_page()
    public = []
    for count, least in enumerate(
        (0.74, 0.99, 0.99), 1
    ):  # the words of a lone game stand beside it
        player = new_context().request
        form: dict[str, str | float | bool] = {"ruleset": "bristol", "code": CODE}
        dealt = player.post(f"{quiet_site}/play", form=form, headers={"Origin": quiet_site})
        api = f"{quiet_site}/api/v1{dealt.url.removeprefix(quiet_site)}/audience"
        assert player.put(api, data={"audience": "public"}).ok
        public.append((player, api))
        for width in (1440, 2560):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(f"{quiet_site}/watch")
            expect(page.locator(".now .live > li")).to_have_count(count)
            assert page.evaluate(PICTURES_REACH) >= least
    for player, api in public:
        assert player.put(api, data={"audience": "nobody"}).ok
