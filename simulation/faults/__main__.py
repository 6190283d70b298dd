"""``python -m simulation.faults [--find] [NAME ...]``: plant each fault in a copy of the site and simulate that.

Without ``--find`` the recorded seed must find the fault again. With it seeds are run from the first on until one finds
the fault, and the table in README.md is written again. The exit status is 1 if a fault is not found.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from simulation.faults.planting import find_fault, try_seed
from simulation.faults.table import Fault, list_faults, write_table

_SECONDS = 600.0


def main() -> int:
    """Plant faults and print which seed finds each."""
    parser = argparse.ArgumentParser(prog="python -m simulation.faults", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="names of patches; all by default")
    parser.add_argument("--find", action="store_true", help="search, and record what is found")
    parser.add_argument(
        "--seconds", type=float, default=_SECONDS, help="how long to search for each fault"
    )
    options = parser.parse_args()
    faults = {fault.name: fault for fault in list_faults()}
    unknown = set(options.names) - set(faults)
    if unknown:
        parser.error(f"there is no patch {', '.join(sorted(unknown))}")
    missed = 0
    for name in options.names or sorted(faults):
        found = _search(faults[name], options.seconds) if options.find else _repeat(faults[name])
        missed += found is None
        print(f"{name}: {_told(found)}", flush=True)
        if options.find:
            faults[name] = found or replace(faults[name], seed=None, invariant="", seconds=0.0)
            write_table(list(faults.values()))
    print(f"{len(options.names or faults)} faults, {missed} not found")
    return min(missed, 1)


def _search(fault: Fault, seconds: float) -> Fault | None:
    found = find_fault(fault, seconds)
    if found is None:
        return None
    return replace(fault, seed=found.seed, invariant=found.invariant, seconds=found.seconds)


def _repeat(fault: Fault) -> Fault | None:
    if fault.seed is None:
        return None
    found = try_seed(fault, fault.seed)
    if found is None:
        return None
    return replace(fault, invariant=found.invariant, seconds=found.seconds)


def _told(found: Fault | None) -> str:
    if found is None:
        return "NOT FOUND"
    return f"seed {found.seed} after {found.seconds:.0f} s: {found.invariant}"


if __name__ == "__main__":
    sys.exit(main())
