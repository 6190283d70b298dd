"""The manifests for Kubernetes: valid by its published schema, settings that the site accepts, and few rights."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from app.db.address import driver_address, engine_url, split_options
from app.settings import load_settings

FOLDER = Path(__file__).parent.parent / "deploy" / "kubernetes"
VERSIONS = ("1.30", "1.36")
"""The oldest in which a container can sleep before it stops, and a recent one."""
TEMPLATE = "secret.yaml.example"


def resources() -> list[dict[str, Any]]:
    files = [*FOLDER.glob("*.yaml"), FOLDER / TEMPLATE]
    return [each for file in files for each in yaml.safe_load_all(file.read_text())]


def named(kind: str) -> dict[str, dict[str, Any]]:
    return {each["metadata"]["name"]: each for each in resources() if each["kind"] == kind}


def pods() -> dict[str, dict[str, Any]]:
    return {name: each["spec"]["template"]["spec"] for name, each in named("Deployment").items()}


def containers(pod: dict[str, Any]) -> list[dict[str, Any]]:
    return [*pod.get("initContainers", []), *pod["containers"]]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_manifests_follow_the_schema(version):
    for resource in resources():
        kubernetes_validate.validate(resource, version, strict=True)
    wrong = named("Deployment")["site"]
    wrong["spec"]["replica"] = wrong["spec"].pop("replicas")
    with pytest.raises(kubernetes_validate.ValidationError, match="replica"):
        kubernetes_validate.validate(wrong, version, strict=True)


@pytest.mark.parametrize("name", ["migrate", "site"])
def test_the_site_accepts_its_settings(monkeypatch, name):
    secret = named("Secret")["fairdeal"]["stringData"]
    (container,) = (each for each in containers(pods()["site"]) if each["name"] == name)
    settings: dict[str, str] = {}
    for source in container.get("envFrom", []):
        settings |= named("ConfigMap")[source["configMapRef"]["name"]]["data"]
    for variable in container["env"]:
        text = secret[variable["valueFrom"]["secretKeyRef"]["key"]]
        settings[variable["name"]] = re.sub(r"(?<=:)@", "word@", text)
    for variable, value in settings.items():
        monkeypatch.setenv(variable, value)
    loaded = load_settings()
    assert "password=word" in driver_address(engine_url(loaded.database_url))
    hosts = {"migrate": "host=database ", "site": "host=pooler "}
    assert hosts[name] in f"{driver_address(engine_url(loaded.database_url))} "
    if name == "site":
        for url in (loaded.database_url, loaded.replica_url):
            assert split_options(engine_url(url))[1] == {"prepare_threshold": None}
        assert loaded.pubsub_url.startswith("nats://site:word@notices")
        assert "host=pooler " in f"{driver_address(engine_url(loaded.replica_url))} "


def test_every_name_that_is_used_exists():
    for pod in pods().values():
        for container in containers(pod):
            for variable in container.get("env", []):
                key = variable["valueFrom"]["secretKeyRef"]
                assert key["key"] in named("Secret")[key["name"]]["stringData"]
            mounted = {each["name"] for each in container.get("volumeMounts", [])}
            assert mounted <= {volume["name"] for volume in pod["volumes"]}
        for volume in pod["volumes"]:
            if "configMap" in volume:
                assert volume["configMap"]["name"] in named("ConfigMap")
    labels = [
        each["spec"]["template"]["metadata"]["labels"] for each in named("Deployment").values()
    ]
    selectors = [each["spec"]["selector"] for each in named("Service").values()]
    for kind, key in (("PodDisruptionBudget", "selector"), ("NetworkPolicy", "podSelector")):
        selectors += [each["spec"][key]["matchLabels"] for each in named(kind).values()]
    assert [selector for selector in selectors if selector not in labels] == []
    assert set(named("NetworkPolicy")) == set(named("Deployment"))


def test_containers_have_no_more_rights_than_they_need():
    for name, pod in pods().items():
        assert pod["automountServiceAccountToken"] is False, name
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        for container in containers(pod):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }, container["name"]
            assert "memory" in container["resources"]["limits"]
            assert re.search(r":v?\d+\.\d+\.\d+(-|$)", container["image"])
            is_job = container in pod.get("initContainers", [])
            assert is_job or {"readinessProbe", "livenessProbe"} <= set(container)


def test_no_password_has_a_value():
    secret = named("Secret")["fairdeal"]["stringData"]
    for name, value in secret.items():
        assert value == "" or re.fullmatch(r"\w+://\w+:@[\w:/?=-]+", value), name
    assert {file.name for file in FOLDER.iterdir() if "kind: Secret" in file.read_text()} <= {
        TEMPLATE,
        "secret.yaml",
    }


def test_the_pooler_and_the_broker_are_as_in_the_compose_file():
    pooler = named("ConfigMap")["pooler"]["data"]["pgbouncer.ini"]
    for name in ("pool_mode", "auth_type", "max_prepared_statements", "max_client_conn"):
        (line,) = re.findall(rf"(?m)^{name} = .*", (FOLDER.parent / "pgbouncer.ini").read_text())
        assert line in pooler
    broker = named("ConfigMap")["notices"]["data"]["nats.conf"]
    (user,) = re.findall(r"\{user: .*\}", (FOLDER.parent / "nats.conf").read_text())
    assert user in broker
