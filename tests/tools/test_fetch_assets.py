"""Browser assets: the right bytes or none at all."""

import hashlib
import tarfile
from pathlib import Path

import pytest

from tools import fetch_assets
from tools.fetch_assets import Asset, AssetError, ensure_assets, missing_assets

GENUINE = b"the script as published"
ASSET = Asset("a@1", "package/dist/a.js", "a.js", hashlib.sha256(GENUINE).hexdigest())


@pytest.fixture(autouse=True)
def one_asset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch_assets, "ASSETS", (ASSET,))
    monkeypatch.delenv(fetch_assets.SKIP, raising=False)


def publish(
    monkeypatch: pytest.MonkeyPatch, content: bytes, member: str = "package/dist/a.js"
) -> None:
    """Have `npm pack` return a package with this one file."""

    def pack(_: str, folder: Path) -> Path:
        (folder / "a.js").write_bytes(content)
        with tarfile.open(folder / "package.tgz", "w:gz") as archive:
            archive.add(folder / "a.js", member)
        return folder / "package.tgz"

    monkeypatch.setattr(fetch_assets, "_pack", pack)


def no_npm(package: str, folder: Path) -> Path:
    message = f"npm was asked for {package}, to fill {folder}"
    raise AssertionError(message)


def test_a_missing_asset_is_fetched_once(monkeypatch, tmp_path):
    publish(monkeypatch, GENUINE)
    assert ensure_assets(tmp_path / "vendor") == ["a.js"]
    assert (tmp_path / "vendor" / "a.js").read_bytes() == GENUINE

    monkeypatch.setattr(fetch_assets, "_pack", no_npm)
    assert ensure_assets(tmp_path / "vendor") == []


def test_assets_of_several_packages_are_fetched_and_each_package_once(monkeypatch, tmp_path):
    sha = hashlib.sha256(GENUINE).hexdigest()
    more = [Asset(name[0], f"package/{name}", name, sha) for name in ("b1", "b2", "c1")]
    publish(monkeypatch, GENUINE)
    ensure_assets(tmp_path)
    monkeypatch.setattr(fetch_assets, "ASSETS", (ASSET, *more))
    asked: list[str] = []

    def pack(package: str, folder: Path) -> Path:
        asked.append(package)
        with tarfile.open(folder / "package.tgz", "w:gz") as archive:
            for asset in more:
                if asset.package == package:
                    (folder / asset.name).write_bytes(GENUINE)
                    archive.add(folder / asset.name, asset.member)
        return folder / "package.tgz"

    monkeypatch.setattr(fetch_assets, "_pack", pack)
    assert ensure_assets(tmp_path) == ["b1", "b2", "c1"]
    assert asked == ["b", "c"]


def test_an_asset_with_other_contents_is_refused_and_not_written(monkeypatch, tmp_path):
    publish(monkeypatch, b"something else")
    with pytest.raises(AssetError, match=f"{ASSET.sha256} is pinned"):
        ensure_assets(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_asset_that_was_changed_on_disk_counts_as_missing(monkeypatch, tmp_path):
    (tmp_path / "a.js").write_bytes(b"tampered with")
    assert missing_assets(tmp_path) == [ASSET]

    publish(monkeypatch, GENUINE)
    ensure_assets(tmp_path)
    assert (tmp_path / "a.js").read_bytes() == GENUINE


def test_a_package_without_the_file_is_named(monkeypatch, tmp_path):
    publish(monkeypatch, GENUINE, member="package/other.js")
    with pytest.raises(AssetError, match=r"contains no package/dist/a\.js"):
        ensure_assets(tmp_path)


def test_assets_can_be_left_out(monkeypatch, tmp_path):
    monkeypatch.setenv(fetch_assets.SKIP, "1")
    monkeypatch.setattr(fetch_assets, "_pack", no_npm)
    assert ensure_assets(tmp_path) == []


def test_a_failure_of_npm_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(fetch_assets, "_npm", lambda: ["false"])
    with pytest.raises(AssetError, match=f"set {fetch_assets.SKIP}=1 to install without"):
        ensure_assets(tmp_path)


def test_node_is_requested_only_on_a_machine_without_npm(monkeypatch):
    monkeypatch.setattr(fetch_assets, "missing_assets", lambda: [ASSET])
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert fetch_assets.build_requirements() == []
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert fetch_assets.build_requirements() == [fetch_assets.NODE_WHEEL]
