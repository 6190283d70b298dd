from __future__ import annotations

import shutil

import pytest

from app.cli import ProgressBar, main
from app.cli.deals import draw_stock
from app.rulesets import RULESETS


@pytest.fixture
def database_flag(migrated_file, tmp_path) -> str:
    return f"--database-url=sqlite:///{shutil.copy(migrated_file, tmp_path / 'pool.db')}"


def test_the_stock_is_filled_and_counted(database_flag, capsys, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "")  # the option goes into the environment: restore it
    assert main(["pool", "fill", "bristol", "--count", "2", database_flag]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[1].split() == ["bristol", "2", "2"]
    assert said.err == ""  # no progress bar outside a terminal
    assert main(["pool", "status", database_flag]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["bristol", "2", "2"]
    assert [line.split()[1:] for line in lines[2:]] == [["0", "0"]] * (len(RULESETS) - 1)


def test_bad_input_is_refused_with_a_sentence(database_flag, capsys, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "")  # the option goes into the environment: restore it
    assert main(["pool", "fill", "whist", database_flag]) == 2
    assert "whist" in capsys.readouterr().err
    assert main(["pool", "fill", "bristol", "--count", "-1", database_flag]) == 2
    assert "less than 0" in capsys.readouterr().err


def test_on_a_terminal_a_bar_shows_the_progress(terminal):
    draw_stock(ProgressBar(terminal), 1, 4, "proving Bristol")
    assert "1 of 4 deals, proving Bristol" in terminal.getvalue()
    assert "#######." in terminal.getvalue()
