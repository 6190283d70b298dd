"""The compiled modules repeat constants as plain integers, which Cython needs: they are those of the tables."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from app import solver
from app.rulesets import find_ruleset
from app.solver.rule_tables import UNLIMITED, DealCode, EmptyPileCode, UnitCode, rule_tables
from tools.compile_solver import MODULES

SIGNORA = find_ruleset("signora")
assert SIGNORA
VALUES = {
    "UNCHOSEN": rule_tables(SIGNORA).fixed_base,
    "UNLIMITED": UNLIMITED,
    **{code.name: code for code in (EmptyPileCode.AUTO_FILL, EmptyPileCode.MUST_FILL)},
    **{code.name: code for code in (EmptyPileCode.ONLY_RANK, EmptyPileCode.MAY_FILL)},
    "DEALS_TO_WASTE": DealCode.WASTE,
    "DEALS_TO_RESERVE": DealCode.EACH_RESERVE,
    "DEALS_TO_TABLEAU": DealCode.EACH_TABLEAU,
    "DEALS_TO_FILLED_TABLEAU": DealCode.EACH_FILLED_TABLEAU,
    "DEALS_NOWHERE": DealCode.NOWHERE,
    "TOP_CARD": UnitCode.TOP_CARD,
    "RUN": UnitCode.RUN,
    "GROUP": UnitCode.GROUP,
    "CELL_RUN": UnitCode.CELL_RUN,
}


def constants_of(module: str) -> dict[str, int]:
    """The integers that a module gives names to; compiled, it does not tell them."""
    source = (Path(solver.__file__).parent / f"{module}.py").read_text(encoding="utf-8")
    return {
        target.id: statement.value.value
        for statement in ast.parse(source).body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
        for target in statement.targets
        if isinstance(target, ast.Name) and isinstance(statement.value.value, int)
    }


@pytest.mark.parametrize("module", MODULES)
def test_a_constant_of_a_compiled_module_has_the_value_of_the_tables(module: str) -> None:
    found = constants_of(module)
    assert {name: VALUES[name] for name in found if name in VALUES} == {
        name: value for name, value in found.items() if name in VALUES
    }


def test_every_constant_is_repeated_somewhere() -> None:
    repeated = {name for module in MODULES for name in constants_of(module)}
    assert set(VALUES) <= repeated
