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


@pytest.mark.parametrize(
    "command",
    [
        ("pool", "status"),
        ("pool", "fill", "bristol"),
        ("daily", "prepare"),
        ("daily", "close", "2020-02-29"),
        ("race", "void", "7KQ4M2", "broken"),
        ("export",),
    ],
)
def test_a_command_on_a_database_without_tables_names_the_remedy(fairdeal_on, tmp_path, command):
    code, out, err = fairdeal_on(f"sqlite:///{tmp_path / 'empty.db'}", *command)
    assert (code, out) == (2, "")
    assert err == "fairdeal: The database isn't up to date. Run `fairdeal migrate` first.\n"
