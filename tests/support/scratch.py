"""Where tests keep what they throw away: in memory where the machine has room, so that no test waits for a disk.

What is killed with a signal loses nothing by that: only a power cut would tell the difference.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_MEMORY = Path("/dev/shm")
_ENOUGH = 3 * 1024**3  # bytes


def scratch_root() -> Path | None:
    """The folder for temporary folders; ``None`` for the system's own choice."""
    if not os.access(_MEMORY, os.W_OK) or shutil.disk_usage(_MEMORY).free < _ENOUGH:
        return None
    return _MEMORY
