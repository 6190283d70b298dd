"""What the page of an ended game says to someone who did not play it: who won, and what there is to do now."""

from __future__ import annotations

from app.engine.transition import cards_home
from app.games.court import court_of
from app.games.end_card import NO_WIN, EndCard, SameCards, ToldWin
from app.games.game_clock import clock_of
from app.games.model import Game, Kind, Status
from app.games.outcome_summary import Spectated
from app.games.shared_result import gauge_squares
from app.i18n.formats import moves_made
from app.text import gettext, joined, listing, ngettext, sentences


def watched_ending(game: Game, spectated: Spectated) -> EndCard | None:
    """The end of somebody else's game; ``None`` while it goes on."""
    if game.status is Status.PLAYING:
        return None
    is_won = game.status is Status.WON
    moves = moves_made(game.moves, game.automatic_moves)
    spent = gettext("%(moves)s, %(time)s", moves=moves, time=clock_of(game).text)
    home, cards = cards_home(game.rules, game.position), game.rules.cards
    how_far = ngettext(
        "%(home)s of %(n)s card home.", "%(home)s of %(n)s cards home.", cards, home=home
    )
    return EndCard(
        _title(game, spectated.names),
        spent if is_won else "",
        may_undo=False,
        fact="" if is_won else sentences(how_far, joined("", spent, ".")),
        filled=0 if is_won else gauge_squares(home, cards),
        win=ToldWin(court=court_of(game)) if is_won else NO_WIN,
        again=SameCards(code=game.public_code or ""),
        is_whole=is_won,
        is_watched=True,
        may_replay=spectated.may_replay,
    )


def _title(game: Game, names: tuple[str, ...]) -> str:
    name = listing(names, "and")
    match game.status:
        case Status.WON if game.kind is Kind.RACE:  # only the fastest has won the race
            return gettext("%(name)s got all cards home", name=name)
        case Status.WON:
            return ngettext("%(name)s won", "%(name)s won together", len(names), name=name)
        case Status.RESIGNED:
            return ngettext(
                "%(name)s resigned", "%(name)s resigned together", len(names), name=name
            )
        case _:
            return ngettext(
                "%(name)s has no moves left",
                "%(name)s have no moves left",
                len(names),
                name=name,
            )
