from __future__ import annotations

from dataclasses import replace

from app.engine.history import History
from app.engine.shuffle import deck_of_code, parse_code
from app.games.event_log import GameCache
from app.games.model import Game
from app.rulesets import RULESETS

LINE = History.start(RULESETS[0], deck_of_code(parse_code("7KQ4M-2XWTP"), 1))


def game(game_id: str, version: int) -> Game:
    start = Game.start(game_id=game_id, history=LINE, code=None, owner_id="anna", at_ms=0)
    return replace(start, version=version)


def test_the_newest_version_stays() -> None:
    cache = GameCache()
    cache.put(game("a", 5))
    cache.put(game("a", 4))
    assert cache.get("a") == game("a", 5)


def test_the_table_not_used_for_longest_goes_first() -> None:
    cache = GameCache(most_events=100)
    cache.put(game("a", 10))
    cache.put(game("b", 10))
    cache.put(game("c", 10))
    assert cache.get("a")
    cache.put(game("d", 10))
    assert cache.get("b") is None
    assert cache.get("a")


def test_long_games_push_out_more() -> None:
    cache = GameCache(most_events=100)
    for name in "abc":
        cache.put(game(name, 1))
    cache.put(game("long", 70))
    assert cache.get("a") is None
    assert cache.get("long")


def test_the_cache_keeps_at_least_one_game() -> None:
    cache = GameCache(most_events=10)
    cache.put(game("a", 500))
    assert cache.get("a")
