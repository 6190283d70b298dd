"""Attempts at one daily deal that were started from one network: by many players, or by a guest who gave up."""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import Connection, and_, select

from app.admin.integrity.signals import Finding, Signal
from app.db.schema import daily_attempts
from app.games.attempt_verdicts import AttemptVerdict
from app.text import gettext, ngettext, sentences

_MANY: Final = 8  # other players: more than a household
_MAX_OTHERS: Final = 50
_NAMED: Final = 5


class NetworkAttempts(NamedTuple):
    """Other players' attempts from the network of an attempt, by game.

    ``scouts`` are the unconfirmed ones that did not solve the deal, started before the attempt itself, which is
    ranked, was solved.
    """

    others: list[str]
    scouts: list[str]

    @property
    def is_many(self) -> bool:
        """Whether the attempts of all these players are worth a look."""
        return len(self.others) >= _MANY


def find_network_attempts(connection: Connection, game_id: str) -> NetworkAttempts:
    """Other players' attempts at the deal of a daily game from its network; none once the network is forgotten."""
    own, other = daily_attempts.alias("mine"), daily_attempts.alias("theirs")
    is_scout = and_(
        own.c.listed,
        own.c.unconfirmed.is_(None),
        own.c.verdict == AttemptVerdict.SOLVED,
        other.c.unconfirmed.is_not(None),
        other.c.verdict != AttemptVerdict.SOLVED,
        other.c.started_ms < own.c.ended_ms,
    )
    query = (
        select(other.c.game_id, is_scout)
        .select_from(own)
        .join(
            other,
            and_(
                other.c.day == own.c.day,
                other.c.ruleset == own.c.ruleset,
                other.c.network == own.c.network,
                other.c.player_id != own.c.player_id,
            ),
        )
        .where(own.c.game_id == game_id)
        .order_by(other.c.game_id)
        .limit(_MAX_OTHERS)
    )
    rows = connection.execute(query).all()
    return NetworkAttempts([found for found, _ in rows], [found for found, scout in rows if scout])


def same_network_finding(found: NetworkAttempts) -> Finding | None:
    """The signal for a daily attempt, with the innocent explanations."""
    others = scouts = ""
    if found.is_many:
        others = ngettext(
            "%(n)s other player started the same daily deal from the same network (%(games)s).",
            "%(n)s other players started the same daily deal from the same network (%(games)s).",
            len(found.others),
            games=_list(found.others),
        )
    if found.scouts:
        scouts = ngettext(
            "%(n)s guest or new name started the same daily deal from the same network "
            "before this attempt was solved, and did not solve it (%(games)s).",
            "%(n)s guests or new names started the same daily deal from the same network "
            "before this attempt was solved, and did not solve it (%(games)s).",
            len(found.scouts),
            games=_list(found.scouts),
        )
    if not (others or scouts):
        return None
    return Finding(
        Signal.SAME_NETWORK,
        sentences(
            others,
            scouts,
            gettext("Someone may have looked at the cards first under other names."),
            gettext("A family, a school, an office and a mobile network look the same."),
        ),
    )


def _list(game_ids: list[str]) -> str:
    return ", ".join(game_ids[:_NAMED])
