"""The examples in the engine's docstrings are correct."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import app.engine

PUBLIC = [
    *(
        "actions",
        "automatic_marks",
        "card_names",
        "cards",
        "deal",
        "dealing_text",
        "example_positions",
        "fc_solve",
        "foundation_text",
        "history",
        "microsoft",
        "move_captions",
        "move_examples",
        "notation",
        "phrases",
        "position",
        "rules",
        "rules_page",
        "ruleset",
        "sentences",
        "shuffle",
        "stock_passes",
        "stock_text",
        "tableau_text",
        "transition",
        "vocabulary",
    ),
]


@pytest.mark.parametrize("name", PUBLIC)
def test_the_examples_of_a_module(name):
    result = doctest.testmod(import_module(f"app.engine.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


def test_every_module_has_examples():
    modules = {path.stem for path in Path(app.engine.__file__).parent.glob("*.py")}
    assert modules - {*PUBLIC} == {"__init__"}
