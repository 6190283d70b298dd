"""The containers: no default passwords, no more rights than needed, and a database role that is no superuser."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from sqlalchemy import make_url, text

from app.db.engine import Database
from tests.support.postgres import INSTALLATION, WHEEL, running_server
from tests.support.serving import migrate

ROOT = Path(__file__).parent.parent
SERVICES = ("database", "migrate", "one", "two", "proxy")


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    assert set(found["services"]) == set(SERVICES)
    return found


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_no_more_rights_than_it_needs(name):
    service = compose()["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service


def test_no_password_has_a_default():
    whole = (ROOT / "docker-compose.yml").read_text()
    used = re.findall(r"\$\{(\w*PASSWORD)(.*?)\}", whole)
    assert {name for name, _ in used} == {"POSTGRES_PASSWORD", "DATABASE_PASSWORD"}
    assert [rest for _, rest in used if not rest.startswith(":?Set it in .env to ")] == []
    assert re.findall(r"(?m)^ *\w*(?:PASSWORD|SECRET|TOKEN): (?!\$\{)", whole) == []
    assert re.findall(r"postgresql://\w+:(?!\$\{)", whole) == []


def test_the_readme_makes_the_passwords_that_the_compose_file_needs():
    (loop,) = re.findall(r"for name in .*_PASSWORD=.*", (ROOT / "README.md").read_text())
    made = subprocess.run(
        ["sh", "-c", loop.replace("> .env", "")], capture_output=True, text=True, check=True
    ).stdout
    assert re.fullmatch(r"POSTGRES_PASSWORD=\w{48}\nDATABASE_PASSWORD=\w{48}\n", made)


def test_both_https_ports_are_published_and_only_by_the_proxy():
    services = compose()["services"]
    assert [name for name in SERVICES if "ports" in services[name]] == ["proxy"]
    inside = [port.rpartition("}:")[2] for port in services["proxy"]["ports"]]
    assert inside == ["80", "443/tcp", "443/udp"]
    assert all("127.0.0.1:" in port for port in services["proxy"]["ports"])  # unless chosen


def test_the_proxy_does_not_reach_the_database():
    found = compose()
    assert found["services"]["database"]["networks"] == ["back"]
    assert list(found["services"]["proxy"]["networks"]) == ["front"]
    assert found["networks"]["back"]["internal"] is True


def test_the_image_is_pinned_and_runs_as_no_root():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    images = [line.split()[1] for line in lines if line.startswith("FROM ")]
    images += [
        service["image"]
        for service in compose()["services"].values()
        if service["image"] != "fairdeal"
    ]
    assert len(images) == 4
    assert [image for image in images if not re.search(r":\d+\.\d+(\.\d+)?-", image)] == []
    assert [line for line in lines if line.startswith("USER ")] == ["USER fairdeal"]
    assert lines.index("USER fairdeal") < lines.index('ENTRYPOINT ["fairdeal"]')
    assert compose()["services"]["database"]["user"] == "70:70"


def test_the_role_of_the_site_owns_its_database_and_is_no_superuser():
    found = importlib.util.find_spec(WHEEL)
    if found is None or found.origin is None:
        pytest.skip("there is no PostgreSQL to run")
    binaries = Path(found.origin).parent / INSTALLATION / "bin"
    password = 'it\'s "quoted"; DROP'
    # A server of its own: roles belong to the whole server.
    with running_server() as url:
        host = str(make_url(url).query["host"])
        environment = {
            "PATH": f"{binaries}:{os.environ['PATH']}",
            "PGHOST": host,
            "POSTGRES_USER": "postgres",
            "DATABASE_PASSWORD": password,
        }
        script = ROOT / "tools/create_database.sh"
        subprocess.run(["sh", script], env=environment, check=True)
        with psycopg.connect(url) as superuser:
            rights = superuser.execute(
                "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, rolpassword IS NOT NULL"
                " FROM pg_authid WHERE rolname = 'fairdeal'"
            ).fetchone()
            assert rights == (False, False, False, False, False, True)
        own = f"postgresql://fairdeal@/fairdeal?host={host}"
        asyncio.run(migrate(own))
        database = Database(own)
        with database.engine.connect() as connection:
            assert connection.scalar(text("SELECT count(*) FROM games")) == 0
            with pytest.raises(Exception, match="permission denied"):
                connection.execute(text("COPY games TO PROGRAM 'cat'"))
        database.engine.dispose()


def test_the_proxy_keeps_the_tls_of_caddy():
    """TLS 1.2 and 1.3 with strong ciphers, and a certificate that browsers trust, as long as nothing is changed."""
    caddyfile = (ROOT / "Caddyfile").read_text()
    weaker = r"protocols|ciphers|curves|insecure|auto_https|\btls\b|disable"
    rules = "\n".join(line.partition("#")[0] for line in caddyfile.splitlines())
    assert re.findall(weaker, rules) == []


def test_the_image_has_no_history_tests_or_secrets():
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {".git", ".github", "tests", "bench", "docs", "data", ".env"} <= set(ignored)
    _, _, final = (ROOT / "Dockerfile").read_text().rpartition("\nFROM ")
    copied = [line for line in final.splitlines() if line.startswith(("COPY", "ADD"))]
    assert copied == ["COPY --from=build /opt/fairdeal /opt/fairdeal"]
