"""What decided a race that nobody won, in words: who got more cards home or, on equal cards, got there first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.races.events import GameEnding
from app.races.room import Room
from app.races.snapshot import RaceStanding
from app.text import gettext, ngettext

_BOTH: Final = 2


def all_resigned(room: Room, viewer_id: str | None) -> str:
    """Says that all racers resigned, if there was more than one; else empty."""
    if len(room.racers) == 1 or any(
        seat.finished is None or seat.finished.ending is not GameEnding.RESIGNED
        for seat in room.racers
    ):
        return ""
    if len(room.racers) > _BOTH:
        return gettext("All resigned.")
    is_racer = any(seat.player_id == viewer_id for seat in room.racers)
    return gettext("You both resigned.") if is_racer else gettext("Both resigned.")


def who_got_there_first(rows: Sequence[RaceStanding]) -> str:
    """Why one is alone in front although the next got as many cards home; empty if they got fewer."""
    first, second = rows[:2]
    home, name = first.home or 0, first.name.text
    if first.home != second.home:
        return ""
    if len(rows) > _BOTH and first.is_you:
        return ngettext(
            "You were the first with %(n)s card home.",
            "You were the first with %(n)s cards home.",
            home,
        )
    if len(rows) > _BOTH:
        return ngettext(
            "%(name)s was the first with %(n)s card home.",
            "%(name)s was the first with %(n)s cards home.",
            home,
            name=name,
        )
    if first.is_you:
        return ngettext(
            "You both got %(n)s card home; you got there first.",
            "You both got %(n)s cards home; you got there first.",
            home,
        )
    if second.is_you:
        return ngettext(
            "You both got %(n)s card home; %(name)s got there first.",
            "You both got %(n)s cards home; %(name)s got there first.",
            home,
            name=name,
        )
    return ngettext(
        "Both got %(n)s card home; %(name)s got there first.",
        "Both got %(n)s cards home; %(name)s got there first.",
        home,
        name=name,
    )
