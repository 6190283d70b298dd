"""Times when a reader can or must do something: in UTC on the page, which a script turns into the reader's own time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from app.clock import day_of
from app.i18n.formats import iso_time, long_date
from app.i18n.speaking import say
from app.text import gettext

_ELEMENT: Final = Markup('<time datetime="{}" data-local="{}">{}</time>')


@dataclass(frozen=True, slots=True)
class LocalTime:
    """A moment, for machines and as elements, whose texts ``static/js/local-times.js`` replaces."""

    iso: str
    at_ms: int

    @staticmethod
    def of(at_ms: int) -> LocalTime:
        """Convert from milliseconds."""
        return LocalTime(iso_time(at_ms), at_ms)

    @property
    def time(self) -> Markup:
        """Where the day is clear: ``00:00 UTC``."""
        return _ELEMENT.format(self.iso, "time", self._utc)

    @property
    def day_and_time(self) -> Markup:
        """``27 November 2026, 02:01 UTC``."""
        return _ELEMENT.format(self.iso, "day", say(self.day_in_utc))

    @property
    def soon(self) -> Markup:
        """Where a reader could take it for today: the script leaves the day out only if it is."""
        return _ELEMENT.format(self.iso, "soon", say(self.day_in_utc))

    @property
    def day_in_utc(self) -> str:
        """Day and time in a record, where everyone reads the same."""
        day = long_date(day_of(self.at_ms))
        return gettext("%(day)s, %(time)s", day=day, time=self._utc)

    @property
    def _utc(self) -> str:
        return f"{self.iso[11:16]} UTC"
