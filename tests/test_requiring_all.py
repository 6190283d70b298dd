"""With TEST_REQUIRE_ALL, a skipped test must not count as passed."""

import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parent / "conftest.py"
SKIPPING = """
import pytest

@pytest.fixture
def missing():
    pytest.skip("no such server")

def test_holds():
    pass

def test_skips():
    pytest.skip("no reason")

def test_skips_in_its_fixture(missing):
    pass

@pytest.mark.xfail(strict=True)
def test_is_known_to_fail():
    raise AssertionError
"""


@pytest.mark.parametrize(
    ("required", "counts"),
    [("", "1 passed, 3 skipped, 1 xfailed"), ("1", "1 failed, 1 passed, 1 xfailed, 2 errors")],
)
def test_a_skip_is_a_failure_only_with_test_require_all(tmp_path, required, counts):
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text())
    (tmp_path / "test_some.py").write_text(SKIPPING)
    (tmp_path / "test_module.py").write_text(
        "import pytest\npytest.skip('not here', allow_module_level=True)\n"
    )
    outcome = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--continue-on-collection-errors", tmp_path],
        cwd=CONFTEST.parent.parent,
        env={"TEST_REQUIRE_ALL": required, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert counts in outcome.stdout.splitlines()[-1], outcome.stdout
