"""The topic of a game, for those who follow it."""

from __future__ import annotations

from typing import Final

from app.pubsub.topics import Topic

GAME_TOPIC: Final = "table"  # this name is part of the stream's format


def game_topic(game_id: str) -> Topic:
    """The topic on which the versions of a game are published."""
    return Topic(GAME_TOPIC, game_id)
