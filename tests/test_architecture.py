"""House rules that no linter knows; the direction of imports is in pyproject.toml."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "app").rglob("*.py"))
PURE = [path for path in MODULES if path.parts[-2] in {"engine", "games", "solver"}]
VAGUE = {"common", "helpers", "manager", "misc", "utils"}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported_by(path: Path) -> set[str]:
    """The top-level packages that a module imports, wherever in it."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    named = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in plain + named}


@pytest.mark.parametrize("path", PURE, ids=name_of)
def test_the_rules_stand_on_the_standard_library_alone(path):
    assert imported_by(path) <= {"app", *sys.stdlib_module_names}


@pytest.mark.parametrize("path", [path for path in PURE if "solver" not in path.parts], ids=name_of)
def test_the_rules_know_no_chance_and_no_clock(path):
    assert not imported_by(path) & {"random", "time", "datetime"}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_is_one_idea_that_its_first_line_says(path):
    text = path.read_text()
    assert len(text.splitlines()) < 300
    assert text.startswith('"""')
    assert path.stem not in VAGUE


def test_no_page_carries_script_or_style_of_its_own():
    # The content security policy would stop them; this says so before a browser does.
    found = [
        f"{name_of(path)}: {mark}"
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for mark in ("style=", "<style", "onclick=", "hx-on:", "javascript:")
        if mark in path.read_text()
    ]
    assert found == []
