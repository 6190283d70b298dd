"""What a new game is dealt: something gentle at first, then from the stock, then what every site begins with."""

from __future__ import annotations

from contextlib import suppress

from app.deals.first_deals import first_deals
from app.deals.levels_by_wins import COUNTED_WINS, NOT_HARD, furthest, level_after
from app.deals.model import DealKind
from app.deals.service import DealStock
from app.deals.starters import starter_deals
from app.engine.ruleset import Ruleset
from app.games.callbacks import DealPending, DrawnDeal
from app.games.levels import Level
from app.games.past_games import PastGames
from app.jobs.admission import TooManyJobsError
from app.rulesets import RULESETS
from app.solver.difficulty import Grade


class StockDealer:
    """Gives new games their deals from the stock; see ``app.games.callbacks.Dealer``."""

    def __init__(self, stock: DealStock, past_games: PastGames) -> None:
        self._stock = stock
        self._past_games = past_games

    @property
    def can_prove(self) -> bool:
        """Whether players can choose winnable deals."""
        return self._stock.can_prove

    async def draw(
        self, player_id: str, rules: Ruleset, level: Level | None
    ) -> DrawnDeal | DealPending | None:
        """A winnable deal; if there is none, a search starts, unless proofs are turned off."""
        within = None
        if level is None:
            wins = await self._past_games.count_wins(player_id, rules, COUNTED_WINS)
            level = level_after(wins)
            within = furthest(level)
        if level is Level.GENTLE and (first := await self._stock.shipped.first(player_id, rules)):
            return first
        drawn = await self._stock.draw_graded(rules, level, within)
        if drawn is None and within is not None:
            # Only hard deals are left, or none.
            starter = await self._stock.shipped.starter(player_id, rules, level, within)
            drawn = starter or await self._stock.draw_graded(rules, level)
        if drawn or not self._stock.can_prove:
            return drawn
        if starter := await self._stock.shipped.starter(player_id, rules, level):
            return starter
        # If this player has too many jobs already, the page that waits for the deal tries again.
        with suppress(TooManyJobsError):
            await self._stock.find_or_search(player_id, DealKind.OPEN, rules)
        return DealPending(f"/new/{rules.id}")

    async def list_ready(self, level: Level | None) -> dict[str, set[Grade]]:
        """The difficulties that ``draw`` can deal, by rule set, for a player who has not had all the shipped deals."""
        ready = await self._stock.list_grades()
        for rules in RULESETS:
            grades = ready.setdefault(rules.id, set())
            if level in {None, Level.GENTLE} and first_deals(rules):
                grades.add(Grade.GENTLE)
            shipped = {found.grade for found in starter_deals(rules).values()}
            if not grades:
                grades |= shipped
            elif level is None:
                grades |= shipped & NOT_HARD
        return ready
