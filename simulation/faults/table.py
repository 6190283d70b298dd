"""The list of planted faults, and the table of what finds them in README.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
_README: Final = FOLDER / "README.md"
_HEADER: Final = "Breaks: "
_HEAD: Final = "| Fault | What it breaks | Seed | Invariant violated | Seconds |"
_NOT_FOUND: Final = "## Not found yet"
_RULE: Final = "|---|---|---|---|---|"


@dataclass(frozen=True, slots=True)
class Fault:
    """A patch, what it breaks, and the seed that finds it; ``seconds`` it took from the first seed on."""

    name: str
    breaks: str
    seed: int | None = None
    invariant: str = ""
    seconds: float = 0.0

    @property
    def patch(self) -> Path:
        """The file of the patch."""
        return FOLDER / f"{self.name}.patch"


def list_faults() -> list[Fault]:
    """Every patch in the folder, with what the table says about it; raises ``ValueError`` for one without a header."""
    known = {fault.name: fault for fault in _read_table()}
    found = []
    for path in sorted(FOLDER.glob("*.patch")):
        first = path.read_text("utf-8").splitlines()[0]
        if not first.startswith(_HEADER):
            raise ValueError(f"{path.name} must begin with a line '{_HEADER}...'.")
        breaks = first.removeprefix(_HEADER).strip()
        recorded = known.get(path.stem)
        found.append(
            Fault(
                path.stem,
                breaks,
                recorded.seed if recorded else None,
                recorded.invariant if recorded else "",
                recorded.seconds if recorded else 0.0,
            )
        )
    return found


def not_found_yet() -> dict[str, str]:
    """Faults that README.md says no seed has found so far, and what is missing."""
    _, _, text = _README.read_text("utf-8").partition(_NOT_FOUND)
    lines = [line.partition(": ") for line in text.partition("\n##")[0].splitlines()]
    return {name.strip("- `"): why for name, _, why in lines if name.startswith("- `") and why}


def write_table(faults: Sequence[Fault]) -> None:
    """Replace the table at the end of README.md."""
    text = _README.read_text("utf-8").partition(_HEAD)[0]
    lines = [_HEAD, _RULE]
    for fault in sorted(faults, key=lambda fault: fault.name):
        seed = "not found" if fault.seed is None else str(fault.seed)
        lines.append(
            f"| {fault.name} | {fault.breaks} | {seed} | {fault.invariant} | {fault.seconds:.0f} |"
        )
    _README.write_text(text + "\n".join(lines) + "\n", "utf-8")


def _read_table() -> Iterator[Fault]:
    _, _, table = _README.read_text("utf-8").partition(_HEAD)
    for line in table.splitlines()[2:]:
        name, breaks, seed, invariant, seconds = (
            cell.strip() for cell in line.strip("|").split("|")
        )
        yield Fault(
            name, breaks, int(seed) if seed.isdecimal() else None, invariant, float(seconds)
        )
