"""What the site has acknowledged, as its clients remember it: whatever is written here must stay true."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from simulation.client import Client
from simulation.trace import Violation


class Acknowledged(NamedTuple):
    """An action that was answered with success; it made a version. An empty action was chosen by the site."""

    action: str
    key: str | None
    player_id: str


@dataclass(slots=True)
class Attempt:
    """A ranked attempt that was answered with 201 or 200, by player and deal."""

    game_id: str
    has_resigned: bool = False


@dataclass(slots=True)
class Ledger:
    """Everything that was promised."""

    actions: defaultdict[str, dict[int, Acknowledged]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    answers: dict[tuple[str, str], Any] = field(default_factory=dict)
    """The first answer to each idempotency key, by game and key."""
    games: dict[str, str] = field(default_factory=dict)
    """Games that were dealt, and to which player."""
    attempts: dict[tuple[str, str, str], Attempt] = field(default_factory=dict)
    """By player, day and rule set."""
    closed_to_others: dict[str, float] = field(default_factory=dict)
    """Games that nobody may watch, and since when."""
    hidden: dict[str, bool] = field(default_factory=dict)
    """Results that a moderator hid (or restored again)."""
    unconfirmed: set[str] = field(default_factory=set)
    """Games that were once listed with the mark."""
    named: set[str] = field(default_factory=set)
    """Players with a name."""
    members: list[tuple[str, Client]] = field(default_factory=list)
    """Leagues by link, and browsers that were shown them."""
    race_games: dict[tuple[str, str], str] = field(default_factory=dict)
    """The game that a racer was given, by room and player."""
    began_as_guest: set[str] = field(default_factory=set)
    """Games of attempts that somebody without a name began."""
    began_with_name: set[str] = field(default_factory=set)
    """Games of attempts that somebody began under their name."""

    def acknowledge(
        self, game_id: str, version: int, entry: Acknowledged, answer: object = None
    ) -> None:
        """An action was answered with 200 and a version."""
        known = self.actions[game_id].get(version)
        if known is not None and known != entry:
            raise Violation(
                "each acknowledged action once",
                f"version {version} of {game_id} was acknowledged as {known} and as {entry}",
            )
        self.actions[game_id][version] = entry
        if entry.key is not None:
            first = self.answers.setdefault((game_id, entry.key), answer)
            if first != answer:
                raise Violation(
                    "a repeated key returns the first answer",
                    f"key {entry.key} of {game_id}: first {first}, then {answer}",
                )

    def see_marks(self, rows: list[dict[str, Any]]) -> None:
        """Rows of a board: a mark that was shown once must stay."""
        for row in rows:
            if not row["confirmed"]:
                self.unconfirmed.add(row["game"])
            elif row["game"] in self.unconfirmed:
                raise Violation("a mark stays", f"{row['game']} was unconfirmed and is confirmed")

    def began(self, game_id: str, *, is_named: bool) -> None:
        """An attempt began."""
        (self.began_with_name if is_named else self.began_as_guest).add(game_id)

    def merge(self, guest_id: str) -> None:
        """A guest signed in: what the name had stays, what the guest had may be the name's now."""
        for who, day, ruleset in list(self.attempts):
            if who == guest_id:
                del self.attempts[who, day, ruleset]

    def race(self, code: str, player_id: str, game_id: str) -> None:
        """A racer was given a game."""
        known = self.race_games.setdefault((code, player_id), game_id)
        if known != game_id:
            raise Violation(
                "each racer gets one game",
                f"player {player_id} was given {known} and {game_id} in race {code}",
            )

    def start(self, player_id: str, day: str, ruleset: str, game_id: str) -> Attempt:
        """An attempt at a daily deal was answered with a game."""
        known = self.attempts.setdefault((player_id, day, ruleset), Attempt(game_id))
        if known.game_id != game_id:
            raise Violation(
                "at most one ranked attempt",
                f"player {player_id} was given {known.game_id} and {game_id} for {ruleset} of {day}",
            )
        return known
