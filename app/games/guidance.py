"""What to do in a game, in a sentence: its goal, what to build, and what comes before anything else."""

from __future__ import annotations

from collections.abc import Iterable

from app.engine import sentences
from app.engine.actions import Action
from app.engine.card_names import rank_name
from app.engine.cards import Rank
from app.engine.phrases import count_word, match_clause, pile_kinds
from app.engine.position import Position
from app.engine.rules import base_rank, must_fill, runs_home
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import ChosenBase, FixedBase, Zone
from app.text import Text, gettext, ngettext, pgettext


def first_move(rules: Ruleset, position: Position) -> str:
    """What to do before anything else; empty when nothing is special about the next move."""
    zones = first_zones(rules, position)
    if not zones:
        return ""
    return gettext(
        "Start the foundations with the top card of %(piles)s: it sets the base of all.",
        piles=pile_kinds(zones, "or", "the top card of"),
    )


def first_zones(rules: Ruleset, position: Position) -> tuple[Zone, ...]:
    """The piles whose top cards may start the foundations, as ``first_move`` says; else none."""
    base = rules.base
    if not isinstance(base, ChosenBase) or base_rank(rules, position) is not None:
        return ()
    return tuple(zone for zone in (Zone.TABLEAU, Zone.RESERVE, Zone.WASTE) if zone in base.zones)


def fill_first(rules: Ruleset, position: Position) -> str:
    """What to do before anything else while an empty pile has to be filled; else empty."""
    rule = must_fill(rules, position)
    return sentences.fill_first(rule) if rule else ""


def filling_zones(rules: Ruleset, position: Position) -> tuple[Zone, ...]:
    """The piles that have to fill an empty pile, as ``fill_first`` says; else none."""
    rule = must_fill(rules, position)
    return rule.sources if rule else ()


def take_run_home(rules: Ruleset, legal: Iterable[Action]) -> str:
    """What to say of a complete run: it stays until you take it home, and may be dealt over; else empty."""
    if not runs_home(rules, legal):
        return ""
    return gettext("A run is complete: its king takes it home.")


def goal(rules: Ruleset, position: Position) -> Text:
    """What wins a game, in one sentence for a player who has never seen it. The base is named once it is known."""
    single = next((group for group in rules.foundations if not group.whole_run), None)
    runs = sum(group.count for group in rules.foundations if group.whole_run)
    if single is None:
        return ngettext(
            "The goal: bring %(word)s whole run, from king to ace %(match)s, to the foundations.",
            "The goal: bring %(word)s whole runs, from king to ace %(match)s, to the foundations.",
            runs,
            word=count_word(runs),
            match=match_clause(rules.foundations[0].build.match),
        )
    base = base_rank(rules, position)
    start = (
        pgettext("from the rank", "from the rank you choose")
        if base is None
        else _from_base(rules, base)
    )
    up = match_clause(single.build.match)
    if runs:
        return gettext(
            "The goal: bring all %(n)s cards to the foundations, one by one up %(from_rank)s,"
            " %(match)s, or as whole runs.",
            n=rules.cards,
            from_rank=start,
            match=up,
        )
    return gettext(
        "The goal: bring all %(n)s cards to the foundations, up %(from_rank)s, %(match)s.",
        n=rules.cards,
        from_rank=start,
        match=up,
    )


def _from_base(rules: Ruleset, base: Rank) -> Text:
    """``from the ace``; where it is not the same in each deal, with the word for it: ``from the queen (the base)``."""
    start = rank_name(base, "from the rank")
    if isinstance(rules.base, FixedBase):
        return start
    return gettext("%(from_rank)s (the base)", from_rank=start)


def building(rules: Ruleset) -> Text:
    """How to build, in one short sentence, for a player who does not know what a tableau is.

    >>> from app.rulesets.spider import ONE_SUIT
    >>> building(ONE_SUIT)
    'Build the columns down.'
    """
    if rules.has_one_suit:
        return gettext("Build the columns down.")
    return gettext(
        "Build the columns down %(match)s.", match=match_clause(rules.tableau.build.match)
    )


def what_to_build(rules: Ruleset, position: Position) -> Text:
    """What to build where, in one sentence. It can follow ``first_move``."""
    single = next((group for group in rules.foundations if not group.whole_run), None)
    down = match_clause(rules.tableau.build.match)
    if single is None:
        if rules.has_one_suit:
            return gettext("Build the columns down, and bring whole runs home.")
        home = match_clause(rules.foundations[0].build.match)
        return gettext(
            "Build the columns down %(down)s, and bring whole runs home %(home)s.",
            down=down,
            home=home,
        )
    up = match_clause(single.build.match)
    runs = any(group.whole_run for group in rules.foundations)
    base = base_rank(rules, position)
    if base is None:
        return _then_build(up, down, runs=runs)
    return _build_from(_from_base(rules, base), up, down, runs=runs)


def _build_from(start: Text, up: Text, down: Text, *, runs: bool) -> Text:
    if runs:
        return gettext(
            "Build the foundations up %(from_rank)s %(up)s or by whole runs, and the columns down"
            " %(down)s.",
            from_rank=start,
            up=up,
            down=down,
        )
    if up == down:
        return gettext(
            "Build the foundations up %(from_rank)s and the columns down, both %(match)s.",
            from_rank=start,
            match=up,
        )
    return gettext(
        "Build the foundations up %(from_rank)s %(up)s, and the columns down %(down)s.",
        from_rank=start,
        up=up,
        down=down,
    )


def _then_build(up: Text, down: Text, *, runs: bool) -> Text:
    if runs:
        return gettext(
            "Then build the foundations up %(up)s or by whole runs, and the columns down %(down)s.",
            up=up,
            down=down,
        )
    if up == down:
        return gettext(
            "Then build the foundations up and the columns down, both %(match)s.", match=up
        )
    return gettext(
        "Then build the foundations up %(up)s, and the columns down %(down)s.", up=up, down=down
    )
