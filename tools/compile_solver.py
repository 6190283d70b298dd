"""Compiles the search of the solver to machine code, where the machine has a C compiler.

The sources are the Python modules themselves; the `.pxd` files beside them tell Cython the machine types. Without a
compiler nothing is lost but speed: the same modules then run as plain Python. By hand, after a change to one
of them: `python tools/compile_solver.py`.
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
    "annotation_typing": False,  # the types of the .pxd files, not Python's own, are meant
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
}


def build_requirements() -> list[str]:
    """Name the packages that `compile_solver` needs, none when this machine cannot compile."""
    return list(REQUIREMENTS) if can_compile() else []


def can_compile() -> bool:
    """Say whether there is a C compiler, with Python's headers, and no wish to do without."""
    if os.environ.get(SKIP, "").strip() not in {"", "0"}:
        return False
    compiler = (sysconfig.get_config_var("CC") or "").split()
    headers = Path(sysconfig.get_paths()["include"]) / "Python.h"
    return bool(compiler and shutil.which(compiler[0]) and headers.is_file())


def digest() -> str:
    """The sources' fingerprint; beside the compiled modules it says what they were made from."""
    return str(ORIGIN["digest"](SOLVER))


def compile_solver(into: Path) -> list[Path]:
    """Compile into a folder and name what was written; nothing when the compiler gives up."""
    from Cython.Build import cythonize  # noqa: PLC0415 - installed only where it is of use
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
            command.build_lib, command.build_temp = f"{scratch}/lib", f"{scratch}/o"
            command.ensure_finalized()
            command.run()
        finally:
            os.chdir(here)
        built = sorted(Path(scratch, "lib", "app", "solver").glob("*"))
        if len(built) != len(MODULES):
            return []  # all or none: the modules call each other in machine code
        written = [_put(file, into / file.name) for file in built]
    (into / STAMP).write_text(stamp + "\n", encoding="ascii")
    return [*written, into / STAMP]


def _put(file: Path, place: Path) -> Path:
    # A process that runs the old file keeps it: overwriting it in place would crash that process.
    new = place.with_suffix(".new")
    shutil.copy2(file, new)
    return new.replace(place)


def _extension(kind: type[Extension], name: str) -> Extension:
    # The compiler's debugging symbols would take most of its time and fill most of the file.
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
    print(f"Wrote {len(written)} files to app/solver." if written else "The compiler gave up.")
    return 0 if written else 1


if __name__ == "__main__":
    sys.exit(main())
