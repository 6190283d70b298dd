"""What a batch of seeds prints: each violation with its seed and trace, then the totals."""

from __future__ import annotations

from simulation import sources
from simulation.batch import run_seeds
from simulation.runner import Report, scratch
from simulation.warmup import warm_up

_SHOWN = 30
_LONGEST = 400


def run(
    first: int,
    count: int | None,
    seconds: float | None,
    *,
    check_twins: bool,
    show_trace: bool,
    only_first: bool,
) -> int:
    """Run seeds, with ``only_first`` until the first violation; the exit status."""
    seeds = violations = 0
    virtual = 0.0
    with scratch() as folder:
        warm_up(folder)
        began = sources.real_seconds()
        for one in run_seeds(first, count, seconds, folder, check_twins=check_twins):
            seeds += 1
            virtual += one.virtual
            if one.invariant:
                violations += 1
                _print_violation(one)
                if only_first:
                    break
            elif show_trace:
                print("\n".join(one.lines))
            if show_trace:
                print(f"trace {one.digest}")
        minutes = (sources.real_seconds() - began) / 60
    print(
        f"{virtual / 3600:.1f} simulated hours in {minutes:.1f} minutes: "
        f"{virtual / 3600 / max(minutes, 1e-9):.1f} hours per minute"
    )
    print(f"{seeds} seeds, {violations} violations", flush=True)
    return min(violations, 1)


def _print_violation(one: Report) -> None:
    for line in one.lines[-_SHOWN:]:
        print(line[:_LONGEST])
    print(f"seed {one.seed} violates: {one.invariant}")
    print(f"  {one.detail}")
    print(f"  again: make simulate SEED={one.seed}", flush=True)
