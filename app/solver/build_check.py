"""Whether the compiled modules were made from the sources that lie beside them.

Python would import a compiled module before its source, whatever became of the source since. So
before the first of them is imported, a fingerprint of the sources is compared with the one that the
compiler left; where they differ, or where there is none, only sources are imported.
"""

from __future__ import annotations

import hashlib
import logging
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType

MODULES = (
    "piles",
    "board",
    "pruning",
    "relaxation",
    "fan_pruning",
    "heuristic",
    "terrace_heuristic",
    "fan_heuristic",
    "run_heuristic",
    "search",
)
STAMP = "compiled.sha256"


def digest(folder: Path) -> str:
    """The fingerprint of the sources from which a compiler makes the modules."""
    text = hashlib.sha256()
    for module in MODULES:
        for suffix in (".py", ".pxd"):
            text.update((folder / f"{module}{suffix}").read_bytes())
    return text.hexdigest()


def is_stale(folder: Path) -> bool:
    """Whether there are compiled modules, and not of these sources."""
    if not any(
        (folder / f"{module}{suffix}").exists()
        for module in MODULES
        for suffix in EXTENSION_SUFFIXES
    ):
        return False
    try:
        return (folder / STAMP).read_text(encoding="ascii").strip() != digest(folder)
    except (OSError, UnicodeDecodeError):
        return True


class SourcesOnly:
    """Finds the modules of one package, and of their files the sources alone."""

    def __init__(self, package: str, folder: Path) -> None:
        """Look for the modules of ``package`` in ``folder``."""
        self._package = package
        self._finder = FileFinder(str(folder), (SourceFileLoader, [".py"]))

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - Python passes it; the folder is known
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Say where a module is loaded from, as Python asks it; nothing about other packages."""
        if name.rpartition(".")[0] != self._package:
            return None
        return self._finder.find_spec(name, target)


def leave_stale_aside(package: str, folder: Path) -> None:
    """See to it that ``package`` in ``folder`` never runs what was made from other sources."""
    if is_stale(folder):
        logging.getLogger(package).warning(
            "The compiled solver was made from other sources, so the sources run, much slower."
            " Compile them: python tools/compile_solver.py"
        )
        sys.meta_path.insert(0, SourcesOnly(package, folder))
