"""Compiled modules run in place of their sources, so they had better be made from them."""

from pathlib import Path

import pytest

import app.solver
from app.solver import search
from tools import compile_solver

COMPILED = not (search.__file__ or "").endswith(".py")


@pytest.mark.skipif(not COMPILED, reason="the solver runs as plain Python here")
def test_the_compiled_solver_was_made_from_these_sources():
    stamp = Path(app.solver.__file__).parent / compile_solver.STAMP
    assert stamp.read_text().strip() == compile_solver.digest(), (
        "run: python tools/compile_solver.py"
    )


def test_without_a_wish_for_a_compiler_nothing_is_needed(monkeypatch):
    monkeypatch.setenv(compile_solver.SKIP, "1")
    assert not compile_solver.can_compile()
    assert compile_solver.build_requirements() == []


def test_without_a_compiler_nothing_is_needed(monkeypatch):
    monkeypatch.delenv(compile_solver.SKIP, raising=False)
    monkeypatch.setenv("PATH", "")
    assert compile_solver.build_requirements() == []
