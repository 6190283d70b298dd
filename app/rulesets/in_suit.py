"""Foundations as most games have them: each takes one suit, card by card."""

from __future__ import annotations

from app.engine.vocabulary import Build, Foundations, Match, Zone


def in_suit(
    count: int, *, circular: bool, plays_to: frozenset[Zone] = frozenset()
) -> tuple[Foundations, ...]:
    """``count`` foundations that build up in suit; the top cards can be played back to the zones of ``plays_to``."""
    build = Build(step=+1, match=Match.SAME_SUIT, circular=circular)
    return (Foundations(count=count, build=build, color=None, whole_run=False, plays_to=plays_to),)
