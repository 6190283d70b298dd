"""Tests of the code itself: every declared rule is used, and every game has its tests and records."""

import ast
import dataclasses
import importlib
import pkgutil
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import app.rulesets
from app.engine import vocabulary
from app.engine.actions import Move, parse_action
from app.engine.deal import opening
from app.engine.rules import legal_actions, refusal
from app.engine.rules_page import describe
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_lost
from app.rulesets import RULESETS
from tests.golden.records import RECORDS
from tests.rulesets.test_worked_examples import JUDGED, OPENINGS

ROOT = Path(__file__).parent.parent

WORDS = [
    word
    for word in vars(vocabulary).values()
    if dataclasses.is_dataclass(word) and isinstance(word, type)
]
# The names of a rule set, not its rules.
LABELS = {"id", "revision", "title", "aliases", "source", "tagline"}
RULES = {(word.__name__, field.name) for word in WORDS for field in dataclasses.fields(word)} | {
    ("Ruleset", field.name) for field in dataclasses.fields(Ruleset) if field.name not in LABELS
}


def unused(value: object) -> object:
    """A deep copy of a rule set, without cached values."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return type(value)(**{field.name: unused(getattr(value, field.name)) for field in fields})
    if isinstance(value, tuple):
        return tuple(unused(item) for item in value)
    return value


def rules_read(
    monkeypatch: pytest.MonkeyPatch, use: Callable[[Ruleset], object]
) -> set[tuple[str, str]]:
    """The fields of rule sets that ``use`` looks at, over all games."""
    rulesets = [rules for rules in map(unused, RULESETS) if isinstance(rules, Ruleset)]
    seen: set[tuple[str, str]] = set()

    def watched(self: object, name: str) -> object:
        seen.add((type(self).__name__, name))
        return object.__getattribute__(self, name)

    with monkeypatch.context() as patch:
        for word in (Ruleset, *WORDS):
            patch.setattr(word, "__getattribute__", watched)
        for rules in rulesets:
            use(rules)
    return seen & RULES


def replay(rules: Ruleset) -> None:
    """Play the recorded games of a rule set, asking for all kinds of moves on the way."""
    chance = random.Random(rules.id)
    for record in [record for record in RECORDS if record.ruleset == rules.id]:
        position = opening(rules, record.cards)
        for text in record.moves:
            assert legal_actions(rules, position)
            for _ in range(20):
                source, target = chance.choices(rules.layout.ids, k=2)
                refusal(rules, position, Move(source, target, chance.randint(1, 3)))
            position = apply(rules, position, parse_action(rules.layout, text))
        assert is_lost(rules, position) == (record.end == "lost")


def test_the_engine_reads_every_rule_that_can_be_declared(monkeypatch):
    assert len(WORDS) > 15
    assert sorted(RULES - rules_read(monkeypatch, replay)) == []


def test_the_rules_page_reads_every_rule_that_can_be_declared(monkeypatch):
    assert sorted(RULES - rules_read(monkeypatch, describe)) == []


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_every_game_has_worked_examples_recorded_games_and_a_page(rules):
    module = module_of(rules)
    file = ROOT / "tests" / "rulesets" / f"test_{module}.py"
    own = file.read_text(encoding="utf-8").count("\ndef test_")
    games = [example[0] for example in JUDGED] + [example[0] for example in OPENINGS]
    shared = [game for game in games if module_of(game) == module]
    assert own >= 1
    assert own + len(shared) >= 3
    assert [record for record in RECORDS if record.ruleset == rules.id and record.end == "won"]
    assert len(describe(rules)) >= 7


def module_of(rules: Ruleset) -> str:
    """The module of ``app.rulesets`` that declares a game."""
    return next(
        info.name
        for info in pkgutil.iter_modules(app.rulesets.__path__)
        for name, value in vars(importlib.import_module(f"app.rulesets.{info.name}")).items()
        if value is rules and name.isupper() and declares(info.name, name)
    )


def declares(module: str, name: str) -> bool:
    text = (ROOT / "app" / "rulesets" / f"{module}.py").read_text(encoding="utf-8")
    return f"\n{name} = " in text


def imports_of(module: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, module
            names.add(str(node.module))
    return names


@pytest.mark.parametrize(
    ("part", "below"),
    [
        ("engine", {"app.engine", "app.text"}),
        ("rulesets", {"app.engine", "app.rulesets", "app.text"}),
        ("solver", {"app.engine", "app.rulesets", "app.solver", "app.text"}),
    ],
)
def test_pure_packages_import_only_the_standard_library_and_lower_layers(part, below):
    modules = sorted((ROOT / "app" / part).rglob("*.py"))
    assert modules
    for module in modules:
        for name in imports_of(module):
            own = ".".join(name.split(".")[:2])
            assert own in below or name.split(".")[0] in sys.stdlib_module_names, (module, name)


def test_the_engine_uses_no_clock_and_no_randomness():
    for module in sorted((ROOT / "app" / "engine").glob("*.py")):
        roots = {name.split(".")[0] for name in imports_of(module)}
        assert not roots & {"random", "time", "datetime", "os", "threading", "asyncio"}, module
        assert "secrets" not in roots or module.name == "shuffle.py", module


@pytest.mark.parametrize("part", ["engine", "rulesets"])
def test_modules_are_short_and_have_a_docstring(part):
    for module in sorted((ROOT / "app" / part).rglob("*.py")):
        text = module.read_text(encoding="utf-8")
        most = 400 if module.name == "rules.py" else 300  # the judge stays in one piece
        assert len(text.splitlines()) < most, module
        assert ast.get_docstring(ast.parse(text)), module


def test_a_clock_is_called_one_and_texts_of_times_are_no_part_of_http():
    for module in sorted((ROOT / "app").rglob("*.py")):
        text = module.read_text(encoding="utf-8")
        assert "Callable[[], int]" not in text, module
    assert not (ROOT / "app/http/formats.py").exists()
