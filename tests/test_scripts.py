"""The scripts of the pages: each imports only names that the other script has, since one that does not stops a page."""

import re
from pathlib import Path

import pytest

from app.folders import static_folder

SCRIPTS = sorted((static_folder() / "js").glob("*.js"))
IMPORT = re.compile(r'import \{([^}]*)\} from "\./([\w-]+\.js)"')
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)


def exported(script: Path) -> set[str]:
    """The names that a script exports."""
    return set(EXPORT.findall(script.read_text()))


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.name for script in SCRIPTS])
def test_a_script_imports_only_what_the_other_exports(script: Path):
    for names, other in IMPORT.findall(script.read_text()):
        wanted = {name.split(" as ")[0].strip() for name in names.split(",") if name.strip()}
        assert wanted <= exported(script.parent / other), other


def test_the_imports_of_the_table_are_found():
    """Otherwise the test above would compare nothing."""
    assert len(IMPORT.findall((static_folder() / "js" / "table.js").read_text())) > 5
