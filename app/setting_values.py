"""What the text of a setting may be.

Each function returns the text unchanged, or raises ``ValueError`` with what it must be.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Final
from urllib.parse import urlsplit

NO_PUSH_HOSTS: Final = "none"
"""In place of push services: nobody can turn on reminders."""

_SHORTEST_TOKEN: Final = 16
_SHORTEST_KEY: Final = 32
_POSTGRES: Final = ("postgresql://", "postgresql+psycopg://", "postgres://")
_BROKER: Final = re.compile(
    r"(nats|tls):// ([^@/\s]+@)? (?!,) (,?([\w.-]+|\[[\d:a-fA-F]+\])(:\d{1,5})?(?=[,/]|$))+ (/[\w-]+)?",
    re.ASCII | re.VERBOSE,
)
_PUSH_HOST: Final = re.compile(r"(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*")
_CONTACT: Final = re.compile(
    r"mailto:[^@\s]+@[\w-]+(\.[\w-]+)+|https://[\w-]+(\.[\w-]+)+", re.ASCII
)


def check_database_url(url: str) -> str:
    """The URL of an SQLite or PostgreSQL database."""
    if not url.startswith(("sqlite://", *_POSTGRES)):
        raise ValueError("must start with sqlite:/// or postgresql://")
    return url


def check_replica_url(url: str) -> str:
    """The URL of a PostgreSQL database, or nothing."""
    if url and not url.startswith(_POSTGRES):
        raise ValueError("must begin with postgresql://")
    return url


def check_broker_url(url: str) -> str:
    """The URL of NATS servers, or nothing."""
    if url and not _BROKER.fullmatch(url):
        raise ValueError("must look like nats://user:password@host:4222,other-host:4222")
    if url and find_spec("nats") is None:
        raise ValueError("needs the client of NATS: pip install 'fairdeal[nats]'")
    return url


def check_token(token: str) -> str:
    """A bearer token, or nothing."""
    if token and (len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise ValueError(
            f"must be at least {_SHORTEST_TOKEN} ASCII characters, such as of a random number"
        )
    return token


def check_key(key: str) -> str:
    """A key, or nothing. It is long, because anyone with a backup can try keys as fast as they like."""
    if key and len(key.strip()) < _SHORTEST_KEY:
        raise ValueError(
            f"must be at least {_SHORTEST_KEY} characters, such as of `openssl rand -hex 32`"
        )
    return key


def check_issuer(url: str) -> str:
    """The URL of an OpenID Connect provider, or nothing."""
    parts = urlsplit(url)
    is_local = parts.scheme == "http" and parts.hostname in {"localhost", "127.0.0.1", "::1"}
    if url and not (is_local or (parts.scheme == "https" and parts.hostname)):
        raise ValueError("must start with https://, or be on this machine")
    return url


def check_host_names(hosts: str) -> str:
    """Host names separated by commas, with ports or without."""
    if any("/" in host or not host.strip() for host in hosts.split(",") if hosts):
        raise ValueError("must be names such as cards.example.org, separated by commas")
    return hosts


def check_push_hosts(hosts: str) -> str:
    """Host names separated by commas, an asterisk for a subdomain; or ``NO_PUSH_HOSTS``."""
    if hosts != NO_PUSH_HOSTS and any(
        not _PUSH_HOST.fullmatch(host.strip()) for host in hosts.split(",") if hosts
    ):
        raise ValueError(
            "must be names such as push.example.org or *.example.org, separated by commas"
        )
    return hosts


def check_contact(address: str) -> str:
    """Where an operator can be reached, as mailto: or https: URL; or nothing."""
    if address and not _CONTACT.fullmatch(address):
        raise ValueError("must look like mailto:admin@example.org or https://example.org")
    return address
