"""Which of the day's deals a viewer is shown first, on the home page and on the page of today's deals alike."""

from __future__ import annotations

from collections.abc import Sequence

from app.daily.model import PlayerDeal, Today
from app.rulesets import FIRST_RULESET


def shown_deals(today: Today, played: Sequence[str]) -> list[PlayerDeal]:
    """The deal that is drawn, then the others that are shown beside it; empty while no featured one exists.

    ``played`` are the ids of the rule sets of the viewer's last games, the last one first; a newcomer has none.
    """
    return _for_player(today, played) if played else _for_newcomer(today.featured)


def _for_player(today: Today, played: Sequence[str]) -> list[PlayerDeal]:
    """The headline, and beside it a deal of the viewer's last games and the featured ones, what can be played first.

    After the headline the next featured one takes its place; if none of these can be played, then another one that can.
    """
    playable = [found for found in today.player_deals if not found.has_ended]
    own = [found for name in played for found in playable if found.rules.id == name]
    featured = sorted(today.featured, key=lambda found: found.has_ended)
    if not featured:
        return []
    headline = next(iter([*own, *playable]), featured[0]) if featured[0].has_ended else featured[0]
    following = [found for found in own if found is not headline][:1]
    return list({found.rules.id: found for found in (headline, *following, *featured)}.values())


def _for_newcomer(featured: Sequence[PlayerDeal]) -> list[PlayerDeal]:
    """The featured ones, first one of another game than they are offered: two pictures of one would compete."""
    drawn = [found for found in featured if found.rules is not FIRST_RULESET][:1]
    return [*drawn, *(found for found in featured if found not in drawn)]
