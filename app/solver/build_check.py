"""Check that the compiled modules were built from the current sources.

Python prefers a compiled module to its source, even if the source has changed since. So before the
first one is imported, a hash of the sources is compared with the one that the build left. If they
differ, or there is none, only sources are imported.
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
    "suit_pruning",
    "group_pruning",
    "klondike_pruning",
    "heuristic",
    "terrace_heuristic",
    "suit_terrace_heuristic",
    "thieves_heuristic",
    "fan_heuristic",
    "run_heuristic",
    "suit_heuristic",
    "spider_heuristic",
    "search",
    "hidden_cards",
    "turn",
)
STAMP = "compiled.sha256"


def digest(folder: Path) -> str:
    """The hash of the sources of the compiled modules."""
    text = hashlib.sha256()
    for module in MODULES:
        for suffix in (".py", ".pxd"):
            text.update((folder / f"{module}{suffix}").read_bytes())
    return text.hexdigest()


def is_stale(folder: Path) -> bool:
    """Whether there are compiled modules that were built from other sources."""
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


class SourceOnlyFinder:
    """An import finder for one package that ignores compiled modules."""

    def __init__(self, package: str, folder: Path) -> None:
        """Find the modules of ``package`` in ``folder``."""
        self._package = package
        self._finder = FileFinder(str(folder), (SourceFileLoader, [".py"]))

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - part of the protocol
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find a module of the package; ``None`` for other packages."""
        if name.rpartition(".")[0] != self._package:
            return None
        return self._finder.find_spec(name, target)


def ignore_stale_build(package: str, folder: Path) -> None:
    """Make sure that ``package`` in ``folder`` does not run modules built from other sources."""
    if is_stale(folder):
        logging.getLogger(package).warning(
            "The compiled solver is out of date, so it runs as plain Python, much slower."
            " Compile it with: python tools/compile_solver.py"
        )
        sys.meta_path.insert(0, SourceOnlyFinder(package, folder))
