"""The seats of a race room as rows of a table."""

from __future__ import annotations

from typing import Final, NamedTuple

from app.i18n.formats import clock_duration
from app.races.events import GameEnding
from app.races.snapshot import Activity, RaceStanding, RoomSnapshot, standings
from app.text import gettext, ngettext, pgettext

_ACTIVITY_TEXTS: Final = {
    Activity.WAITING: pgettext("a player in a race", "not ready"),
    Activity.READY: pgettext("a player in a race", "ready"),
    Activity.WATCHING: pgettext("a player in a race", "watching"),
    Activity.PLAYING: pgettext("a player in a race", "playing"),
    Activity.AWAY: pgettext("a player in a race", "away"),
    Activity.FINISHED: pgettext("a player in a race", "finished"),
    Activity.RESIGNED: pgettext("a player in a race", "resigned"),
}
_ENDING_TEXTS: Final = {
    GameEnding.WON: pgettext("a player in a race", "won"),
    GameEnding.STUCK: pgettext("a player in a race", "no moves left"),
    GameEnding.RESIGNED: pgettext("a player in a race", "resigned"),
    GameEnding.IDLE: pgettext("a player in a race", "inactive"),
    GameEnding.TIME: pgettext("a player in a race", "out of time"),
}


class SeatRow(NamedTuple):
    """A seat as a row of a table. ``color`` is the number of the racer's color, from 1; 0 for others.

    ``gap`` is how much later than the first a racer won, as text; empty for the first, and for those who did not win.
    """

    number: int
    name: str
    has_profile: bool
    is_host: bool
    is_you: bool
    activity: Activity
    ending: GameEnding | None
    status: str
    rank: int | None
    home: int | None
    home_at_most: int | None
    moves: int | None
    time: str
    gap: str
    game_id: str
    color: int

    @property
    def has_won(self) -> bool:
        """Whether all cards are home."""
        return self.ending is GameEnding.WON

    @property
    def home_text(self) -> str:
        """The cards home: ``6``, or ``4 to 7`` of another player during the race; empty for those who do not race.

        Where none may be home, ``up to 3``.
        """
        if self.home is None:
            return ""
        if self.home == self.home_at_most:
            return str(self.home)
        if not self.home:
            return gettext("up to %(most)s", most=self.home_at_most)
        return gettext("%(least)s to %(most)s", least=self.home, most=self.home_at_most)

    @property
    def home_briefly(self) -> str:
        """The same where there is little room: ``6``, or ``4–7``."""
        return str(self.home) if self._is_exact else f"{self.home}–{self.home_at_most}"

    def home_of(self, cards: int) -> str:
        """``8 of 52``, or ``4 to 7 of 52`` of another player: the middle could be a lead that they do not have."""
        return gettext("%(home)s of %(cards)s", home=self.home_text, cards=cards)

    @property
    def bar_end(self) -> int | None:
        """Up to where a bar shows what may be home; nothing while it is not known that any card is."""
        return self.home_at_most if self.home else 0

    @property
    def _is_exact(self) -> bool:
        return self.home == self.home_at_most

    @property
    def cards_home(self) -> str:
        """The same with what they are: a bare range beside a name would look like a score."""
        if self.home is None:
            return ""
        return ngettext(
            "%(home)s card home", "%(home)s cards home", self.home_at_most or 0, home=self.home_text
        )


def seat_rows(snapshot: RoomSnapshot, viewer_id: str | None) -> list[SeatRow]:
    """The seats as rows of a table."""
    colors = {seat.number: color for color, seat in enumerate(snapshot.room.racers, start=1)}
    rows = standings(snapshot, viewer_id)
    won = [row.seconds or 0 for row in rows if row.ending is GameEnding.WON]
    best = min(won, default=0)
    return [_row(row, colors.get(row.number, 0), best) for row in rows]


def _row(standing: RaceStanding, color: int, best: int) -> SeatRow:
    """``best`` is the shortest time in which a racer has won, in seconds."""
    seconds = standing.seconds
    later = (seconds or 0) - best if standing.ending is GameEnding.WON else 0
    return SeatRow(
        number=standing.number,
        name=standing.name.text,
        has_profile=standing.name.is_named,
        is_host=standing.is_host,
        is_you=standing.is_you,
        activity=_activity(standing),
        ending=standing.ending,
        status=_status(standing),
        rank=standing.rank,
        home=standing.home,
        home_at_most=standing.home_at_most,
        moves=standing.moves,
        time=clock_duration(seconds) if seconds is not None else "",
        gap=f"+{clock_duration(later)}" if later else "",
        game_id=standing.game_id or "",
        color=color,
    )


def _status(standing: RaceStanding) -> str:
    has_given_up = (
        standing.ending is GameEnding.RESIGNED
    )  # which is an act, even before the first move
    if standing.ending and not standing.moves and not has_given_up:
        return pgettext("a player in a race", "didn't play")
    if standing.ending:
        return _ENDING_TEXTS[standing.ending]
    return _ACTIVITY_TEXTS[_activity(standing)]


def _activity(standing: RaceStanding) -> Activity:
    # The host need not say that they are ready.
    is_ready = standing.is_host and standing.activity is Activity.WAITING
    return Activity.READY if is_ready else standing.activity
