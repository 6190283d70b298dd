from __future__ import annotations

import asyncio
import io
import sys

import pytest

from app import cli
from tests.admin.hands import PASSWORD
from tests.serving import migrate


@pytest.fixture
def fairdeal(database_url, capfd, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", database_url)
    asyncio.run(migrate(database_url))

    def run(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = cli.main(arguments)
        return (code, *capfd.readouterr())

    return run


def listed(fairdeal) -> list[tuple[str, str]]:
    code, out, _ = fairdeal("admin", "list")
    assert code == 0
    return [(line.split()[0], line.split()[-1]) for line in out.splitlines()]


def test_roles_are_made_changed_and_taken_away(fairdeal):
    assert listed(fairdeal) == []
    made = fairdeal("admin", "create", "Vera", typed=f"{PASSWORD}\n")
    assert made == (0, "Vera can log in and is administrator.\n", "")
    assert listed(fairdeal) == [("administrator", "Vera")]
    assert fairdeal("admin", "grant", "vera", "--role", "moderator")[:2] == (
        0,
        "Vera is moderator.\n",
    )
    assert listed(fairdeal) == [("moderator", "Vera")]
    assert fairdeal("admin", "revoke", "Vera")[:2] == (0, "Vera has no role any more.\n")
    assert listed(fairdeal) == []


@pytest.mark.parametrize(
    ("arguments", "typed", "said"),
    [
        (("grant", "Nobody"), "", "Nobody has claimed the name 'Nobody'."),
        (("revoke", "Nobody"), "", "Nobody has claimed the name 'Nobody'."),
        (("create", "Vera"), "short\n", "A password has at least 8 characters"),
        (("create", "Admin"), f"{PASSWORD}\n", "would look like one of the site's own"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(fairdeal, arguments, typed, said):
    code, out, err = fairdeal("admin", *arguments, typed=typed)
    assert (code, out) == (2, "")
    assert said in err
    assert listed(fairdeal) == []


def test_a_role_is_taken_away_once(fairdeal):
    fairdeal("admin", "create", "Vera", typed=f"{PASSWORD}\n")
    fairdeal("admin", "revoke", "Vera")
    assert "Vera has no role." in fairdeal("admin", "revoke", "Vera")[2]


def test_an_empty_database_is_told_apart_from_one_without_roles(sqlite_url, monkeypatch, capfd):
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    assert cli.main(("admin", "list")) == 2
    assert "fairdeal migrate" in capfd.readouterr().err
