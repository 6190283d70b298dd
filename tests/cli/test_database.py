"""Commands whose database cannot be used."""

from __future__ import annotations

import pytest

from app import cli

COMMANDS = [
    ("migrate",),
    ("daily", "close", "2026-11-20"),
    ("daily", "prepare"),
    ("pool", "status"),
    ("admin", "list"),
    ("race", "void", "7KQ4M2", "No reason at all."),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_unusable_database_is_reported_in_a_sentence(command, monkeypatch, tmp_path, capfd):
    (tmp_path / "file").touch()
    for url in (f"sqlite:///{tmp_path}/file/x.db", "postgresql://a:secret@127.0.0.1:1/x"):
        monkeypatch.setenv("DATABASE_URL", url)
        assert cli.main(command) in {1, 2}
        said = capfd.readouterr().err
        assert said.startswith("fairdeal: Can't use the database: ")
        assert "Traceback" not in said
        assert "secret" not in said
