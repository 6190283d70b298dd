"""Where the site's files other than Python are: templates, scripts, pictures, catalogs and migrations."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def templates_folder() -> Path:
    """The folder of Jinja templates."""
    return _folder("templates")


def static_folder() -> Path:
    """The folder of static files."""
    return _folder("static")


def locale_folder() -> Path:
    """The folder of the catalogs, one for each language."""
    return _folder("locale")


def migrations_folder() -> Path:
    """The folder of Alembic's environment and versions."""
    return _folder("migrations")


def _folder(name: str) -> Path:
    """A folder in the package when installed, beside it in a checkout."""
    candidates = (_PACKAGE / name, _PACKAGE.parent / name)
    for candidate in candidates:
        if candidate.is_dir():
            return candidate
    looked = " and ".join(str(candidate) for candidate in candidates)
    raise FileNotFoundError(f"The folder {name!r} is missing. It was expected at {looked}.")
