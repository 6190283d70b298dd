"""The inventories in docs/security.md name what the code has: connections, keys, libraries, roles, logs and tables."""

from __future__ import annotations

import ast
import re
import tomllib
from itertools import chain

from app.admin.auth.repository import Role
from app.db.schema import METADATA
from app.games.visibility import Part
from app.logs import logger_of
from app.settings import Settings
from tests.test_dangerous_code import MODULES, ROOT
from tests.test_security_numbers import TEXT, section

CONNECTIONS = {
    "database_url": "PostgreSQL",
    "replica_url": "standby",
    "pubsub_url": "NATS",
    "openid_issuer": "OpenID provider",
    "push_hosts": "push services",
}
SECRETS = {
    "database_url": "DATABASE_PASSWORD",
    "replica_url": "password in `FAIRDEAL_REPLICA_URL`",
    "pubsub_url": "password in `FAIRDEAL_PUBSUB_URL`",
    "openid_client_secret": "FAIRDEAL_OPENID_CLIENT_SECRET",
    "metrics_token": "FAIRDEAL_METRICS_TOKEN",
    "secret_key": "FAIRDEAL_SECRET_KEY",
}
# Packages whose work is cryptography, by the name with which they are imported.
LIBRARIES = {
    "argon2": "argon2-cffi",
    "authlib": "Authlib",
    "cryptography": "cryptography",
    "hashlib": "hashlib",
    "hmac": "hmac",
    "http_ece": "http-ece",
    "joserfc": "joserfc",
    "py_vapid": "py-vapid",
    "pyotp": "pyotp",
    "secrets": "secrets",
    "webauthn": "webauthn",
}
OTHER_LIBRARIES = {"Crypto", "bcrypt", "ecdsa", "jose", "jwt", "nacl", "passlib", "rsa", "scrypt"}

SETTING_UP = {
    "app/logs.py",
    "app/solver/build_check.py",  # when it is imported, before logs are set up
}


def imported() -> set[str]:
    """The first part of every module that the site imports."""
    return {
        name.partition(".")[0]
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
    }


def row(number: str) -> str:
    """The row of a requirement."""
    found = re.search(rf"^\| {re.escape(number)} \|.+$", TEXT, re.MULTILINE)
    assert found, number
    return found[0]


def test_every_setting_that_names_another_machine_is_among_the_connections():
    addresses = {name for name in Settings.model_fields if re.search(r"_(url|issuer|hosts)$", name)}
    assert addresses - {"allowed_hosts"} == CONNECTIONS.keys()
    text = section("Connections")
    assert [words for words in CONNECTIONS.values() if words not in text] == []
    for name in ("pubsub_url", "openid_issuer", "push_hosts"):
        assert CONNECTIONS[name] in row("13.2.4")


def test_every_secret_setting_is_among_the_keys():
    secret = {name for name, field in Settings.model_fields.items() if not field.repr}
    assert secret == SECRETS.keys()
    text = section("Keys, secrets and algorithms")
    assert [words for words in SECRETS.values() if words not in text] == []


def test_cryptography_is_that_of_the_named_libraries():
    assert imported() & (LIBRARIES.keys() | OTHER_LIBRARIES) == LIBRARIES.keys()
    text = row("11.2.1")
    assert [name for name in LIBRARIES.values() if not re.search(rf"\b{name}\b", text)] == []


def test_every_cipher_and_curve_is_among_the_keys():
    sources = "\n".join(path.read_text() for path in MODULES)
    assert set(re.findall(r"\b(AESGCM|AESCCM|ChaCha20Poly1305|Cipher|Fernet)\(", sources)) == {
        *("AESGCM", "Fernet")  # Fernet reads what an earlier release has sealed
    }
    assert set(re.findall(r"\bec\.(SEC[PT]\w+)\(", sources)) == {"SECP256R1"}
    assert set(re.findall(r'version="(aes\w+)"', sources)) == {"aes128gcm"}
    for words in ("AES-256-GCM", "AES-128-GCM", "Fernet"):
        assert words in row("11.3.1")
        assert words in section("Keys, secrets and algorithms")
    assert "P-256" in section("Keys, secrets and algorithms")


def test_every_role_and_every_part_of_a_game_has_its_words():
    text = section("Who may do what")
    assert [role for role in Role if f"| {role.value.capitalize()} |" not in text] == []
    words = {
        Part.CARDS: "visible cards",
        Part.LOG: "log",
        Part.RECORD: "record",
        Part.REPLAY: "replay",
        Part.DEAL: "deal",
        Part.QUESTION: "answers that search hidden cards",
    }
    assert words.keys() == set(Part)
    (listed,) = re.findall(
        r"`app/games/visibility.py` says which parts of a game a viewer may see: (.+?)\. Every route asks it",
        text,
    )
    assert [part for part, said in words.items() if said not in listed] == []


def test_all_logs_are_below_one_name_and_named():
    elsewhere = {
        path.relative_to(ROOT).as_posix()
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("getLogger")
    }
    assert elsewhere == SETTING_UP  # all others ask for theirs by ``logger_of``
    assert logger_of("part").name == "fairdeal.part"
    text = section("Logs")
    for name in ("`fairdeal.access`", "`fairdeal.security`", "other `fairdeal` loggers"):
        assert name in text


def test_every_table_has_one_class():
    (text,) = re.findall(
        r"^\| Class \| Tables \|\n\|---\|---\|\n(.+?)\n\n", TEXT, re.MULTILINE | re.DOTALL
    )
    listed = re.findall(r"`(\w+)`", text)
    assert sorted(listed) == sorted(METADATA.tables)


def test_every_dependency_has_an_exact_version():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in pinned if not re.fullmatch(r"[\w.-]+==[\w.]+( ;.+)?", line)] == []
    names = {line.partition("==")[0].lower().replace("_", "-") for line in pinned}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = chain(project["dependencies"], *project["optional-dependencies"].values())
    needed = {re.split(r"[\[<>=~! ]", one)[0].lower() for one in wanted} - {"fairdeal"}
    assert needed - names == set()


def test_types_are_checked_strictly():
    mypy = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    assert mypy["strict"] is True
    (commands,) = re.findall(
        r"^check:.*\n((?:\t.+\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE
    )
    assert "/mypy\n" in commands
