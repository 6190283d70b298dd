"""The solver as plain Python, even where its modules are compiled."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import app.solver
from tools import compile_solver

FOLDER = Path(app.solver.__file__).parent
MODULES = (
    "rule_tables",
    *compile_solver.MODULES,
    "search_weights",
    "pruning_choice",
    "portfolio",
    "solve",
)


def _load() -> ModuleType:
    names = [f"app.solver.{name}" for name in MODULES]
    kept = {name: sys.modules.pop(name, None) for name in names}
    try:
        for name, short in zip(names, MODULES, strict=True):
            spec = spec_from_file_location(name, FOLDER / f"{short}.py")
            assert spec
            assert spec.loader
            module = module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
        return sys.modules[names[-1]]
    finally:
        for name, old in kept.items():
            sys.modules.pop(name, None)
            if old:
                sys.modules[name] = old


solve = _load().solve
