"""The choice of a pruning: the one whose proofs hold for a rule set."""

from __future__ import annotations

from app.engine.cards import Rank
from app.engine.vocabulary import Build, Match, OnlyRank
from app.solver.fan_pruning import FanPruning
from app.solver.group_pruning import GroupPruning
from app.solver.klondike_pruning import KlondikePruning
from app.solver.pruning import Pruning, ReservePruning, SuitReservePruning
from app.solver.rule_tables import NO_PILE, DealCode, EmptyPileCode, RuleTables, UnitCode
from app.solver.suit_pruning import SuitPruning


def pruning_for(tables: RuleTables) -> Pruning:
    """The pruning whose proofs hold for a rule set."""
    first = tables.rules.foundations[0]
    if _goes_home_in_suit(tables):
        alone = tables.rules.decks == 1 and tables.waste == NO_PILE
        if alone and tables.unit is UnitCode.GROUP:
            return GroupPruning()
        return SuitPruning(tables.rules.decks)
    if _is_klondike(tables):
        return KlondikePruning()
    if tables.lifts_runs or len(tables.rules.foundations) > 1:
        return Pruning()
    if first.build.match is Match.ALTERNATE_COLOR:
        return ReservePruning() if _reserve_goes_home(tables) else Pruning()
    if first.build.match is Match.SAME_SUIT and not first.whole_run:
        return SuitReservePruning() if _reserve_goes_home(tables) else Pruning()
    fans = first.build.match is Match.ANY and not first.build.circular
    closed = (
        tables.empty_pile is EmptyPileCode.STAYS_EMPTY and tables.deals is DealCode.EACH_RESERVE
    )
    return FanPruning() if fans and closed else Pruning()


def _goes_home_in_suit(tables: RuleTables) -> bool:
    """Whether the proofs of ``SuitPruning`` hold."""
    in_suit = all(
        group.build.match is Match.SAME_SUIT and not group.whole_run
        for group in tables.rules.foundations
    )
    stays = not any(tables.to_tableau[tables.first_foundation : tables.first_tableau])
    may_be_empty = tables.empty_pile not in (EmptyPileCode.AUTO_FILL, EmptyPileCode.MUST_FILL)
    plain = tables.first_reserve == tables.first_cell and tables.redeals == 0
    dealt = tables.deals in (DealCode.WASTE, DealCode.NOWHERE)
    return in_suit and stays and may_be_empty and plain and dealt and tables.fixed_base == 0


def _is_klondike(tables: RuleTables) -> bool:
    """Whether the proofs of ``KlondikePruning`` hold."""
    tableau = tables.rules.tableau
    in_suit = all(
        group.build.match is Match.SAME_SUIT and not group.build.circular and not group.whole_run
        for group in tables.rules.foundations
    )
    alternates = tableau.build == Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False)
    kings = tableau.empty_pile == OnlyRank(Rank.KING)
    waste = tables.first_reserve == tables.first_foundation and tables.deals is DealCode.WASTE
    beside = tables.first_cell == tables.first_foundation and tables.deals is DealCode.EACH_RESERVE
    plain = (waste or beside) and not any(tables.to_reserve)
    runs = tables.unit is UnitCode.RUN and tables.rules.decks == 1 and tables.fixed_base == 0
    return in_suit and alternates and kings and plain and runs


def _reserve_goes_home(tables: RuleTables) -> bool:
    """Whether there is one reserve pile that plays only to the foundations, as ``ReservePruning`` needs.

    What it says of columns holds where they alternate colors.
    """
    one = tables.first_foundation == tables.first_reserve + 1
    return (
        one
        and tables.rules.tableau.build.match is Match.ALTERNATE_COLOR
        and not any(tables.to_tableau[tables.first_reserve : tables.first_tableau])
        and not any(tables.to_reserve)
        and tables.first_reserve not in tables.fills
        and tables.deals is not DealCode.EACH_RESERVE
    )
