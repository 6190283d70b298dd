"""Players, sessions and accounts in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

import dataclasses
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from app.db.schema import accounts, players, sessions, suspensions, withdrawn_names
from app.identity.model import EVER, Account, OpenSince, Player, Session, SessionOwner
from app.identity.name_keys import NameKeys

MAX_SESSIONS: Final = 50
"""Sessions of one player: a program may sign in each time it runs."""

_a, _s, _w = accounts.c, sessions.c, withdrawn_names.c

_ACCOUNT = select(_a.player_id, players.c.name, _a.password_hash, _a.claimed_ms).join_from(
    accounts, players
)
_SESSION_OWNER = select(
    *(players.c.id, players.c.name, _a.player_id.is_not(None), _s.seen_ms),
    suspensions.c.reason,
    _a.language,
).select_from(
    sessions.join(players)
    .outerjoin(accounts, _a.player_id == players.c.id)
    .outerjoin(suspensions, suspensions.c.player_id == players.c.id)
)


# --- players


def add_player(connection: Connection, player_id: str, name: str, now_ms: int) -> None:
    connection.execute(insert(players).values(id=player_id, name=name, created_ms=now_ms))


def rename_player(connection: Connection, player_id: str, name: str) -> None:
    """Change a player's name as it is shown."""
    connection.execute(update(players).where(players.c.id == player_id).values(name=name))


def lock_player(connection: Connection, player_id: str) -> None:
    """Let what a player does wait for the end of this transaction, so that two of their requests can't cross."""
    query = select(players.c.id).where(players.c.id == player_id)
    connection.execute(query.with_for_update(key_share=True))


def set_language(connection: Connection, player_id: str, language: str) -> None:
    """Keep the language that the owner of an account has chosen; a guest has none."""
    connection.execute(update(accounts).where(_a.player_id == player_id).values(language=language))


def is_named(connection: Connection, player_id: str) -> bool:
    """Whether a player has created an account, and so is not a guest."""
    found = select(_a.player_id).where(_a.player_id == player_id)
    return connection.execute(found).first() is not None


def find_player_name(connection: Connection, player_id: str) -> str:
    """The name of a player."""
    return connection.scalar(select(players.c.name).where(players.c.id == player_id)) or ""


def find_suspension(connection: Connection, player_id: str) -> str | None:
    """Why a player is suspended, as a sentence; ``None`` for other players."""
    query = select(suspensions.c.reason).where(suspensions.c.player_id == player_id)
    return connection.scalar(query)


def check_not_suspended(connection: Connection, player: Player) -> None:
    """Raise ``SuspendedError`` also where the player was suspended since the session was remembered."""
    suspension = find_suspension(connection, player.id)
    dataclasses.replace(player, suspension=suspension).check_not_suspended()


def find_claimed_ms(connection: Connection, player_id: str) -> int | None:
    """When a player created their account; ``None`` for a guest."""
    return connection.scalar(select(_a.claimed_ms).where(_a.player_id == player_id))


# --- sessions


def add_session(
    connection: Connection, token_hash: bytes, player_id: str, label: str, now_ms: int
) -> None:
    connection.execute(
        insert(sessions).values(
            token_hash=token_hash,
            player_id=player_id,
            label=label,
            created_ms=now_ms,
            seen_ms=now_ms,
        )
    )


def end_unused_sessions(connection: Connection, player_id: str, begun: bytes) -> None:
    """End the sessions of a player that were not used for longest, if there are too many with the one ``begun``."""
    others = select(_s.token_hash).where(_s.player_id == player_id, _s.token_hash != begun)
    too_many = others.order_by(_s.seen_ms.desc(), _s.created_ms.desc()).offset(MAX_SESSIONS - 1)
    connection.execute(delete(sessions).where(_s.token_hash.in_(too_many)))


def find_session_owner(
    connection: Connection, token_hash: bytes, open_since: OpenSince
) -> SessionOwner | None:
    """The player of a session that is still open."""
    row = connection.execute(
        _SESSION_OWNER.where(_s.token_hash == token_hash, _is_open(open_since))
    ).first()
    return SessionOwner(*row) if row is not None else None


def list_sessions(
    connection: Connection, player_id: str, open_since: OpenSince = EVER
) -> list[Session]:
    """A player's open sessions, the most recently used first."""
    query = (
        select(_s.token_hash, _s.label, _s.created_ms, _s.seen_ms)
        .select_from(sessions.outerjoin(accounts, _a.player_id == _s.player_id))
        .where(_s.player_id == player_id, _is_open(open_since))
    )
    rows = connection.execute(
        query.order_by(_s.seen_ms.desc(), _s.created_ms.desc(), _s.token_hash)
    )
    return [Session(bytes(row[0]), *row[1:]) for row in rows]


def _is_open(since: OpenSince) -> ColumnElement[bool]:
    """For queries that join the accounts: a session without one is a guest's."""
    is_young = _a.player_id.is_(None) | (_s.created_ms >= since.created_ms)
    return and_(_s.seen_ms >= since.seen_ms, is_young)


def touch_session(connection: Connection, token_hash: bytes, now_ms: int) -> None:
    """Store that a session is in use."""
    connection.execute(update(sessions).where(_s.token_hash == token_hash).values(seen_ms=now_ms))


def end_session(connection: Connection, token_hash: bytes) -> bool:
    """End a session; whether there was one."""
    ended = connection.execute(delete(sessions).where(_s.token_hash == token_hash))
    return ended.rowcount == 1


def end_sessions(connection: Connection, player_id: str, keep: bytes = b"") -> int:
    """End a player's sessions, except the one to ``keep``; how many there were."""
    ended = connection.execute(
        delete(sessions).where(_s.player_id == player_id, _s.token_hash != keep)
    )
    return ended.rowcount


# --- accounts


def add_account(
    connection: Connection, player_id: str, keys: NameKeys, password_hash: str, now_ms: int
) -> None:
    """Add an account; ``IntegrityError`` when the name is taken."""
    connection.execute(
        insert(accounts).values(
            player_id=player_id,
            name_key=keys.key,
            name_shape=keys.shape,
            password_hash=password_hash,
            claimed_ms=now_ms,
        )
    )


def find_account_by_name(connection: Connection, name_key: str) -> Account | None:
    row = connection.execute(_ACCOUNT.where(_a.name_key == name_key)).one_or_none()
    return Account(*row) if row else None


def find_account_of(
    connection: Connection, player_id: str, *, lock: bool = False
) -> Account | None:
    """A player's account; None for a guest. With ``lock``, nobody changes it until the transaction ends."""
    if lock:
        # In a query of its own: after waiting for the lock, a joined query would return the old rows.
        connection.execute(select(_a.player_id).where(_a.player_id == player_id).with_for_update())
    row = connection.execute(_ACCOUNT.where(_a.player_id == player_id)).one_or_none()
    return Account(*row) if row else None


def change_name_keys(connection: Connection, player_id: str, keys: NameKeys) -> None:
    """Change the name of an account; ``IntegrityError`` when the name is taken."""
    connection.execute(
        update(accounts)
        .where(_a.player_id == player_id)
        .values(name_key=keys.key, name_shape=keys.shape)
    )


def change_password(connection: Connection, player_id: str, password_hash: str) -> None:
    """Change the password hash of an account."""
    connection.execute(
        update(accounts).where(_a.player_id == player_id).values(password_hash=password_hash)
    )


def delete_account(connection: Connection, player_id: str) -> None:
    """Delete an account, which frees its name."""
    connection.execute(delete(accounts).where(_a.player_id == player_id))


# --- names that are taken, or were withdrawn by moderators


def lock_shape(connection: Connection, shape: str) -> None:
    """Wait for other transactions that take a name of this shape; they wait for this one.

    No unique key can do it: names from before shapes were compared may share one. SQLite has one writer anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(shape, 0))))


def is_name_taken(connection: Connection, keys: NameKeys, player_id: str | None = None) -> bool:
    """Whether another player than ``player_id`` has a name like this, or moderators have withdrawn one."""
    own = select(_a.name_shape).where(_a.player_id == player_id)
    # Two players whose names looked alike before may go on changing capitals and accents.
    keeps_shape = player_id is not None and connection.scalar(own) == keys.shape
    for table in (_a, _w):
        is_like = table.name_key == keys.key
        if not keeps_shape:
            is_like |= table.name_shape == keys.shape
        if table is _a:
            is_like &= _a.player_id.is_distinct_from(player_id)
        if connection.execute(select(table.player_id).where(is_like).limit(1)).first():
            return True
    return False


def list_withdrawn_names(connection: Connection, player_id: str) -> list[tuple[str, str]]:
    """The names that moderators withdrew from a player, with the reasons."""
    query = select(_w.name, _w.reason).where(_w.player_id == player_id).order_by(_w.withdrawn_ms)
    return [(row.name, row.reason) for row in connection.execute(query)]
