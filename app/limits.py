"""The settings that bound what a connection, a player, a network and all together may ask of the site."""

from __future__ import annotations

from pydantic import BaseModel, Field


class Limits(BaseModel):
    """A part of ``Settings``, which says how they are set. Per minute means in any 60 seconds, not by the clock.

    A network is an IPv4 address or an IPv6 /64, as one household has it.
    """

    max_body_bytes: int = Field(
        65_536, ge=1024, le=16_777_216, description="Largest request body that is accepted."
    )
    max_record_bytes: int = Field(
        262_144,
        ge=1024,
        le=16_777_216,
        description="Largest request body with a record to import.",
    )
    head_seconds: float = Field(
        10, gt=0, le=300, description="Seconds for the head of a request to arrive completely."
    )
    body_seconds: float = Field(
        30, gt=0, le=3600, description="Seconds for the body of a request to arrive completely."
    )
    connections: int = Field(
        4000,
        ge=10,
        description="Connections that each server process may have open; allow as many open files.",
    )
    connections_per_network: int = Field(
        600,
        ge=10,
        description="The same for one network; connections of trusted proxies are not counted.",
    )
    actions_per_minute: int = Field(
        6000, ge=1, description="Changes that one player can make in a minute."
    )
    games_per_minute: int = Field(
        600,
        ge=1,
        description="Games that one network (an IPv4 address or an IPv6 /64) can start in a minute.",
    )
    guests_per_minute: int = Field(
        30,
        ge=1,
        description="Guests that one network can create in a minute, day and night.",
    )
    guests_at_once: int = Field(
        600,
        ge=1,
        description="Guests that a network can create at once before that rate holds: a school may share one address.",
    )
    imports_per_minute: int = Field(
        6, ge=1, description="Games that one network can import in a minute, day and night."
    )
    imports_at_once: int = Field(
        60, ge=1, description="Games that a network can import at once before that rate holds."
    )
    imports_per_day: int = Field(
        300, ge=1, description="Games that one network can import in a day, counted from its first."
    )
    daily_attempts_per_network: int = Field(
        8,
        ge=1,
        description="Attempts at a daily deal from one network that can be ranked; later ones are unconfirmed.",
    )
    wrong_codes_per_minute: int = Field(
        20, ge=1, description="Wrong race codes that one network can try in a minute."
    )
    reminders_per_minute: int = Field(
        60, ge=1, description="Reminders that one network can renew or stop in a minute."
    )
    rooms_per_minute: int = Field(
        20,
        ge=1,
        description="Deals that races opened from one network can take in a minute, day and night.",
    )
    rooms_at_once: int = Field(
        200,
        ge=1,
        description="Deals that races opened from one network can take at once before that rate holds.",
    )
    streams_per_player: int = Field(
        20, ge=1, description="Event streams that one player can have open in each server process."
    )
    streams_per_address: int = Field(
        500,
        ge=1,
        description="Event streams that one network can have open in each server process.",
    )
    jobs_per_player: int = Field(
        3, ge=1, description="Computations that one player can have queued or running."
    )
    jobs_per_network: int = Field(
        30,
        ge=1,
        description="Computations that the guests of one network can have queued or running; so can its named ones.",
    )
    guest_games: int = Field(1_000, ge=1, description="Games that a guest can keep.")
    guest_actions: int = Field(
        200_000, ge=1, description="Actions that a guest can keep, in all games together."
    )
    guest_imports: int = Field(100, ge=1, description="Imported games that a guest can keep.")
    named_games: int = Field(
        20_000, ge=1, description="Games that a player with an account can keep."
    )
    named_actions: int = Field(
        4_000_000,
        ge=1,
        description="Actions that a player with an account can keep, in all games together.",
    )
    named_imports: int = Field(
        2_000, ge=1, description="Imported games that a player with an account can keep."
    )
