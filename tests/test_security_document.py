"""docs/security.md judges every requirement of OWASP ASVS 5.0 levels 1 and 2 once, by tests that exist."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENT = (ROOT / "docs" / "security.md").read_text()
VERDICTS = ("holds", "falls short", "not applicable")

# How many requirements of levels 1 and 2 each section has; their numbers begin at 1.
SECTIONS = {
    "1.1": 2,
    "1.2": 9,
    "1.3": 11,
    "1.4": 3,
    "1.5": 2,
    "2.1": 3,
    "2.2": 3,
    "2.3": 4,
    "2.4": 1,
    "3.2": 2,
    "3.3": 4,
    "3.4": 6,
    "3.5": 5,
    "3.7": 2,
    "4.1": 3,
    "4.2": 1,
    "4.3": 2,
    "4.4": 4,
    "5.1": 1,
    "5.2": 3,
    "5.3": 2,
    "5.4": 3,
    "6.1": 3,
    "6.2": 12,
    "6.3": 4,
    "6.4": 4,
    "6.5": 5,
    "6.6": 3,
    "6.8": 4,
    "7.1": 3,
    "7.2": 4,
    "7.3": 2,
    "7.4": 5,
    "7.5": 2,
    "7.6": 2,
    "8.1": 2,
    "8.2": 3,
    "8.3": 1,
    "8.4": 1,
    "9.1": 3,
    "9.2": 4,
    "10.1": 2,
    "10.2": 2,
    "10.3": 4,
    "10.4": 11,
    "10.5": 5,
    "10.6": 2,
    "10.7": 3,
    "11.1": 2,
    "11.2": 3,
    "11.3": 3,
    "11.4": 4,
    "11.5": 1,
    "11.6": 1,
    "12.1": 3,
    "12.2": 2,
    "12.3": 4,
    "13.1": 1,
    "13.2": 5,
    "13.3": 2,
    "13.4": 5,
    "14.1": 2,
    "14.2": 4,
    "14.3": 3,
    "15.1": 3,
    "15.2": 3,
    "15.3": 7,
    "16.1": 1,
    "16.2": 5,
    "16.3": 4,
    "16.4": 3,
    "16.5": 3,
    "17.1": 1,
    "17.2": 4,
    "17.3": 2,
}
_ROW = re.compile(
    r"^\| (\d+\.\d+\.\d+)(?: to (\d+\.\d+\.\d+))? \| (.+?) \| ([a-z ]+) \| (.+) \|$", re.MULTILINE
)
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def rows() -> Iterator[tuple[list[str], str, str]]:
    """The numbers, verdict and evidence of each row."""
    for first, last, _, verdict, evidence in _ROW.findall(DOCUMENT):
        section, _, start = first.rpartition(".")
        end = (last or first).rpartition(".")[2]
        assert not last or last.startswith(f"{section}.")
        yield (
            [f"{section}.{number}" for number in range(int(start), int(end) + 1)],
            verdict,
            evidence,
        )


def numbers() -> list[str]:
    return [number for found, _, _ in rows() for number in found]


@cache
def names_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds))


def test_every_requirement_is_judged_once():
    expected = [
        f"{section}.{number}" for section, most in SECTIONS.items() for number in range(1, most + 1)
    ]
    assert len(expected) == 253  # 70 of level 1 and 183 of level 2
    assert numbers() == expected


def test_each_verdict_is_one_of_three_with_evidence_or_a_reason():
    for found, verdict, evidence in rows():
        assert verdict in VERDICTS, found
        if verdict == "holds":
            assert _TEST.search(evidence), found
        else:
            assert len(_TEST.sub("", evidence).split()) >= 1, found


@pytest.mark.parametrize(("path", "name"), sorted(set(_TEST.findall(DOCUMENT))))
def test_each_named_test_exists(path, name):
    assert name.startswith("test_")
    assert name in names_in(path)


def test_tests_are_named_in_full():
    assert len(re.findall(r"::test_", DOCUMENT)) == len(_TEST.findall(DOCUMENT))


def test_each_section_that_is_named_exists():
    headings = {
        heading.lower().replace(",", "").replace(" ", "-")
        for heading in re.findall(r"^##+ (.+)$", DOCUMENT, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", DOCUMENT)) <= headings


def test_the_summary_counts_the_tables():
    counts: dict[str, Counter[str]] = {}
    for found, verdict, _ in rows():
        chapter = found[0].partition(".")[0]
        counts.setdefault(chapter, Counter())[verdict] += len(found)
    whole = sum(counts.values(), Counter[str]())
    said = re.findall(r"^\| (V\d+|All)\b.*? \| (\d+) \| (\d+) \| (\d+) \|$", DOCUMENT, re.MULTILINE)
    expected = [(f"V{chapter}", counts[chapter]) for chapter in counts] + [("All", whole)]
    assert [(name, *map(int, numbers)) for name, *numbers in said] == [
        (name, *(count[verdict] for verdict in VERDICTS)) for name, count in expected
    ]
