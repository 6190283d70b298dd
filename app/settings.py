"""What can be configured: read from the environment once, checked, and never changed afterwards.

Every setting has a default that is safe on a machine that the whole world can reach.
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

# Read by the build of the package, not by the site; the prefix is shared.
_READ_ELSEWHERE = frozenset({"FAIRDEAL_WITHOUT_ASSETS", "FAIRDEAL_WITHOUT_COMPILER"})


class SettingsError(ValueError):
    """The configuration cannot be used; the message says which setting and why, a line each."""


def _known_database(url: str) -> str:
    if not url.startswith(("sqlite://", "postgresql://", "postgresql+psycopg://", "postgres://")):
        raise ValueError("must start with sqlite:/// or postgresql://")
    return url


def _in_the_data_folder(values: Mapping[str, object]) -> str:
    return f"sqlite:///{values['data_dir']}/fairdeal.db"


class Settings(BaseSettings):
    """One field a setting; ``FAIRDEAL_PORT`` in the environment sets ``port``, and so on."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="forbid", env_ignore_empty=True
    )

    data_dir: Path = Field(
        Path("data"), description="Folder for the SQLite database; made when it is missing."
    )
    database_url: Annotated[str, AfterValidator(_known_database)] = Field(
        default_factory=_in_the_data_folder,
        validation_alias=AliasChoices("database_url", f"{PREFIX}database_url"),
        repr=False,  # it may hold a password
        description="sqlite:///path or postgresql://...; without it, SQLite in the data folder.",
    )
    host: str = Field("127.0.0.1", min_length=1, description="Address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes any free one.")
    workers: int = Field(
        1, ge=1, le=64, description="Server processes; more than one needs Postgres."
    )
    https_only: bool = Field(
        default=False,
        description="The site is reached by https alone: cookies are always Secure and browsers remember it.",
    )
    trusted_proxies: str = Field(
        "127.0.0.1",
        description="Addresses whose X-Forwarded-For and X-Forwarded-Proto are believed, separated by commas.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="What is worth a line."
    )
    session_days: int = Field(
        400, ge=1, le=400, description="How long a browser that stays away is remembered."
    )
    max_body_bytes: int = Field(
        65_536, ge=1024, le=16_777_216, description="The largest request body that is read."
    )
    actions_per_minute: int = Field(
        6000, ge=1, description="Changes that one player may make in a minute."
    )
    games_per_minute: int = Field(
        600, ge=1, description="New games that one address may start in a minute."
    )
    guests_per_minute: int = Field(
        600, ge=1, description="New guests that one address may bring in a minute."
    )
    wrong_codes_per_minute: int = Field(
        20, ge=1, description="Codes of no race that one address may try in a minute."
    )
    streams_per_player: int = Field(
        20, ge=1, description="Pages of one player that may listen at once, in each server process."
    )
    streams_per_address: int = Field(
        500, ge=1, description="Pages at one address that may listen at once, in each process."
    )
    proof_seconds: int = Field(
        15,
        ge=0,
        le=600,
        description="How long to look for a proof that a deal can be won; 0 proves none, so that none is promised.",
    )
    unproven_deals: bool = Field(
        default=False,
        description="For development: deals of the day are made without proof and marked as not verified.",
    )
    pool_size: int = Field(
        12, ge=0, le=10_000, description="Proven deals in stock, of each kind, for each game."
    )
    job_workers: int = Field(
        default_factory=lambda: max(1, (os.cpu_count() or 1) // 2),
        ge=1,
        le=64,
        description="Processes beside each server process for what players wait for: hints, proofs, reviews.",
    )
    jobs_per_player: int = Field(
        3, ge=1, description="Computations that one player may have waiting or under way."
    )
    address_days: int = Field(
        30,
        ge=1,
        le=365,
        description="How long it is known, by a hash, from which networks somebody has logged in.",
    )
    refused_days: int = Field(
        30, ge=1, le=3650, description="How long refused actions are kept beside the logs of games."
    )
    shutdown_seconds: int = Field(
        5, ge=0, le=300, description="How long a stop waits for answers under way."
    )

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a file, which one process writes."""
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
    """The settings that the environment asks for; raises ``SettingsError`` when it asks for nonsense."""
    _refuse_unknown(os.environ)
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError("\n".join(_sentence(problem) for problem in error.errors())) from error


def variable_of(field: str) -> str:
    """The environment variable that sets a field."""
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
        return f"{DATABASE_URL} {reason}."  # without its value, which may hold a password
    return f"{variable_of(field)} is {problem['input']!r}: it {reason}."
