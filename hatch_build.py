"""Build hook: downloads the browser assets, compiles the solver and the catalogs of the languages.

It runs when the package is built or installed. You can also run the steps yourself: `python tools/fetch_assets.py`,
`python tools/compile_solver.py` and `python -m tools.translations compile`. Their build dependencies are installed as
wheels in the isolated build environment, and only if they are needed.
"""

import importlib.util
import sys
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent


class MadeFiles(BuildHookInterface[Any]):
    """Creates missing files before the files of the package are collected."""

    def dependencies(self) -> list[str]:
        """List the wheels for npm and Cython, if they are needed."""
        assets, solver = _tool("fetch_assets"), _tool("compile_solver")
        needed: list[str] = [*assets.build_requirements(), "babel==2.18.0"]
        return needed if _is_compiled(solver) else needed + list(solver.build_requirements())

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Download and compile. If an asset cannot be downloaded, the build fails with the reason and a workaround."""
        assets, solver = _tool("fetch_assets"), _tool("compile_solver")
        try:
            assets.ensure_assets()
        except assets.AssetError as error:
            sys.exit(f"\n{error}\n")
        if not _is_compiled(solver):
            for file in _compiled_files(solver):
                # Modules compiled from other sources must not run in place of these.
                file.unlink(missing_ok=True)
            if solver.can_compile():
                solver.compile_solver(solver.SOLVER)
        _tool("translations").compile_catalogs()
        compiled = _compiled_files(solver) if _is_compiled(solver) else []
        if version == "standard":
            # In a wheel, templates, static files, migrations and catalogs are inside the package.
            for folder in ("templates", "static", "migrations", "locale"):
                build_data["force_include"][folder] = f"app/{folder}"
            for file in compiled:
                build_data["force_include"][str(file)] = f"app/solver/{file.name}"
            build_data["infer_tag"] = bool(compiled)
            build_data["pure_python"] = not compiled


def _is_compiled(solver: ModuleType) -> bool:
    stamp = solver.SOLVER / solver.STAMP
    there = all(file.is_file() for file in _compiled_files(solver))
    return there and bool(stamp.read_text(encoding="ascii").strip() == solver.digest())


def _compiled_files(solver: ModuleType) -> list[Path]:
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    modules = [solver.SOLVER / f"{name}{suffix}" for name in solver.MODULES]
    return [*modules, solver.SOLVER / solver.STAMP]


def _tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
