"""Compiles the search of the solver to machine code, if the machine has a C compiler.

The sources are the Python modules themselves; the `.pxd` files beside them give Cython the machine types. Without a
compiler, the same modules run as plain Python, only slower. After you change one of them, run
`python tools/compile_solver.py`.
"""

from __future__ import annotations

import os
import runpy
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from setuptools import Extension

ROOT = Path(__file__).resolve().parent.parent
SOLVER = ROOT / "app" / "solver"
ORIGIN = runpy.run_path(str(SOLVER / "build_check.py"))  # by path: no package is installed yet
MODULES: tuple[str, ...] = ORIGIN["MODULES"]
REQUIREMENTS = ["cython>=3.3,<4", "setuptools>=65"]
SKIP = "FAIRDEAL_WITHOUT_COMPILER"
STAMP: str = ORIGIN["STAMP"]
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # take types from the .pxd files, not from annotations
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
}


def build_requirements() -> list[str]:
    """List the packages that `compile_solver` needs; none if this machine cannot compile."""
    return list(REQUIREMENTS) if can_compile() else []


def can_compile() -> bool:
    """Whether there is a C compiler with Python's headers, and compiling is not switched off."""
    if os.environ.get(SKIP, "").strip() not in {"", "0"}:
        return False
    compiler = (sysconfig.get_config_var("CC") or "").split()
    headers = Path(sysconfig.get_paths()["include"]) / "Python.h"
    return bool(compiler and shutil.which(compiler[0]) and headers.is_file())


def digest() -> str:
    """The fingerprint of the sources, stored beside the modules that were compiled from them."""
    return str(ORIGIN["digest"](SOLVER))


def compile_solver(into: Path) -> list[Path]:
    """Compile into a folder and return the files written; none if the compiler fails."""
    from Cython.Build import cythonize  # noqa: PLC0415 - installed only if needed
    from setuptools import Distribution, Extension  # noqa: PLC0415 - the same
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415 - the same

    into.mkdir(parents=True, exist_ok=True)
    stamp = digest()  # before compiling: a source may change meanwhile
    with tempfile.TemporaryDirectory() as scratch:
        here = Path.cwd()
        os.chdir(ROOT)  # Cython derives the modules' full names from relative paths
        try:
            extensions = cythonize(
                [_extension(Extension, name) for name in MODULES],
                build_dir=f"{scratch}/c",
                compiler_directives=DIRECTIVES,
                force=True,
                quiet=True,
            )
            command = build_ext(Distribution({"name": "solver", "ext_modules": extensions}))
            command.parallel = os.cpu_count()
            command.build_lib, command.build_temp = f"{scratch}/lib", f"{scratch}/o"
            command.ensure_finalized()
            command.run()
        finally:
            os.chdir(here)
        built = sorted(Path(scratch, "lib", "app", "solver").glob("*"))
        if len(built) != len(MODULES):
            return []  # all or none, because the modules call each other's C functions
        written = [_put(file, into / file.name) for file in built]
    (into / STAMP).write_text(stamp + "\n", encoding="ascii")
    return [*written, into / STAMP]


def _put(file: Path, place: Path) -> Path:
    # Replace, never overwrite: a running process still uses the old file and would crash.
    new = place.with_suffix(".new")
    shutil.copy2(file, new)
    return new.replace(place)


def _extension(kind: type[Extension], name: str) -> Extension:
    # Debug symbols would take most of the compile time and of the file.
    quick = [] if sys.platform == "win32" else ["-g0", "-O2"]
    source = f"app/solver/{name}.py"
    return kind(f"app.solver.{name}", [source], extra_compile_args=quick, optional=True)


def main() -> int:
    """Compile in place."""
    if not can_compile():
        print("No C compiler with Python's headers: the solver runs as plain Python.")
        return 0
    try:
        written = compile_solver(SOLVER)
    except ImportError:
        print(f"Install {' and '.join(REQUIREMENTS)} first.", file=sys.stderr)
        return 1
    print(f"Wrote {len(written)} files to app/solver." if written else "The compiler failed.")
    return 0 if written else 1


if __name__ == "__main__":
    sys.exit(main())
