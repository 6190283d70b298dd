"""Results of a long benchmark, kept in a file as lines of JSON, so that it can be continued."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


class JsonLines:
    """A file with one result on each line; without a file nothing is kept."""

    def __init__(self, file: Path | None) -> None:
        """The file need not exist yet."""
        self._file = file

    def read(self) -> Iterator[dict[str, Any]]:
        """The results that were kept, in order."""
        if self._file and self._file.exists():
            yield from map(json.loads, self._file.read_text(encoding="utf-8").splitlines())

    def add(self, result: Mapping[str, Any]) -> None:
        """Keep one more result."""
        if self._file:
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(result) + "\n")
