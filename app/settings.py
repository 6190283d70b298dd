"""Settings, read from the environment at start-up, validated and immutable.

Every default is safe on a server that is open to the internet.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, AliasChoices, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from app import setting_values
from app.limits import Limits

PREFIX = "FAIRDEAL_"
DATABASE_URL = "DATABASE_URL"

_CONSEQUENCE: Final = "default_factory_not_called"  # because another setting is invalid

# Read when the package is built, not by the site, though they share the prefix.
_READ_ELSEWHERE = frozenset({"FAIRDEAL_WITHOUT_ASSETS", "FAIRDEAL_WITHOUT_COMPILER"})


class SettingsError(ValueError):
    """The configuration is invalid; the message has one line per problem."""


def _in_the_data_folder(values: Mapping[str, object]) -> str:
    return f"sqlite:///{values['data_dir']}/fairdeal.db"


class Settings(Limits, BaseSettings):
    """One field per setting: ``FAIRDEAL_PORT`` in the environment sets ``port``, and so on."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="forbid", env_ignore_empty=True
    )

    data_dir: Path = Field(
        Path("data"), description="Folder for the SQLite database; created if missing."
    )
    database_url: Annotated[str, AfterValidator(setting_values.check_database_url)] = Field(
        default_factory=_in_the_data_folder,
        validation_alias=AliasChoices("database_url", f"{PREFIX}database_url"),
        repr=False,  # may contain a password
        description="sqlite:///path or postgresql://user:password@host,host/name; by default, SQLite in the data "
        "folder.",
    )
    replica_url: Annotated[str, AfterValidator(setting_values.check_replica_url)] = Field(
        "",
        repr=False,  # may contain a password
        description="A standby of the PostgreSQL database, as postgresql://..., on which boards, profiles, long logs "
        "and lists of the admin pages are read.",
    )
    pubsub_url: Annotated[str, AfterValidator(setting_values.check_broker_url)] = Field(
        "",
        repr=False,  # may contain a password
        description="NATS servers that carry notices between processes, as nats://host or "
        "tls://user:password@host,host; by default PostgreSQL does.",
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
    hsts_subdomains: bool = Field(
        default=False,
        description="HSTS includes all names below the site's own, which then need HTTPS, too.",
    )
    allowed_hosts: Annotated[str, AfterValidator(setting_values.check_host_names)] = Field(
        "",
        description="Host names to answer to and to use in links, separated by commas, with ports except 80 and 443.",
    )
    trusted_proxies: str = Field(
        "127.0.0.1",
        description="Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted, separated by commas.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Lowest level that is logged."
    )
    metrics_token: Annotated[str, AfterValidator(setting_values.check_token)] = Field(
        "",
        repr=False,
        description="Bearer token for /metrics; without one, only this machine can read them, and not through a proxy.",
    )
    session_days: int = Field(
        400, ge=1, le=400, description="Days until an unused session expires."
    )
    session_max_days: int = Field(
        180,
        ge=1,
        le=3650,
        description="Days until a session of a player with an account ends, however much it is used. Guests excepted.",
    )
    passkey_domain: str = Field(
        "localhost",
        min_length=1,
        description="Domain that passkeys belong to: the site's own or a parent. A change makes all passkeys useless.",
    )
    passkey_site_name: str = Field(
        "Fair Deal", min_length=1, description="Name of the site in the dialogs about passkeys."
    )
    passkey_origins: str = Field(
        "",
        description="Origins to use passkeys at, separated by commas; by default https:// and the domain, "
        "or localhost at any port.",
    )
    second_factor_for_roles: bool = Field(
        default=True,
        description="The admin pages ask for a passkey or a code besides the password; "
        "turn it off for development only.",
    )
    secret_key: Annotated[str, AfterValidator(setting_values.check_key)] = Field(
        "",
        repr=False,
        description="Key that encrypts the secrets of authenticator apps and of reminders in the database, "
        "of at least 32 characters; keep the same key while they are in use.",
    )
    openid_issuer: Annotated[str, AfterValidator(setting_values.check_issuer)] = Field(
        "",
        description="URL of an OpenID Connect provider that players can sign in with; empty turns it off.",
    )
    openid_client_id: str = Field("", description="The id of this site at that provider.")
    openid_client_secret: str = Field(
        "",
        repr=False,
        description="The secret of this site at that provider; empty for a public client.",
    )
    openid_label: str = Field(
        "OpenID", max_length=40, description="What the provider is called on buttons."
    )
    push_hosts: Annotated[str, AfterValidator(setting_values.check_push_hosts)] = Field(
        "fcm.googleapis.com,updates.push.services.mozilla.com,*.notify.windows.com,*.push.apple.com",
        description="Push services that reminders may be sent to, as host names separated by commas; "
        "none turns reminders off.",
    )
    push_contact: Annotated[str, AfterValidator(setting_values.check_contact)] = Field(
        "",
        description="Where push services can reach you, as mailto: or https: URL; by default, the address of the site.",
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
    pseudo_language: bool = Field(
        default=False,
        description="For development: offer pseudo-English, which shows what is not translated.",
    )
    pool_size: int = Field(
        12, ge=0, le=10_000, description="Proven deals of each kind to keep in stock for each game."
    )
    pool_per_level: int = Field(
        2,
        ge=0,
        le=1000,
        description="Proven deals of each difficulty to keep in stock for each game, as far as they can be found.",
    )
    job_workers: int = Field(
        default_factory=lambda: max(1, (os.cpu_count() or 1) // 2),
        ge=1,
        le=64,
        description="Worker processes per server process for hints, proofs and reviews.",
    )
    address_days: int = Field(
        30,
        ge=1,
        le=365,
        description="Days to remember, as hashes, the networks that players signed in and started daily attempts from.",
    )
    guest_days: int = Field(
        90,
        ge=0,
        le=3650,
        description="Days until a guest who stays away is deleted, with unranked games; 0 keeps them.",
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
    def _has_client_id(self) -> Self:
        if self.openid_issuer and not self.openid_client_id:
            raise ValueError(f"{PREFIX}OPENID_ISSUER needs {PREFIX}OPENID_CLIENT_ID")
        return self

    @model_validator(mode="after")
    def _one_writer(self) -> Self:
        if self.is_sqlite and self.workers > 1:
            raise ValueError(
                "SQLite is written by one process only: use one worker, "
                "or name a PostgreSQL database in DATABASE_URL to use several"
            )
        if self.is_sqlite and self.replica_url:
            raise ValueError(
                f"{PREFIX}REPLICA_URL is a standby of a PostgreSQL database: "
                "leave it empty, or name that database in DATABASE_URL"
            )
        if self.is_sqlite and self.pubsub_url:
            raise ValueError(
                f"{PREFIX}PUBSUB_URL connects several processes, and SQLite has only one: "
                "leave it empty, or name a PostgreSQL database in DATABASE_URL"
            )
        return self


def load_settings() -> Settings:
    """Read the settings from the environment; raises ``SettingsError`` if one is invalid."""
    _refuse_unknown(os.environ)
    try:
        return Settings()
    except ValidationError as error:
        problems = [each for each in error.errors() if each["type"] != _CONSEQUENCE]
        raise SettingsError("\n".join(map(_sentence, problems))) from error


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
    known = Settings.model_fields.get(field)
    value = f" is {problem['input']!r}: it" if known is None or known.repr else ""  # not a secret's
    return f"{variable_of(field)}{value} {reason}."
