"""Both compose files, as Docker reads them, where there is Docker with its compose."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from tests.test_deployment import FOLDER, PASSWORDS

_COMPOSE = ["docker", "compose"]
__test__ = bool(shutil.which("docker")) and not (
    subprocess.run([*_COMPOSE, "version"], capture_output=True, check=False).returncode
)


@pytest.mark.parametrize("file", ["compose.yml", "../docker-compose.yml"])
def test_docker_accepts_the_compose_file(file):
    given = os.environ | dict.fromkeys(PASSWORDS, "secret")
    subprocess.run([*_COMPOSE, "-f", str(FOLDER / file), "config", "-q"], env=given, check=True)
