"""What counts as good enough in a report of Lighthouse, and the pinned version."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tools.lighthouse import FOLDER, failures, judge


def report(
    performance: float = 1, lcp: float = 1200, cls: float = 0, seo: float = 1
) -> dict[str, Any]:
    scores = {"performance": performance, "accessibility": 1, "best-practices": 1, "seo": seo}
    audits = {
        "largest-contentful-paint": {"numericValue": lcp},
        "cumulative-layout-shift": {"numericValue": cls},
        "a-title": {"id": "a-title", "title": "No title", "score": seo},
    }
    parts = [{"id": "a-title", "weight": 1}]
    return {
        "categories": {
            name: {"score": score, "auditRefs": parts if name == "seo" else []}
            for name, score in scores.items()
        },
        "audits": audits,
    }


def missed(name: str, *reports: dict[str, Any]) -> list[str]:
    return [line.split()[1] for line, holds in judge(name, reports) if not holds]


def test_the_median_counts() -> None:
    assert missed("home", report(), report(performance=0.5), report()) == []
    assert missed("home", report(0.94), report(0.5), report()) == ["performance"]


@pytest.mark.parametrize(
    ("bad", "figure"),
    [
        (report(lcp=1800), "largest-contentful-paint"),
        (report(cls=0.01), "cumulative-layout-shift"),
        (report(seo=0.92), "seo"),
    ],
)
def test_a_figure_at_its_limit_is_missed(bad: dict[str, Any], figure: str) -> None:
    assert missed("home", bad) == [figure]


def test_a_table_is_not_for_search_engines() -> None:
    assert missed("table", report(seo=0.5)) == []


def test_failures_are_named() -> None:
    assert failures(report(), is_private=False) == []
    assert failures(report(seo=0), is_private=False) == ["seo: a-title: No title"]
    assert failures(report(seo=0), is_private=True) == []


def test_every_package_is_pinned_by_a_hash() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text())
    wanted = json.loads((FOLDER / "package.json").read_text())["dependencies"]
    packages = {path: entry for path, entry in lock["packages"].items() if path}
    assert packages["node_modules/lighthouse"]["version"] == wanted["lighthouse"] == "12.8.2"
    assert [path for path, entry in packages.items() if "integrity" not in entry] == []
