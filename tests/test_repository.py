"""The files that GitHub, pre-commit and editors read: they parse, and they run what `make check` and `.ci/run` run."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
YAML_FILES = sorted(
    [
        *(ROOT / ".github").rglob("*.yml"),
        ROOT / ".pre-commit-config.yaml",
        ROOT / "docker-compose.yml",
    ]
)


def read_yaml(path: str | Path) -> Any:
    return yaml.safe_load((ROOT / path).read_text())


def steps_of(workflow: str) -> list[dict[str, Any]]:
    jobs = read_yaml(f".github/workflows/{workflow}.yml")["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("path", YAML_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_yaml_file_is_a_mapping(path):
    assert isinstance(read_yaml(path), dict)


def test_ci_runs_the_script_that_anyone_can_run():
    assert [step["run"] for step in steps_of("ci") if "run" in step] == [".ci/run"]
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


def test_ci_runs_for_pull_requests_and_for_main():
    triggers = read_yaml(".github/workflows/ci.yml")[True]  # YAML 1.1 reads the key `on` as true
    assert "pull_request" in triggers
    assert triggers["push"]["branches"] == ["main"]


@pytest.mark.parametrize("workflow", ["ci", "image"])
def test_every_action_is_pinned_to_a_major_version_or_a_commit(workflow):
    actions = [step["uses"] for step in steps_of(workflow) if "uses" in step]
    assert actions
    assert [action for action in actions if not re.search(r"@(v\d+|[0-9a-f]{40})$", action)] == []


@pytest.mark.parametrize("workflow", ["ci", "image"])
def test_workflows_have_read_permission_unless_a_job_requests_more(workflow):
    assert read_yaml(f".github/workflows/{workflow}.yml")["permissions"] == {"contents": "read"}


def test_the_image_is_built_for_both_platforms_and_pushed_for_releases_only():
    (build,) = [
        step["with"]
        for step in steps_of("image")
        if step.get("uses", "").startswith("docker/build-push-action@")
    ]
    assert build["platforms"].split(",") == ["linux/amd64", "linux/arm64"]
    assert build["labels"] == "${{ steps.metadata.outputs.labels }}"
    assert build["push"] == "${{ env.IS_RELEASE == 'true' }}"


def test_a_change_to_a_source_of_the_image_builds_it():
    paths = read_yaml(".github/workflows/image.yml")[True]["pull_request"]["paths"]
    assert {"Dockerfile", "pyproject.toml", "constraints.txt", "hatch_build.py"} <= set(paths)
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("label", ["title", "description", "licenses"])
def test_an_image_built_by_hand_is_labelled_too(label):
    assert f"org.opencontainers.image.{label}=" in (ROOT / "Dockerfile").read_text()


def test_pre_commit_runs_the_commands_of_make_check():
    recipe = re.search(r"^check:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe
    commands = [line.strip().replace("$(BIN)", ".venv/bin") for line in recipe[1].splitlines()]
    (repo,) = read_yaml(".pre-commit-config.yaml")["repos"]
    assert [hook["entry"] for hook in repo["hooks"]] == commands


def test_the_devcontainer_has_the_oldest_python_and_forwards_the_default_port():
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    assert "python:3.11" in container["image"]
    assert container["forwardPorts"] == [8000]


def test_dependabot_watches_packages_actions_and_images():
    updates = read_yaml(".github/dependabot.yml")["updates"]
    assert {"pip", "github-actions", "docker"} <= {
        update["package-ecosystem"] for update in updates
    }


def test_make_says_what_it_is_about_to_do_before_anything_slow():
    """What pip and the compiler do in silence takes minutes on a busy machine."""
    planned = subprocess.run(
        ["make", "--dry-run", "--always-make", "run"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for announced, slow in (
        ("Making a virtual environment", "-m venv"),
        ("Installing the site into .venv and compiling the solver (a few minutes", "pip install"),
        ("Serving on http://127.0.0.1:", "fairdeal serve"),
    ):
        assert 0 <= planned.find(f'echo "{announced}') < planned.find(slow), announced


def test_the_citation_is_one_and_agrees_with_the_package():
    """The keys that version 1.2.0 of the Citation File Format requires, and those that must not go stale."""
    citation = read_yaml("CITATION.cff")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["authors"] == project["authors"]
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
    assert citation["type"] in {"software", "dataset"}
