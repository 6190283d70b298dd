"""How a process of the site starts."""

from __future__ import annotations

import subprocess
import sys

IMPORT_AND_COUNT = """
import gc
counted = []
gc.callbacks.append(lambda phase, _: counted.append(phase))
import app.cli.serve
print(counted.count("start"))
"""


def test_a_start_hardly_looks_for_garbage_among_what_is_imported():
    command = [sys.executable, "-c", IMPORT_AND_COUNT]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(ended.stdout) <= 10
