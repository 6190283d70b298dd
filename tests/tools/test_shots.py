"""Pictures of pages: taken, shown on one sheet, and pages with faults reported."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tools import shots
from tools.shots import Shot, contact_sheets

if TYPE_CHECKING:
    from pathlib import Path

needs_a_browser = pytest.mark.skipif(
    not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    reason="no Chromium on this machine",
)


@needs_a_browser
def test_a_page_is_pictured_at_a_size_in_a_scheme(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--pages", "watch", "--sizes", "390x844", "--schemes", "dark"]
    assert shots.main(["--out", str(tmp_path), *chosen]) == 0
    picture = (tmp_path / "watch-390x844-dark.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20], "big") == 390
    assert "watch-390x844-dark.png" in (tmp_path / "index.html").read_text()
    assert "fine" in capsys.readouterr().out


def test_the_sheet_names_each_page_its_pictures_and_its_faults() -> None:
    shot = Shot("home", "390x844", ["a.png", "b.png"], 0.25, ["wider than the <screen>"])
    sheet = contact_sheets([shot])
    assert "<h2 id=home>" in sheet
    assert sheet.count("<img") == 2
    assert "shift 0.2500" in sheet
    assert "wider than the &lt;screen&gt;" in sheet


@pytest.mark.parametrize("option", [["--sizes", "1x1"], ["--schemes", "blue"]])
def test_an_unknown_size_or_scheme_is_refused(
    option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        shots.main(option)
    assert ended.value.code == 2
    assert "not some of" in capsys.readouterr().err
