"""Names with an underscore are of their module alone: nobody imports them, tests included."""

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("app", "bench", "simulation", "tests", "tools")


def private_imports(source: str) -> list[str]:
    """The names with an underscore that a module imports from others."""
    return [
        name.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for name in node.names
        if name.name.startswith("_")
        or any(part.startswith("_") for part in (node.module or "").split("."))
    ]


def test_private_imports_are_found():
    assert private_imports("from a import _b, c\nfrom d._e import f") == ["_b", "f"]


def test_no_module_imports_what_another_keeps_to_itself():
    found = {
        str(path.relative_to(ROOT)): names
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        if (names := private_imports(path.read_text()))
    }
    assert found == {}
