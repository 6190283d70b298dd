"""Analysis in a browser: what it means for the game, the wait, and the answer."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.golden.records import RECORDS

LOST = next(record for record in RECORDS if record.name == "bristol-lost")


def violations(page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in found]


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_asking_and_looking_back_work_with_and_without_a_script(
    browser, open_game, site_address, scripted
):
    context = browser.new_context(
        java_script_enabled=scripted,
        base_url=site_address,
        color_scheme="dark" if scripted else "light",
        viewport={"width": 390, "height": 844},
    )
    page = context.new_page()
    open_game(page, "bristol", LOST.code)
    game = page.url.split("/games/")[1]
    for version, move in enumerate(LOST.moves[:-1]):
        page.request.post(f"/api/v1/games/{game}/moves", data={"version": version, "move": move})
    page.goto(f"/games/{game}/help/winnable")
    expect(page.get_by_text("marked as assisted")).to_be_visible()
    if scripted:
        assert violations(page) == []
    page.get_by_role("button", name="Search all cards").click()
    expect(page.locator(".answer")).to_contain_text("No.", timeout=60_000)
    if scripted:
        assert violations(page) == []
    page.get_by_role("link", name="Back to the game").first.click()
    expect(page.locator(".top .assisted")).to_be_visible()
    version = len(LOST.moves) - 1
    body = {"version": version, "move": LOST.moves[-1]}
    page.request.post(f"/api/v1/games/{game}/moves", data=body)
    page.goto(f"/games/{game}/replay")
    page.get_by_role("button", name="Review this game").click()  # this alone starts it
    expect(page.get_by_text("What wins")).to_be_visible(timeout=60_000)
    expect(page.locator(".exact li").first).to_be_visible()
    if scripted:
        assert violations(page) == []
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390
    step = page.get_by_role("button", name="Play on from there").get_attribute("value")
    page.get_by_role("link", name="Watch the solver").click()
    expect(page.get_by_text(f"The solver's way from step {step}")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Play on from there").click()
    expect(page.locator("#table")).to_be_visible()
    assert game not in page.url
    context.close()
