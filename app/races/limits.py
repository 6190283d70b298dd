"""The numbers of race rooms: how many players, and how long everything may take."""

from __future__ import annotations

from typing import Final

from app.clock import MINUTE_MS

MIN_RACERS: Final = 2
MAX_SEATS: Final = 10
MAX_MINUTES: Final = 60
"""The longest time limit that a host can choose."""
COUNTDOWN_MS: Final = 5_000
"""From the host's start to the first move."""
AWAY_MS: Final = 15_000
"""After this long without a sign of a player, the others read that they are away."""
IDLE_MS: Final = 5 * MINUTE_MS
"""A game ends after this long without an action."""
IDLE_MINUTES: Final = IDLE_MS // MINUTE_MS
ABANDONED_MS: Final = 10 * MINUTE_MS
"""A room in its lobby closes after this long without an event or a sign of a player."""
ABSENT_HOST_MS: Final = 90_000
"""Another player becomes the host after this long: a browser runs the timers of a hidden tab only once a minute."""
LISTED_MS: Final = 30 * MINUTE_MS
"""The longest that a race is on the list of open races."""
FAIR_START_MS: Final = 10_000
"""In a race that strangers could find, the least time from the last player who joined or was removed to the countdown.

Strangers see whom they race before it starts, and the host can't remove some and start before others come.
"""
MAX_LOBBY_EVENTS: Final = 500
"""A room with this many takes no more changes: every look-up replays the log, and a full room needs a tenth of this."""
MAX_DEALS: Final = 6
"""The most deals that one room takes from the stock, which the daily deals need, too."""
