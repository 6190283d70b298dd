from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from simulation.faults.planting import applies, try_seed
from simulation.faults.table import Fault, list_faults, not_found_yet

ROOT = Path(__file__).parents[2]
QUICK = ("24-limit-answers-500",)


def simulate(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "simulation", *options],
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )


def trace_of(done: subprocess.CompletedProcess[str]) -> str:
    match = re.search(r"^trace ([0-9a-f]{64})$", done.stdout, re.MULTILINE)
    assert match, done.stdout + done.stderr
    return match[1]


@pytest.fixture(scope="module")
def one_seed() -> subprocess.CompletedProcess[str]:
    """A run of one seed, which takes as long as a hundred other tests."""
    return simulate("--seed", "1")


def test_the_same_seed_does_the_same_in_every_process(one_seed: subprocess.CompletedProcess[str]):
    again = simulate("--seed", "1", "--no-twins", PYTHONHASHSEED="7")
    assert trace_of(again) == trace_of(one_seed)


def test_a_seed_finds_nothing_and_the_last_line_counts_it(
    one_seed: subprocess.CompletedProcess[str],
):
    assert one_seed.returncode == 0, one_seed.stdout
    *_, speed, last = one_seed.stdout.splitlines()
    assert last == "1 seeds, 0 violations"
    assert "hours per minute" in speed


@pytest.mark.parametrize("fault", list_faults(), ids=lambda fault: fault.name)
def test_every_fault_can_still_be_planted(fault: Fault):
    assert applies(fault)
    assert fault.breaks
    if fault.seed is None:
        assert fault.name in not_found_yet(), "python -m simulation.faults --find NAME"
    else:
        assert fault.name not in not_found_yet()


@pytest.mark.parametrize("name", QUICK)
def test_a_planted_fault_is_found_by_its_seed(name: str):
    fault = next(fault for fault in list_faults() if fault.name == name)
    assert fault.seed is not None
    found = try_seed(fault, fault.seed)
    assert found
    assert found.invariant == fault.invariant
