"""The large deployment: a valid compose file, settings that the site accepts, and no more rights than needed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose

from app.db.address import driver_address, engine_url, split_options
from app.settings import Settings, load_settings

FOLDER = Path(__file__).parent.parent / "deploy"
NAMES = ("POSTGRES", "DATABASE", "REPLICATION", "PATRONI", "NATS")
PASSWORDS = {f"{name}_PASSWORD" for name in NAMES}


def text() -> str:
    return (FOLDER / "compose.yml").read_text()


def services(file: str = "compose.yml") -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / file).read_text())["services"]
    return found


def environment_of(file: str, name: str) -> dict[str, Any]:
    """As compose puts it together: the service's own environment over that of the service it extends."""
    service = services(file)[name]
    if "extends" not in service:
        return dict(service["environment"])
    base = (FOLDER / file).parent / service["extends"]["file"]
    extended = yaml.safe_load(base.read_text())["services"][service["extends"]["service"]]
    return {**extended["environment"], **service["environment"]}


def filled_in(value: str) -> str:
    """As compose fills in variables: the default, or a password."""
    value = re.sub(r"\$\{\w+:-(.*?)\}", r"\1", value)
    return re.sub(r"\$\{\w+(?::\?.*?)?\}", "secret", value)


def test_the_compose_file_follows_the_specification():
    # The parser takes no variables, and no YAML merges.
    merged = yaml.safe_dump(yaml.safe_load(filled_in(text())))
    parsed = PyCompose.from_yaml(merged)
    assert set(parsed.service_names()) == set(services())
    with pytest.raises(ValueError, match="imagee"):
        PyCompose.from_yaml(merged.replace("image: fairdeal\n", "imagee: fairdeal\n", 1))


@pytest.mark.parametrize("name", ["site", "migrate"])
def test_the_site_accepts_its_settings(monkeypatch, name):
    for variable, value in environment_of("compose.yml", name).items():
        monkeypatch.setenv(variable, filled_in(str(value)))
    settings = load_settings()
    database = engine_url(settings.database_url)
    assert "password=secret" in driver_address(database)
    if name == "site":
        assert split_options(database)[1] == {"prepare_threshold": None}
        assert split_options(engine_url(settings.replica_url))[1] == {"prepare_threshold": None}
        assert settings.pubsub_url.startswith("nats://site:secret@notices")
    else:
        assert "host=database-one,database-two,database-three" in driver_address(database)


def test_containers_have_no_more_rights_than_they_need():
    for name, service in services().items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else []), name
    assert [name for name, service in services().items() if "ports" in service] == ["proxy"]


def test_what_the_internet_talks_to_reaches_the_pooler_and_the_notices_only():
    networks = {name: set(service["networks"]) for name, service in services().items()}
    assert networks.pop("proxy") == {"front"}
    assert networks.pop("site") == {"front", "back"}
    assert networks.pop("notices") == {"back"}
    assert networks.pop("pooler") == {"back", "data"}
    assert {name for name in networks if name.startswith(("etcd-", "database-"))} == {
        f"{kind}-{number}" for kind in ("etcd", "database") for number in ("one", "two", "three")
    }
    for name, reached in networks.items():
        assert reached == {"data"}, name
    declared = yaml.safe_load(text())["networks"]
    assert {name for name in declared if declared[name].get("internal")} == {"back", "data"}


def test_whoever_asks_patroni_for_a_fail_over_needs_a_password():
    patroni = yaml.safe_load((FOLDER / "patroni.yml").read_text())
    assert patroni["restapi"]["authentication"][
        "username"
    ]  # the password comes from the environment
    for service in ("database-one", "database-two", "database-three"):
        given = services()[service]["environment"]
        assert given["PATRONI_RESTAPI_PASSWORD"].startswith("${PATRONI_PASSWORD:?")
    scale = (FOLDER.parent / "docs/scale.md").read_text()
    assert f"for name in {' '.join(NAMES)}; do" in scale


def test_images_are_pinned():
    images = {service["image"] for service in services().values()}
    dockerfile = (FOLDER / "patroni.Dockerfile").read_text()
    images |= {line.split()[1] for line in dockerfile.splitlines() if line.startswith("FROM ")}
    others = images - {"fairdeal", "fairdeal-database"}
    assert [image for image in others if not re.search(r":v?\d+\.\d+(\.\d+)?(-|$)", image)] == []
    assert re.search(r"patroni\[etcd3\]==\d", dockerfile)


def test_no_password_has_a_default():
    used = set(re.findall(r"\$\{(\w*PASSWORD)\b", text()))
    assert used == PASSWORDS
    for name in PASSWORDS:
        assert f"${{{name}:?Set it in .env to " in text(), name
    for file in filter(Path.is_file, FOLDER.iterdir()):
        assert not re.search(r"(?i)password\s*[:=]\s*[\"']?\w", file.read_text()), file


def test_the_balancer_and_the_pooler_know_every_database():
    names = {name for name in services() if name.startswith("database-")}
    balancer = (FOLDER / "haproxy.cfg").read_text()
    for part in balancer.split("\nbackend ")[1:]:
        assert set(re.findall(r"server \w+ ([\w-]+):5432 check", part)) == names
    pooler = (FOLDER / "pgbouncer.ini").read_text()
    assert re.findall(r"^(\w+) = host=balancer port=(\d+)", pooler, re.MULTILINE) == [
        ("fairdeal", "5432"),
        ("fairdeal_replica", "5433"),
    ]
    assert re.findall(r"bind :(\d+)", balancer) == ["5432", "5433"]


def test_a_commit_waits_for_a_standby():
    patroni = yaml.safe_load((FOLDER / "patroni.yml").read_text())
    dcs = patroni["bootstrap"]["dcs"]
    assert dcs["synchronous_mode"] is True
    assert dcs["postgresql"]["parameters"]["synchronous_commit"] == "on"
    assert {host.split(":")[0] for host in patroni["etcd3"]["hosts"].split(",")} == {
        name for name in services() if name.startswith("etcd-")
    }


# What the compose files set themselves, and what is for development.
FIXED = {"data_dir", "database_url", "replica_url", "host", "port", "trusted_proxies"}
FOR_DEVELOPMENT = {"unproven_deals", "pseudo_language"}


@pytest.mark.parametrize(
    ("file", "server", "others"),
    [
        ("compose.yml", "site", {"pubsub_url", "workers"}),
        ("../docker-compose.yml", "one", set()),
        ("../docker-compose.yml", "two", set()),
    ],
)
def test_every_setting_in_the_env_file_reaches_the_site(file, server, others):
    wanted = set(Settings.model_fields) - FIXED - FOR_DEVELOPMENT - others
    given = {
        name: value
        for name, value in environment_of(file, server).items()
        if name.removeprefix("FAIRDEAL_").lower() not in FIXED | others
    }
    assert set(given) == {f"FAIRDEAL_{name.upper()}" for name in wanted}
    for name, value in given.items():
        assert value.startswith(f"${{{name}:-"), name


def test_a_setting_that_both_compose_files_leave_to_the_env_file_is_written_once():
    shared = services("settings.yml")["server"]["environment"]
    for file, server in (("compose.yml", "site"), ("../docker-compose.yml", "one")):
        assert not set(shared) & set(services(file)[server]["environment"])
