"""Style sheets: what makes a browser do much for every change of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.folders import static_folder

SHEETS = sorted((static_folder() / "css").glob("*.css"))
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{};]+)\{")
_ARGUMENTS = re.compile(r"(:has)?\([^()]*\)", re.IGNORECASE)
_COMBINATOR = re.compile(r"\s*[ >+~]\s*")


def selectors(text: str) -> Iterator[str]:
    """Every selector of a style sheet, with its arguments taken off: ``.pile:has()``."""
    for found in _RULE.finditer(_COMMENT.sub("", text)):
        prelude = found[1].strip()
        if prelude.startswith("@"):
            continue
        while _ARGUMENTS.search(prelude):
            prelude = _ARGUMENTS.sub(_without, prelude)
        yield from (selector.strip() for selector in prelude.split(","))


def _without(arguments: re.Match[str]) -> str:
    """Nothing, or that they ask for what some element has."""
    return ":HAS" if ":has" in arguments[0].lower() else ""


def hovering(text: str) -> Iterator[tuple[str, bool]]:
    """Every selector with a state under the mouse, and whether it is only for what can hover."""
    within: list[str] = []
    for before, bracket in re.findall(r"([^{}]*)([{}])", _COMMENT.sub("", text)):
        if bracket == "}":
            within.pop()
            continue
        prelude = before.rpartition(";")[2].strip()
        if ":hover" in prelude:
            yield prelude, "@media (hover: hover)" in within
        within.append(prelude)


MOVING = "@media (prefers-reduced-motion: no-preference)"


def moving(text: str) -> Iterator[str]:
    """Every selector that begins an animation for those who have asked their device for no rest."""
    within: list[str] = []
    for before, bracket in re.findall(r"([^{}]*)([{}])", _COMMENT.sub("", text)):
        if bracket == "{":
            within.append(before.rpartition(";")[2].strip())
        elif MOVING in within and re.search(r"\banimation\b", before):
            yield within.pop()
        else:
            within.pop()


def styles_any_element(selector: str) -> bool:
    """Whether it asks for what some element has, and ends with any element below or beside it."""
    *before, last = _COMBINATOR.split(selector)
    return ":HAS" in " ".join(before) and last.startswith(("*", ":not"))


_ARGUMENT = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_SELECTOR = re.compile(rf"(?:[^,()]|{_ARGUMENT})+")
_COMPOUND = re.compile(rf"(?:[^ >+~()]|{_ARGUMENT})+")
_CARD = re.compile(r"(?::is\()?(?:b|i|button|svg)\b(?![.#\[])")


def styles_all_cards(text: str) -> Iterator[str]:
    """Every selector that asks for what some element has, and ends with the tag of a card, or of its drawing."""
    for found in _RULE.finditer(_COMMENT.sub("", text)):
        if found[1].strip().startswith("@"):
            continue
        for selector in map(str.strip, _SELECTOR.findall(found[1])):
            if ":has(" in selector and _CARD.match(_COMPOUND.findall(selector)[-1]):
                yield selector


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_no_change_of_a_table_makes_the_browser_style_every_card(sheet: Path):
    """These cost a third of the time of a move on a large screen."""
    assert list(styles_all_cards(sheet.read_text())) == []


@pytest.mark.parametrize(
    ("selector", "is_bad"),
    [
        (".two:has(#state.deep) #stock > :not(small) > svg", True),
        (".pile > :is(b, button):not(:last-child, :has(+ .lifted))", True),
        (".two:not(:has(#state.over)) .pile:not(.from-4) > :is(b, button)", True),
        (".two:has(#state.over) .pile > b.advised", False),
        (".two:has(b) .pile", False),
        (".two .pile > :is(b, button):not(.bared)", False),
    ],
)
def test_a_selector_that_styles_all_cards_is_found(selector, is_bad):
    assert bool(list(styles_all_cards(selector + "{}"))) == is_bad


def test_what_moves_by_itself_rests_when_animations_are_off_in_the_settings():
    found = [each for sheet in SHEETS for each in moving(sheet.read_text())]
    assert len(found) >= 4
    assert [each for each in found if not each.startswith('html:not([data-speed="off"]) ')] == []


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_no_change_of_a_page_makes_the_browser_style_all_of_it(sheet: Path):
    """After a change anywhere, Chromium styles every element that such a selector may mean: 6 ms a click."""
    assert [each for each in selectors(sheet.read_text()) if styles_any_element(each)] == []


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_nothing_looks_hovered_after_a_tap(sheet: Path):
    """On a touch screen the last thing that was tapped counts as hovered until the next tap."""
    assert [
        rule for rule, is_for_a_mouse in hovering(sheet.read_text()) if not is_for_a_mouse
    ] == []


def test_a_rule_for_a_mouse_is_told_from_one_for_all():
    text = "@media (hover: hover) { a:hover { top: 0; } } b { top: 0; } b:hover { top: 0; }"
    assert list(hovering(text)) == [("a:hover", True), ("b:hover", False)]


@pytest.mark.parametrize(
    ("selector", "is_bad"),
    [
        (".choices:has(> .more[open]) > :not(.more)", True),
        ("main:has(:not(p, :has(i))) > *", True),
        ("#table:where(:has(.over)) .pile > :not(small)", True),
        (".choices:has(> .more[open]) > .less", False),
        (".choices > :not(:has(.more))", False),
        (".choices:has(> .more[open])", False),
    ],
)
def test_a_selector_that_styles_everything_is_found(selector, is_bad):
    (found,) = selectors(selector + "{}")
    assert styles_any_element(found) == is_bad


PAGES = [
    sheet for sheet in SHEETS if sheet.name != "game-page.css"
]  # there, parts lie on the cloth


@pytest.mark.parametrize("sheet", PAGES, ids=lambda sheet: sheet.name)
def test_a_raised_part_has_a_shadow_and_no_border(sheet: Path):
    """One look for all of them: see ``.panel`` in ``site.css``."""
    rules = re.findall(r"[^{}]+\{[^{}]*\}", _COMMENT.sub("", sheet.read_text()))
    raised = [
        rule for rule in rules if "border-radius: 12px" in rule and "background: var(--card" in rule
    ]
    assert [rule.strip() for rule in raised if "border: 1px solid var(--line)" in rule] == []
