"""The foundations in words, for the rules page."""

from __future__ import annotations

from typing import Final

from app.engine.card_names import rank_name
from app.engine.cards import Color
from app.engine.phrases import count_word, match_clause
from app.engine.ruleset import Ruleset
from app.engine.sentences import LEAVES_FOUNDATION
from app.engine.vocabulary import ChosenBase, DealtBase, FixedBase, Foundations
from app.text import Text, capital, gettext, ngettext, pgettext, sentences


def foundations_text(rules: Ruleset) -> tuple[Text, ...]:
    """How foundations are built, and whether cards come back.

    >>> from app.rulesets.bristol import BRISTOL
    >>> foundations_text(BRISTOL)[-1]
    'Cards never leave a foundation.'
    """
    groups = (_group(group, rules.base) for group in rules.foundations)
    back = any(group.plays_to for group in rules.foundations)
    return (*groups, _BACK if back else LEAVES_FOUNDATION)


def foundations_in_short(rules: Ruleset) -> Text | None:
    """How they are built, in a sentence; ``None`` where they take whole runs, which the goal of the game says.

    >>> from app.rulesets.bristol import BRISTOL
    >>> foundations_in_short(BRISTOL)
    'Build the foundations up regardless of suit, starting with an ace.'
    """
    group, *others = rules.foundations
    if others or group.whole_run or group.build.step < 0:
        return None
    match rules.base:
        case FixedBase(rank):
            start = rank_name(rank, "starting with a card")
        case DealtBase():
            start = pgettext("starting with a card", "the rank of the card dealt there")
        case ChosenBase():
            start = pgettext("starting with a card", "the rank that you choose")
    return gettext(
        "Build the foundations up %(match)s, starting with %(start)s.",
        match=match_clause(group.build.match),
        start=start,
    )


_BACK: Final = gettext("The top card of a foundation can go back to a column, if it fits there.")


def _group(group: Foundations, base: FixedBase | DealtBase | ChosenBase) -> Text:
    match = match_clause(group.build.match)
    if group.whole_run:
        runs = ngettext(
            "%(word)s foundation takes complete runs only: the top 13 cards of a column, king"
            " to ace %(match)s, in one move. Each foundation takes one run. You decide when to move"
            " a run there.",
            "%(word)s foundations take complete runs only: the top 13 cards of a column, king"
            " to ace %(match)s, in one move. Each foundation takes one run. You decide when to move"
            " a run there.",
            group.count,
            word=count_word(group.count),
            match=match,
        )
        return capital(runs)
    start = (
        rank_name(base.rank, "starting with a card")
        if isinstance(base, FixedBase)
        else pgettext("starting with a card", "the base")
    )
    built = _built(group, match, start)
    if not group.build.circular:
        return sentences(capital(built), gettext("Each holds 13 cards."))
    if group.build.step > 0:
        holds = gettext("Each holds 13 cards; ranks wrap around, so an ace goes on a king.")
    else:
        holds = gettext("Each holds 13 cards; ranks wrap around, so a king can go on an ace.")
    return sentences(capital(built), holds)


def _built(group: Foundations, match: Text, start: Text) -> Text:
    """How the foundations of a group are built. In every known game that is upwards, or by whole runs."""
    word, count = count_word(group.count), group.count
    match group.color:
        case Color.RED:
            return ngettext(
                "%(word)s foundation is for red cards and builds up %(match)s, starting with"
                " %(start)s, one card at a time.",
                "%(word)s foundations are for red cards and build up %(match)s, starting with"
                " %(start)s, one card at a time.",
                count,
                word=word,
                match=match,
                start=start,
            )
        case Color.BLACK:
            return ngettext(
                "%(word)s foundation is for black cards and builds up %(match)s, starting with"
                " %(start)s, one card at a time.",
                "%(word)s foundations are for black cards and build up %(match)s, starting with"
                " %(start)s, one card at a time.",
                count,
                word=word,
                match=match,
                start=start,
            )
        case None if group.build.step > 0:
            return ngettext(
                "%(word)s foundation builds up %(match)s, starting with %(start)s, one card at a"
                " time.",
                "%(word)s foundations build up %(match)s, starting with %(start)s, one card at a"
                " time.",
                count,
                word=word,
                match=match,
                start=start,
            )
        case None:
            return ngettext(
                "%(word)s foundation builds down %(match)s, starting with %(start)s, one card at a"
                " time.",
                "%(word)s foundations build down %(match)s, starting with %(start)s, one card at a"
                " time.",
                count,
                word=word,
                match=match,
                start=start,
            )
