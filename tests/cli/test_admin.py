from __future__ import annotations

import asyncio
import io
import json
import sys

import pytest
from sqlalchemy import func, select

from app import cli
from app.admin.game_log.filters import Flag
from app.db.schema import accounts, players, roles, sessions
from app.games.model import Kind, Status
from app.settings import Settings
from tests.admin.browsers import PASSWORD
from tests.sharing.games import played
from tests.support.serving import migrate, started


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


def test_roles_are_granted_changed_and_revoked(fairdeal):
    assert listed(fairdeal) == []
    made = fairdeal("admin", "create", "Vera", typed=f"{PASSWORD}\n")
    assert made[0] == 0
    said, next_step = made[1].splitlines()
    assert said == "Vera can now sign in as administrator."
    assert "open /admin" in next_step
    assert next_step.endswith("fairdeal admin authenticator Vera")
    logged = [json.loads(line) for line in made[2].splitlines()]
    assert [(line["event"], line["outcome"]) for line in logged] == [
        ("claim", "success"),
        ("logout", "success"),
        ("role_change", "success"),
    ]
    assert logged[-1]["role"] == "administrator"
    assert listed(fairdeal) == [("administrator", "Vera")]
    code, out, _ = fairdeal("admin", "grant", "vera", "--role", "moderator")
    assert (code, out.splitlines()[0]) == (0, "Vera is now moderator.")
    assert listed(fairdeal) == [("moderator", "Vera")]
    assert fairdeal("admin", "revoke", "Vera")[:2] == (0, "Vera no longer has a role.\n")
    assert listed(fairdeal) == []


@pytest.mark.parametrize(
    ("arguments", "typed", "said"),
    [
        (("grant", "Nobody"), "", "No account has the name 'Nobody'."),
        (("revoke", "Nobody"), "", "No account has the name 'Nobody'."),
        (("create", "Vera"), "short\n", "A password needs at least 12 characters"),
        (("create", "Admin"), f"{PASSWORD}\n", "looks like one of the site's own"),
    ],
)
def test_an_impossible_request_is_explained_and_changes_nothing(fairdeal, arguments, typed, said):
    code, out, err = fairdeal("admin", *arguments, typed=typed)
    assert (code, out) == (2, "")
    assert said in err
    assert listed(fairdeal) == []


def test_a_role_is_revoked_once(fairdeal):
    fairdeal("admin", "create", "Vera", typed=f"{PASSWORD}\n")
    fairdeal("admin", "revoke", "Vera")
    assert "Vera has no role." in fairdeal("admin", "revoke", "Vera")[2]


def test_a_new_site_has_no_accounts(fairdeal, database_url):
    async def started_once():
        async with started(Settings(database_url=database_url)) as app:
            tables = (accounts, players, roles, sessions)
            return await app.state.services.database.read(
                lambda connection: [
                    connection.scalar(select(func.count()).select_from(table)) for table in tables
                ]
            )

    assert asyncio.run(started_once()) == [0, 0, 0, 0]


def test_a_database_without_tables_differs_from_one_without_roles(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'blank.db'}")
    assert cli.main(("admin", "list")) == 2
    assert "fairdeal migrate" in capfd.readouterr().err


async def some_games(url: str) -> list[str]:
    async with started(Settings(database_url=url)) as app:
        anna, _ = await app.state.services.sessions.new_guest()
        tables = [
            await played(app.state.services.games, anna.id, name)
            for name in ("bristol-won", "bristol-lost")
        ]
    return [game.id for game in tables]


def test_games_are_exported_and_verified_from_the_command_line(fairdeal, database_url, tmp_path):
    won, lost = asyncio.run(some_games(database_url))
    code, out, err = fairdeal("export", "--status", "won")
    assert (code, err) == (0, "")
    assert [json.loads(line)["game"] for line in out.splitlines()] == [won]
    file = tmp_path / "games.csv"
    assert fairdeal("export", "--format", "csv", "--game", lost, "--output", str(file)) == (
        0,
        "",
        "",
    )
    assert {line.partition(",")[0] for line in file.read_text().splitlines()} == {"game", lost}
    code, out, _ = fairdeal("verify", "--all")
    assert code == 0
    assert out.startswith("Replayed 2 games with ")
    assert out.endswith("compared 2 of them with their hash chain. 0 differ.\n")
    assert fairdeal("verify", won)[0] == 0
    assert fairdeal("verify", "nothing")[:2] == (
        1,
        (
            "nothing: There is no such game.\n"
            "Replayed 0 games with 0 events and compared 0 of them with their hash chain. 1 differ.\n"
        ),
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "--game", "nothing"), "No game has the id 'nothing'."),
        (("export", "--player", "nobody"), "No player has the name or id 'nobody'."),
        (("export", "--status", "cheated"), "'status' must be one of playing"),
        (("export", "--output", "/nowhere/at/all"), "Can't write the file"),
    ],
)
def test_an_export_that_cannot_be_made_says_why(fairdeal, arguments, said):
    code, out, err = fairdeal(*arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_the_help_of_the_export_names_every_choice(capfd):
    with pytest.raises(SystemExit):
        cli.main(["export", "--help"])
    said = " ".join(capfd.readouterr().out.split())
    assert "open, daily, race, shared, ghost or duel" in said
    for choices in (Status, Kind, Flag):
        assert " or ".join(", ".join(choices).rsplit(", ", 1)) in said


def test_the_export_of_a_player_without_games_is_empty(fairdeal, database_url):
    async def add_player() -> str:
        async with started(Settings(database_url=database_url)) as app:
            anna, _ = await app.state.services.sessions.new_guest()
        return str(anna.id)

    assert fairdeal("export", "--player", asyncio.run(add_player())) == (0, "", "")
