from __future__ import annotations

from dataclasses import replace

from app.engine.history import Line
from app.engine.shuffle import deck_of_code, parse_code
from app.games.cache import TableCache
from app.games.model import Table
from app.rulesets import GAMES

LINE = Line.start(GAMES[0], deck_of_code(parse_code("7KQ4M-2XWTP"), 1))


def table(game_id: str, version: int) -> Table:
    start = Table.start(game_id=game_id, line=LINE, code=None, owner_id="anna", at_ms=0)
    return replace(start, version=version)


def test_the_newest_version_stays() -> None:
    cache = TableCache()
    cache.put(table("a", 5))
    cache.put(table("a", 4))
    assert cache.get("a") == table("a", 5)


def test_the_table_not_used_for_longest_goes_first() -> None:
    cache = TableCache(most_steps=100)
    cache.put(table("a", 10))
    cache.put(table("b", 10))
    cache.put(table("c", 10))
    assert cache.get("a")
    cache.put(table("d", 10))
    assert cache.get("b") is None
    assert cache.get("a")


def test_long_games_push_out_more() -> None:
    cache = TableCache(most_steps=100)
    for name in "abc":
        cache.put(table(name, 1))
    cache.put(table("long", 70))
    assert cache.get("a") is None
    assert cache.get("long")


def test_one_table_is_kept_however_long() -> None:
    cache = TableCache(most_steps=10)
    cache.put(table("a", 500))
    assert cache.get("a")
