"""Puts the site's browser assets in place when the package is built or installed.

The same code runs by hand as `python tools/fetch_assets.py`. Node.js is asked for, as a wheel in the isolated
build environment, only when an asset is missing and the machine has no npm of its own.
"""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AssetsHook(BuildHookInterface[Any]):
    """Fetches what `static/vendor` lacks, before the files of the package are collected."""

    def dependencies(self) -> list[str]:
        """Name the wheel that brings npm, if it is needed at all."""
        requirements: list[str] = _fetch_assets().build_requirements()
        return requirements

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fetch, or fail the build with the reason and the way round it."""
        tool = _fetch_assets()
        try:
            tool.ensure_assets()
        except tool.AssetError as error:
            sys.exit(f"\n{error}\n")
        if version == "standard":
            # In a wheel the pages, their assets and the migrations travel inside the package.
            for folder in ("templates", "static", "migrations"):
                build_data["force_include"][folder] = f"app/{folder}"


def _fetch_assets() -> ModuleType:
    path = Path(__file__).parent / "tools" / "fetch_assets.py"
    spec = importlib.util.spec_from_file_location("fetch_assets", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
