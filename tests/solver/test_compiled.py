"""Compiled modules run instead of their sources, so they must have been built from them."""

import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import app
from app.solver import build_check, search
from tools import compile_solver

COMPILED = not (search.__file__ or "").endswith(".py")
APP = Path(app.__file__).parent
WHERE = "import app.solver.search as s, app.solver.piles as p; print(s.__file__, p.__file__)"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The solver's folder in a copy of the app, without compiled modules."""
    for package in ("engine", "solver"):
        shutil.copytree(
            APP / package, tmp_path / "app" / package, ignore=shutil.ignore_patterns("*.so")
        )
    for module in ("__init__.py", "text.py"):
        shutil.copy(APP / module, tmp_path / "app")
    (tmp_path / "app" / "solver" / build_check.STAMP).unlink(missing_ok=True)
    return tmp_path / "app" / "solver"


def imported(solver: Path) -> tuple[set[str], str]:
    """The suffixes of the files that the copy imports, and what it logs."""
    done = subprocess.run(
        [sys.executable, "-c", WHERE],
        check=True,
        cwd=solver.parent.parent,
        capture_output=True,
        text=True,
    )
    assert all(Path(name).parent == solver for name in done.stdout.split())
    return {Path(name).suffix for name in done.stdout.split()}, done.stderr


def pretend_compiled(solver: Path, stamp: str | None) -> None:
    for name in build_check.MODULES:
        (solver / f"{name}{EXTENSION_SUFFIXES[0]}").write_text("no machine code")
    if stamp is not None:
        (solver / build_check.STAMP).write_text(stamp)


@pytest.mark.parametrize("stamp", [None, "0" * 64, "\N{SNOWMAN}"])
def test_modules_compiled_from_other_sources_are_ignored_with_a_warning(
    copy: Path, stamp: str | None
):
    pretend_compiled(copy, stamp)
    files, said = imported(copy)
    assert files == {".py"}
    assert "compile_solver.py" in said


@pytest.mark.parametrize("suffix", [".py", ".pxd"])
@pytest.mark.parametrize("module", ["heuristic", "search"])
def test_a_change_of_any_source_is_noticed(copy: Path, module: str, suffix: str):
    pretend_compiled(copy, build_check.digest(copy))
    assert not build_check.is_stale(copy)
    source = copy / f"{module}{suffix}"
    source.write_text(source.read_text() + "# changed\n")
    assert build_check.is_stale(copy)


def test_sources_alone_give_no_warning(copy: Path):
    assert imported(copy) == ({".py"}, "")


@pytest.mark.skipif(not COMPILED, reason="the solver is plain Python here")
def test_modules_compiled_from_these_sources_run(copy: Path):
    for file in [*(APP / "solver").glob("*.so"), APP / "solver" / build_check.STAMP]:
        shutil.copy(file, copy)
    files, said = imported(copy)
    assert ".py" not in files
    assert said == ""


def test_the_build_writes_the_hash_that_is_checked():
    assert compile_solver.digest() == build_check.digest(compile_solver.SOLVER)
    assert compile_solver.MODULES == build_check.MODULES


def test_nothing_is_required_when_compiling_is_switched_off(monkeypatch):
    monkeypatch.setenv(compile_solver.SKIP, "1")
    assert not compile_solver.can_compile()
    assert compile_solver.build_requirements() == []


def test_nothing_is_required_without_a_compiler(monkeypatch):
    monkeypatch.delenv(compile_solver.SKIP, raising=False)
    monkeypatch.setenv("PATH", "")
    assert compile_solver.build_requirements() == []
