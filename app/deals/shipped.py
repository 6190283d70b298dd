"""The deals that come with the program, for players who were not dealt them yet."""

from __future__ import annotations

import secrets
from collections.abc import Collection

from app.db.engine import Database
from app.deals.first_deals import first_deals
from app.deals.first_moves import begins_with_a_move
from app.deals.starters import starter_deals
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code
from app.games.callbacks import DrawnDeal
from app.games.levels import Level, distance
from app.games.repository import list_dealt


def is_shipped(rules: Ruleset, code: Code) -> bool:
    """Whether a deal comes with the program, proven winnable."""
    return code in first_deals(rules) or code in starter_deals(rules)


class ShippedDeals:
    """Gives each of them to a player once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def first(self, player_id: str, rules: Ruleset) -> DrawnDeal | None:
        """One of the gentle deals that come with the program and this player was not dealt; ``None`` if all were.

        Chance decides, so that two newcomers rarely get the same one.
        """
        deals = first_deals(rules)
        dealt = await self._list_dealt(player_id, rules, deals)
        left = [code for code in deals if code not in dealt]
        if not left:
            return None
        code = secrets.choice(left)
        return DrawnDeal(code, deals[code].grade, Level.GENTLE)

    async def starter(
        self, player_id: str, rules: Ruleset, level: Level, within: int | None = None
    ) -> DrawnDeal | None:
        """One of those nearest to the level of the deals that every site begins with and this player was not dealt.

        Others may have been: it is for when the stock is empty. Of those that are equally near, one that begins with a
        move is preferred. With ``within``, it is at most so far from the level, and may be one of the first deals.
        """
        deals = starter_deals(rules)
        if within is not None:
            near = {**deals, **first_deals(rules)}.items()
            deals = {code: found for code, found in near if distance(level, found.grade) <= within}
        dealt = await self._list_dealt(player_id, rules, deals)
        left = {code: distance(level, deals[code].grade) for code in deals if code not in dealt}
        if not left:
            return None
        least = min(left.values())
        nearest = [code for code, far in left.items() if far == least]
        code = secrets.choice(
            [code for code in nearest if begins_with_a_move(rules, code)] or nearest
        )
        return DrawnDeal(code, deals[code].grade, level)

    async def _list_dealt(
        self, player_id: str, rules: Ruleset, codes: Collection[str]
    ) -> Collection[str]:
        return await self._database.read(
            lambda connection: list_dealt(connection, player_id, rules.id, list(codes))
        )
