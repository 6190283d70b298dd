"""Accounts elsewhere and sign-ins on their way, in the database. Functions run in their caller's transaction."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from app.db.schema import openid_accounts, openid_flows
from app.identity.openid.provider import Identity

_a, _f = openid_accounts.c, openid_flows.c


class FlowKind(StrEnum):
    """A sign-in under way at the provider."""

    SIGN_IN = "sign_in"
    LINK = "link"
    NAME = "name"  # back from the provider, and new here


class Flow(NamedTuple):
    """A sign-in in progress: the values that must match when the browser comes back."""

    kind: FlowKind
    back: str = ""
    nonce: str = ""
    verifier: str = ""
    player_id: str = ""
    """Of ``LINK``: the player who asked."""
    issuer: str = ""
    subject: str = ""
    """Of ``NAME``: whose account the name will be."""


def add_flow(connection: Connection, token_hash: bytes, flow: Flow, until_ms: int) -> None:
    connection.execute(
        insert(openid_flows).values(token_hash=token_hash, until_ms=until_ms, **flow._asdict())
    )


def find_flow(connection: Connection, token_hash: bytes, now_ms: int) -> Flow | None:
    """A flow that has not expired."""
    columns = [openid_flows.c[name] for name in Flow._fields]
    query = select(*columns).where(_f.token_hash == token_hash, _f.until_ms > now_ms)
    row = connection.execute(query).one_or_none()
    return Flow(FlowKind(row[0]), *row[1:]) if row else None


def take_flow(connection: Connection, token_hash: bytes, now_ms: int) -> Flow | None:
    """A flow that has not expired, once: of two transactions, one gets it. Deletes the expired ones, too."""
    found = find_flow(connection, token_hash, now_ms)
    is_taken = connection.execute(delete(openid_flows).where(_f.token_hash == token_hash)).rowcount
    connection.execute(delete(openid_flows).where(_f.until_ms <= now_ms))
    return found if is_taken == 1 else None


def find_player(connection: Connection, identity: Identity) -> str | None:
    """The id of the player who is connected with an identity."""
    query = select(_a.player_id).where(_a.issuer == identity.issuer, _a.subject == identity.subject)
    return connection.scalar(query)


def find_linked_ms(connection: Connection, player_id: str, issuer: str) -> int | None:
    """When a player connected an account of the issuer."""
    query = select(_a.linked_ms).where(_a.player_id == player_id, _a.issuer == issuer)
    return connection.scalar(query)


def list_linked(connection: Connection, player_id: str) -> list[dict[str, object]]:
    """All accounts elsewhere that a player has connected, as stored."""
    query = select(_a.issuer, _a.subject, _a.linked_ms).where(_a.player_id == player_id)
    return [dict(row) for row in connection.execute(query).mappings()]


def has_account_at(issuer: str) -> Callable[[Connection, str], bool]:
    """Whether a player, by id, can sign in by the current provider; without one, nobody can."""
    return lambda connection, player_id: find_linked_ms(connection, player_id, issuer) is not None


def link(connection: Connection, identity: Identity, player_id: str, now_ms: int) -> None:
    """Connect an identity; ``IntegrityError`` when it, or the player, is connected already."""
    connection.execute(
        insert(openid_accounts).values(
            issuer=identity.issuer,
            subject=identity.subject,
            player_id=player_id,
            linked_ms=now_ms,
        )
    )


def unlink(connection: Connection, player_id: str, issuer: str) -> bool:
    """Disconnect a player's account of the issuer; whether there was one."""
    unlinked = delete(openid_accounts).where(_a.player_id == player_id, _a.issuer == issuer)
    return connection.execute(unlinked).rowcount == 1


def delete_all(connection: Connection, player_id: str) -> None:
    """Disconnect a player whose account is being deleted."""
    connection.execute(delete(openid_accounts).where(_a.player_id == player_id))
    connection.execute(delete(openid_flows).where(_f.player_id == player_id))
