"""Paths of templates, static files and migrations: in the package when installed, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def templates() -> Path:
    """The folder of Jinja templates."""
    return _folder("templates")


def static() -> Path:
    """The folder of static files."""
    return _folder("static")


def migrations() -> Path:
    """The folder of Alembic's environment and versions."""
    return _folder("migrations")


def _folder(name: str) -> Path:
    candidates = (_PACKAGE / name, _PACKAGE.parent / name)
    for candidate in candidates:
        if candidate.is_dir():
            return candidate
    looked = " and ".join(str(candidate) for candidate in candidates)
    raise FileNotFoundError(f"The folder {name!r} is missing. It was expected at {looked}.")
