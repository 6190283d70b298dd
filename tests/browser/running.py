"""The site in a process of its own, as it runs for everybody."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.support.patience import PATIENCE
from tests.support.processes import free_port, serve, wait_until_ready

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The browsers of the tests take all of a small machine: workers that are nice beside them would find in a minute what
# takes a second, and answer that they do not know.
_WORKERS_AS_THE_REST = """
import sys
from app.cli import main
from app.jobs import service
service._NICENESS = dict.fromkeys(service._NICENESS, 0)
sys.exit(main())
"""


@contextmanager
def running(database_url: str, folder: Path, **settings: str) -> Iterator[str]:
    """Serve a database, give the address, and stop at the end; what the server says goes into ``folder``.

    ``settings`` are without their prefix, such as ``pseudo_language="true"``.
    """
    environment = {
        "DATABASE_URL": database_url,
        "FAIRDEAL_UNPROVEN_DEALS": "true",
        "FAIRDEAL_PROOF_SECONDS": "0",  # proofs would compete with the browser
        **{f"FAIRDEAL_{name.upper()}": value for name, value in settings.items()},
    }
    port, log = free_port(), folder / "log"
    server = serve(port, log, environment, start=("-c", _WORKERS_AS_THE_REST))
    try:
        wait_until_ready(port, server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(PATIENCE)
