"""View models of the page of one daily deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from markupsafe import Markup

from app.daily import descriptions
from app.daily.distribution import MovesBar
from app.daily.leaderboard_views import ResultListView
from app.daily.listed_deal import ListedDeal
from app.daily.model import DailyDeal, PlayerDeal, closes_ms, finish_ms, opens_ms, settled_ms
from app.daily.results import DealForViewer
from app.daily.shared_result import shared_result
from app.daily.streaks import Streak
from app.daily.views import opening_of
from app.engine.position import Position
from app.engine.shuffle import deck_of_seed
from app.engine.tableau_text import own_rule
from app.games import guidance
from app.games.attempt_verdicts import AttemptVerdict
from app.games.lookup import stored_rules
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.games.shared_result import SharedResult
from app.http.local_times import LocalTime
from app.i18n.formats import time_left
from app.solver.difficulty import Difficulty
from app.text import gettext, sentences


@dataclass(frozen=True, slots=True)
class Secrets:
    """The facts that closing a deal publishes."""

    seed: str
    deck: str
    record: str


@dataclass(frozen=True, slots=True)
class CommitmentView:
    """The commitment to a deal."""

    title: str
    commitment: str
    is_verified: bool
    published: str
    is_late: bool
    """Whether it was published after its day began, as on the first day of a site."""


class Afterwards(NamedTuple):
    """Additions for a player who has begun the deal; after its end, all but their streak only for a deal of today."""

    streak: Streak | None = None
    next_deal: ListedDeal | None = None
    following: Markup = Markup()
    own: str = ""
    left: Position | None = None
    """How their cards lie, unless they have won."""


@dataclass(frozen=True, slots=True)
class DealPageView:
    """The page of a deal."""

    path: str
    deal: ListedDeal
    result: str
    shared: SharedResult | None
    """The result as it is drawn and shared; ``result`` then says what is not in it."""
    is_lost_today: bool
    """Whether the attempt has ended without a win, and the deal can't be played again yet."""
    could_be_listed: bool
    are_results_hidden: bool
    difficulty: Difficulty | None
    is_today: bool
    closes: LocalTime
    closes_in: str
    """The time until then, in words."""
    finish: LocalTime
    publication: LocalTime
    commitment: CommitmentView
    counts: str
    """How many have solved it, and how many of them have a rank, in a few words."""
    unconfirmed: int
    solved: ResultListView | None
    unsolved: ResultListView | None
    removed: ResultListView | None
    bars: Sequence[MovesBar]
    next_deal: ListedDeal | None
    """What to play instead of an attempt that has ended without a win."""
    following: Markup
    """What is left of today's deals, once the viewer has finished this one of today; else empty."""
    own: str
    """Their attempt of today beside their own earlier ones, and what comes tomorrow; empty for others."""
    later: str
    """From when on the viewer is ranked, if their account is too new for this deal; else empty."""
    secrets: Secrets | None
    is_guest: bool
    opening: MiniTable | None
    """What everyone sees of the deal before it begins; only of one of today that the viewer has not begun."""
    how: str
    """What to build there, before the clock runs; empty without an opening."""
    left: MiniTable | None
    """The table as the viewer left it: of an attempt in progress, or of one of today that has ended without a win."""


def deal_page_view(
    deal_for_viewer: DealForViewer,
    today: date,
    now_ms: int,
    *,
    url: str,
    difficulty: Difficulty | None,
    lists: dict[str, ResultListView],
    bars: Sequence[MovesBar],
    afterwards: Afterwards,
    is_guest: bool,
) -> DealPageView:
    """The page of a deal. ``lists`` and ``bars`` are what the viewer may see of the results."""
    player_deal, ranked = deal_for_viewer.player_deal, deal_for_viewer.ranked or 0
    deal = player_deal.deal
    view = ListedDeal.of(player_deal)
    standing, streak = deal_for_viewer.standing, afterwards.streak
    shared = shared_result(player_deal, standing, ranked, streak, url) if streak else None
    result = descriptions.full_result(player_deal, standing, ranked)
    if shared:
        beside = descriptions.beside_rank(player_deal, standing, ranked)
        result = sentences(descriptions.resignation(player_deal), beside)
    is_ahead = deal.day == today and not player_deal.attempt
    return DealPageView(
        path=view.path,
        deal=view,
        result=result,
        shared=shared,
        is_lost_today=view.state == AttemptVerdict.UNSOLVED and not deal.is_closed,
        could_be_listed=deal_for_viewer.could_be_listed,
        are_results_hidden=deal_for_viewer.are_results_hidden,
        difficulty=difficulty,
        is_today=deal.day == today,
        closes=LocalTime.of(closes_ms(deal.day)),
        finish=LocalTime.of(finish_ms(deal.day)),
        publication=LocalTime.of(settled_ms(deal.day)),
        closes_in=time_left(closes_ms(deal.day) - now_ms),
        commitment=commitment_view(deal),
        counts=_counts(deal_for_viewer),
        unconfirmed=deal_for_viewer.unconfirmed_count,
        solved=lists.get("solved"),
        unsolved=lists.get("unsolved"),
        removed=lists.get("removed"),
        bars=bars,
        next_deal=afterwards.next_deal,
        following=afterwards.following,
        later=descriptions.ranked_later(player_deal, standing),
        own=afterwards.own,
        secrets=_secrets(player_deal),
        is_guest=is_guest,
        opening=_opening(player_deal) if is_ahead else None,
        how=_how(player_deal) if is_ahead else "",
        left=mini_table(player_deal.rules, afterwards.left) if afterwards.left else None,
    )


def _counts(found: DealForViewer) -> str:
    if found.solved == 1 and found.player_deal.unlisted_win:
        is_final = found.player_deal.deal.is_closed
        return gettext("One player won") if is_final else gettext("One player has won so far")
    if found.solved > (found.ranked or 0) + found.unconfirmed_count:
        return gettext(
            "%(n)s won, guests included; %(ranked)s ranked", n=found.solved, ranked=found.ranked
        )
    if found.unconfirmed_count:
        return gettext(
            "%(n)s won, %(unconfirmed)s unconfirmed",
            n=found.solved,
            unconfirmed=found.unconfirmed_count,
        )
    return gettext("%(n)s won", n=found.solved)


def commitment_view(deal: DailyDeal) -> CommitmentView:
    """The commitment to a deal."""
    title = stored_rules(deal.ruleset, deal.revision).title
    published = LocalTime.of(deal.created_ms).day_in_utc
    is_late = deal.created_ms >= opens_ms(deal.day)
    return CommitmentView(title, deal.commitment, bool(deal.verified), published, is_late)


def _opening(player_deal: PlayerDeal) -> MiniTable:
    return mini_table(player_deal.rules, opening_of(player_deal))


def _how(player_deal: PlayerDeal) -> str:
    """What comes first, what to build, and the game's own rule."""
    rules, position = player_deal.rules, opening_of(player_deal)
    first, build = guidance.first_move(rules, position), guidance.what_to_build(rules, position)
    return sentences(first, build, own_rule(rules) or "")


def _secrets(player_deal: PlayerDeal) -> Secrets | None:
    deal = player_deal.deal
    if not deal.is_closed:
        return None
    deck = deck_of_seed(deal.seed, player_deal.rules.decks)
    return Secrets(deal.seed.hex(), " ".join(card.text for card in deck), deal.record or "")
