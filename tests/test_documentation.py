"""The documents match the project: settings, links, paths and the map of folders."""

import re
from pathlib import Path

import pytest

from app.rulesets import RULESETS
from app.settings import Settings, variable_of

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("field", Settings.model_fields)
def test_every_setting_has_a_row_in_its_table(field):
    described = str(Settings.model_fields[field].description)
    row = rf"^\| `{variable_of(field)}` \| .+ \| {re.escape(described)} \|$"
    assert re.search(row, (ROOT / "docs/configuration.md").read_text(), re.MULTILINE), row


def test_every_setting_in_the_readme_exists():
    named = re.findall(r"\b(?:FAIRDEAL|DATABASE)_[A-Z_]+\b", (ROOT / "README.md").read_text())
    assert set(named) - {"DATABASE_PASSWORD"} <= {
        variable_of(field) for field in Settings.model_fields
    }


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(document):
    links = re.findall(r"\]\(([^)#:]+)\)", document.read_text())
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_section_leads_somewhere(document):
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", document.read_text())
    missing = [
        (file, anchor)
        for file, anchor in links
        if anchor not in _anchors((document.parent / file) if file else document)
    ]
    assert missing == []


def _anchors(document):
    """The names by which the headings of a document can be linked to, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_path_in_a_document_exists(document):
    folders = "app|bench|docs|migrations|static|templates|tests|tools"
    named = re.findall(rf"`((?:{folders})/[\w./-]*)`", document.read_text())
    missing = [path for path in named if "your_game" not in path and not (ROOT / path).exists()]
    assert [
        path for path in missing if path != "static/vendor"
    ] == []  # created by the installation


def test_every_folder_of_the_site_is_on_the_map_in_the_readme():
    readme = (ROOT / "README.md").read_text()
    folders = [path.parent.name for path in (ROOT / "app").glob("*/__init__.py")]
    assert folders
    assert [name for name in folders if f"\napp/{name}/ " not in readme] == []


def test_parts_depend_on_those_above_them_on_the_map():
    order = re.findall(r"^app/(\w+)/ ", (ROOT / "README.md").read_text(), re.MULTILINE)
    wrong = {
        f"{part} needs {other}"
        for place, part in enumerate(order)
        for module in (ROOT / "app" / part).rglob("*.py")
        for other in re.findall(r"^ *from app\.(\w+)", module.read_text(), re.MULTILINE)
        if other in order[place + 1 :]
    }
    assert wrong == set()


def test_every_game_has_a_row_with_its_decks_and_its_sources():
    document = (ROOT / "docs/games.md").read_text()
    rows = re.findall(r"^\| `([\w-]+)` \| (\d) \| (.+?) \| (.+) \|$", document, re.MULTILINE)
    assert sorted((name, int(decks)) for name, decks, _, _ in rows) == sorted(
        (rules.id, rules.decks) for rules in RULESETS
    )
    alone = {name for name, _, sources, _ in rows if ";" not in sources}
    assert alone == {name for name, _, _, text in rows if "No second publisher found" in text}
