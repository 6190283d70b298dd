"""Which of the things to do after a game stand behind "More" in its panel, so that the few that matter are in sight."""

from __future__ import annotations

from typing import Literal

from app.games.end_card import EndCard

Choice = Literal["deal", "again", "review", "replay", "challenge", "games", "later"]
"""To share the deal, to begin it again, to review the game, its replay, to challenge a friend, other games; and the
words about what comes later today."""


def folded_choices(ending: EndCard, *, has_deal_page: bool, has_board: bool) -> tuple[Choice, ...]:
    """What stands behind "More", in order. A lone choice needs no "More".

    A review is in sight once the game has ended. To challenge a friend is, too, after a win, unless hints led to it:
    such a win is not much to beat, and the same deal without hints comes first.
    """
    win, is_over = ending.win, not ending.may_undo
    may_challenge = is_over and not has_board and not ending.is_for_challenge
    offered: tuple[tuple[Choice, bool], ...] = (
        # The deal is shared beside the result, if there is one to share; else it comes late.
        ("deal", has_deal_page and bool(win.shared)),
        ("again", ending.may_look_back),
        ("review", ending.may_review and not is_over),
        ("replay", True),
        ("challenge", may_challenge and (not ending.is_won or bool(win.code_without_hints))),
        ("deal", has_deal_page and not win.shared),
        ("games", not has_board),
        # A win is read at a glance, so what comes later is not said at once.
        ("later", win.summary is not None and bool(win.summary.context.more)),
    )
    return tuple(choice for choice, is_there in offered if is_there)
