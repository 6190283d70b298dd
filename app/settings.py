"""Settings, read from the environment at start-up, validated and immutable; and where the site's files are.

Every default is safe on a server that is open to the internet.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, AliasChoices, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "FAIRDEAL_"
DATABASE_URL = "DATABASE_URL"

# Read when the package is built, not by the site, though they share the prefix.
_READ_ELSEWHERE = frozenset({"FAIRDEAL_WITHOUT_ASSETS", "FAIRDEAL_WITHOUT_COMPILER"})


class SettingsError(ValueError):
    """The configuration is invalid; the message has one line per problem."""


def _known_database(url: str) -> str:
    if not url.startswith(("sqlite://", "postgresql://", "postgresql+psycopg://", "postgres://")):
        raise ValueError("must start with sqlite:/// or postgresql://")
    return url


def _in_the_data_folder(values: Mapping[str, object]) -> str:
    return f"sqlite:///{values['data_dir']}/fairdeal.db"


class Settings(BaseSettings):
    """One field per setting: ``FAIRDEAL_PORT`` in the environment sets ``port``, and so on."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="forbid", env_ignore_empty=True
    )

    data_dir: Path = Field(
        Path("data"), description="Folder for the SQLite database; created if missing."
    )
    database_url: Annotated[str, AfterValidator(_known_database)] = Field(
        default_factory=_in_the_data_folder,
        validation_alias=AliasChoices("database_url", f"{PREFIX}database_url"),
        repr=False,  # may contain a password
        description="sqlite:///path or postgresql://...; by default, SQLite in the data folder.",
    )
    host: str = Field("127.0.0.1", min_length=1, description="Address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 picks a free one.")
    workers: int = Field(
        1, ge=1, le=64, description="Server processes; more than one needs PostgreSQL."
    )
    https_only: bool = Field(
        default=False,
        description="The site is reached over HTTPS only: cookies are always Secure, and HSTS is sent.",
    )
    trusted_proxies: str = Field(
        "127.0.0.1",
        description="Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted, separated by commas.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Lowest level that is logged."
    )
    session_days: int = Field(
        400, ge=1, le=400, description="Days until an unused session expires."
    )
    max_body_bytes: int = Field(
        65_536, ge=1024, le=16_777_216, description="Largest request body that is accepted."
    )
    actions_per_minute: int = Field(
        6000, ge=1, description="Changes that one player can make in a minute."
    )
    games_per_minute: int = Field(
        600, ge=1, description="Games that one address can start in a minute."
    )
    guests_per_minute: int = Field(
        600, ge=1, description="Guests that one address can create in a minute."
    )
    wrong_codes_per_minute: int = Field(
        20, ge=1, description="Wrong race codes that one address can try in a minute."
    )
    streams_per_player: int = Field(
        20, ge=1, description="Event streams that one player can have open in each server process."
    )
    streams_per_address: int = Field(
        500,
        ge=1,
        description="Event streams that one address can have open in each server process.",
    )
    proof_seconds: int = Field(
        15,
        ge=0,
        le=600,
        description="Seconds to spend proving a deal winnable; 0 turns proofs off, so no deal is promised winnable.",
    )
    unproven_deals: bool = Field(
        default=False,
        description="For development: make daily deals without a proof and mark them as not proven.",
    )
    pool_size: int = Field(
        12, ge=0, le=10_000, description="Proven deals of each kind to keep in stock for each game."
    )
    job_workers: int = Field(
        default_factory=lambda: max(1, (os.cpu_count() or 1) // 2),
        ge=1,
        le=64,
        description="Worker processes per server process for hints, proofs and reviews.",
    )
    jobs_per_player: int = Field(
        3, ge=1, description="Computations that one player can have queued or running."
    )
    address_days: int = Field(
        30,
        ge=1,
        le=365,
        description="Days to remember, as hashes, the networks that a player signed in from.",
    )
    refused_days: int = Field(
        30, ge=1, le=3650, description="Days to keep refused actions beside the game logs."
    )
    shutdown_seconds: int = Field(
        5,
        ge=0,
        le=300,
        description="Seconds to wait for requests in progress when the server stops.",
    )

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is an SQLite file, which only one process can write."""
        return self.database_url.startswith("sqlite")

    @model_validator(mode="after")
    def _one_writer(self) -> Self:
        if self.is_sqlite and self.workers > 1:
            raise ValueError(
                "SQLite is written by one process only: use one worker, "
                "or name a Postgres database in DATABASE_URL to use several"
            )
        return self


def load_settings() -> Settings:
    """Read the settings from the environment; raises ``SettingsError`` if one is invalid."""
    _refuse_unknown(os.environ)
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError("\n".join(_sentence(problem) for problem in error.errors())) from error


def variable_of(field: str) -> str:
    """The environment variable of a setting."""
    return DATABASE_URL if field == "database_url" else PREFIX + field.upper()


def _refuse_unknown(environment: Mapping[str, str]) -> None:
    known = {PREFIX + field.upper() for field in Settings.model_fields} | _READ_ELSEWHERE
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise SettingsError(f"{name} is not a setting of Fair Deal.{hint}")


def _sentence(problem: ErrorDetails) -> str:
    reason = problem["msg"].removeprefix("Value error, ").removeprefix("Input ")
    if not problem["loc"]:
        return f"{reason}."
    field = str(problem["loc"][0]).lower().removeprefix(PREFIX.lower())
    if field == "database_url":
        return f"{DATABASE_URL} {reason}."  # without its value, which may contain a password
    return f"{variable_of(field)} is {problem['input']!r}: it {reason}."


_PACKAGE = Path(__file__).resolve().parent


def templates_folder() -> Path:
    """The folder of Jinja templates."""
    return _folder("templates")


def static_folder() -> Path:
    """The folder of static files."""
    return _folder("static")


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
