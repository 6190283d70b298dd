"""Planting a fault: a copy of the sources with the patch applied, in which the simulation runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from simulation.faults.table import Fault

_ROOT: Final = Path(__file__).parents[2]
_COPIED: Final = (
    "app",
    "locale",
    "migrations",
    "simulation",
    "static",
    "templates",
    "pyproject.toml",
)
_FOUND: Final = re.compile(r"^seed (\d+) violates: (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Found:
    """A seed that finds a fault, and after how many seconds."""

    seed: int
    invariant: str
    seconds: float


def applies(fault: Fault) -> bool:
    """Whether a patch still fits the sources."""
    done = subprocess.run(
        ["git", "apply", "--check", str(fault.patch)],
        cwd=_ROOT,
        check=False,
        capture_output=True,
    )
    return done.returncode == 0


def find_fault(fault: Fault, seconds: float) -> Found | None:
    """Run seeds, the first one first, until one finds the fault."""
    return _simulate(fault, ["--first-violation", "--seconds", str(seconds)])


def try_seed(fault: Fault, seed: int) -> Found | None:
    """Whether one seed finds the fault."""
    return _simulate(fault, ["--first", str(seed), "--seeds", "1"])


def _simulate(fault: Fault, options: list[str]) -> Found | None:
    with _planted(fault) as folder:
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "simulation", *options],
            cwd=folder,
            env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin"},
            check=False,
            capture_output=True,
            text=True,
        )
        seconds = time.monotonic() - began
    match = _FOUND.search(done.stdout)
    if match is None and done.returncode:
        raise RuntimeError(f"The simulation of {fault.name} has failed:\n{done.stderr[-2000:]}")
    return Found(int(match[1]), match[2], seconds) if match else None


@contextmanager
def _planted(fault: Fault) -> Iterator[Path]:
    """A copy of the site with a fault."""
    with TemporaryDirectory(prefix="fairdeal-fault-") as name:
        folder = Path(name)
        for part in _COPIED:
            source = _ROOT / part
            if source.is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(source, folder / part, ignore=ignored)
            else:
                shutil.copy(source, folder / part)
        subprocess.run(
            ["git", "apply", str(fault.patch)], cwd=folder, check=True, capture_output=True
        )
        yield folder
