"""What the page of a game says when it has ended, or when no move is left."""

from __future__ import annotations

from typing import Final

from app.clock import day_of
from app.engine.transition import cards_home
from app.games.celebrations import celebration_of
from app.games.court import court_of
from app.games.end_card import EndCard, SameCards, ToldWin
from app.games.game_clock import clock_of
from app.games.loss_comment import loss_comment
from app.games.model import Game, Kind, Status
from app.games.outcome_summary import (
    NO_CONTEXT,
    NO_MARKUP,
    NO_OUTCOME,
    PlayerOutcome,
)
from app.games.own_wins import is_led
from app.games.shared_result import gauge_squares
from app.games.win_deeds import deed_of
from app.games.win_figures import Figure, figures_of, help_line, special_line
from app.i18n.formats import cards_home_sentence, count_of, long_date, moves_made
from app.solver.locked_reserve import is_locked
from app.text import gettext, joined, ngettext, number_text, pgettext, sentences

_WON: Final = gettext("You won!")
_TRY_AGAIN: Final = gettext("Start over to try another way.")
_NEVER: Final = gettext("Going by the cards in sight, this deal can't be won.")


def ending_of(game: Game, player_outcome: PlayerOutcome = NO_OUTCOME) -> EndCard | None:
    """The end of a game; ``None`` while it goes on. ``player_outcome`` is what it meant to its player."""
    match game.status:
        case Status.PLAYING:
            return None
        case Status.WON:
            return _won(game, player_outcome)
        case Status.LOST:
            return _lost(game, player_outcome)
        case Status.RESIGNED:
            return _resigned(game, player_outcome)


def _won(game: Game, player_outcome: PlayerOutcome) -> EndCard:
    summary = player_outcome.summary
    was_led = summary is not None and is_led(summary.hints, game.moves, game.automatic_moves)
    praise = special_line(summary) if summary and not was_led else ""
    may_add = summary is not None and (summary.wins == 1 or not praise)
    deed = deed_of(game, summary) if summary and may_add else ""
    context, step = player_outcome.context, player_outcome.replayed_to
    return EndCard(
        context.title or _WON,
        _spent(game, player_outcome) if step is None else _played_on(step),
        may_undo=False,
        figures=figures_of(summary) if summary else (),
        win=ToldWin(
            court=court_of(game),
            celebration=celebration_of(game, summary),
            race_result=context.next_step if context.title else "",
            summary=summary,
            praise=praise or deed,
            deed=deed if praise else "",
            help=help_line(summary, is_led=was_led) if summary else "",
            had_help=summary is not None and summary.had_help and summary.wins > 1,
            shared=player_outcome.shared if summary else "",
            code_without_hints=(game.public_code or "") if was_led else "",
        ),
        may_review=game.can_be_reviewed,
        is_whole=True,
        daily_title=_daily_title(game),
        next_link=context.next_link,
        finishers=context.finishers,
        has_others_playing=context.has_others_playing,
        recent_days=context.recent_days if summary else NO_MARKUP,
        is_for_challenge=player_outcome.is_for_challenge,
    )


def _played_on(step: int) -> str:
    """What a win is that went on from a step of a replay. Most of its moves may be those of the replay."""
    return gettext(
        "From a replay: you played on from step %(step)s. It doesn't count in your statistics.",
        step=step,
    )


def _lost(game: Game, player_outcome: PlayerOutcome) -> EndCard:
    home = cards_home(game.rules, game.position)
    may_restart = game.can_undo and not game.kind.has_ranked_rules
    text: str = _TRY_AGAIN if may_restart else gettext("Undo to try another way.")
    if game.kind is Kind.DAILY:
        text = gettext("Undo to try another way: your attempt and the clock go on.")
    if player_outcome.attempts:
        text = loss_comment(game, home, player_outcome)
    if not game.version:
        text = gettext("No card can move in this deal.")
    elif game.undo_refusal:
        text = game.undo_refusal
    return EndCard(
        player_outcome.context.title or gettext("No moves left"),
        sentences(text, player_outcome.context.next_step),
        game.can_undo,
        fact=_fact(game, player_outcome),
        filled=gauge_squares(home, game.rules.cards),
        may_look_back=game.can_undo and game.may_be_searched,
        again=SameCards(may_restart=may_restart),
        may_review=game.can_be_reviewed,
        finishers=player_outcome.context.finishers,
        has_others_playing=player_outcome.context.has_others_playing,
        has_easier=player_outcome.context.has_easier,
    )


def _resigned(game: Game, player_outcome: PlayerOutcome) -> EndCard:
    if game.kind is Kind.DAILY and player_outcome.context is not NO_CONTEXT:
        return _resigned_daily(game, player_outcome)
    home = cards_home(game.rules, game.position)
    again_code = (game.public_code or "") if game.kind is Kind.OPEN else ""
    is_hopeless = bool(again_code) and is_locked(game.rules, game.opening.position)
    text: str = player_outcome.context.next_step
    if not text and is_hopeless:
        text = _NEVER
    elif not text and player_outcome.attempts:
        text = loss_comment(game, home, player_outcome)
        if player_outcome.context.can_be_won and game.can_be_reviewed:
            text = sentences(text, gettext("The review shows how."))
    elif not text:
        begins_again = again_code or player_outcome.context.again_path
        text = _TRY_AGAIN if begins_again else gettext("Every deal is a new chance.")
    if game.kind.is_challenge_attempt:
        text = gettext("You can compare how far each of you got.")
    return EndCard(
        player_outcome.context.title or gettext("You resigned"),
        text,
        may_undo=False,
        fact=_fact(game, player_outcome),
        filled=gauge_squares(home, game.rules.cards),
        may_review=game.can_be_reviewed,
        has_easier=player_outcome.context.has_easier,
        is_hopeless=is_hopeless,
        again=SameCards(code=again_code, path=player_outcome.context.again_path),
        next_link=player_outcome.context.next_link,
        finishers=player_outcome.context.finishers,
        has_others_playing=player_outcome.context.has_others_playing,
        recent_days=player_outcome.context.recent_days,
        is_for_challenge=player_outcome.is_for_challenge,
    )


def _resigned_daily(game: Game, player_outcome: PlayerOutcome) -> EndCard:
    """The end card of a resigned daily deal: cards home, and how the day goes on or went.

    Without a move there is nothing to count.
    """
    home = cards_home(game.rules, game.position)
    context = player_outcome.context
    day = "" if context.recent_days else context.next_step  # the recent days tell of it
    if not game.moves:
        unplayed = gettext("You stopped before the first move. The next daily deal is a new start.")
        return EndCard(
            gettext("You resigned"),
            sentences(unplayed, day),
            may_undo=False,
            is_whole=True,
            daily_title=_daily_title(game),
            next_link=context.next_link,
            recent_days=context.recent_days,
        )
    return EndCard(
        gettext("You resigned"),
        day,
        may_undo=False,
        fact=_fact(game, player_outcome),
        filled=gauge_squares(home, game.rules.cards),
        is_whole=True,
        daily_title=_daily_title(game),
        figures=(
            Figure(
                gettext("Cards home"),
                number_text(home),
                gettext("of %(n)s", n=number_text(game.rules.cards)),
            ),
            Figure(gettext("Moves"), number_text(game.moves)),
            Figure(pgettext("that a game took", "Time"), clock_of(game).text),
        ),
        next_link=context.next_link,
        recent_days=context.recent_days,
    )


def _daily_title(game: Game) -> str:
    """``FreeCell · 28 November 2026`` for a daily deal; else empty."""
    if game.kind is not Kind.DAILY:
        return ""
    return joined(" · ", game.rules.title, long_date(day_of(game.started_ms)))


def _spent(game: Game, player_outcome: PlayerOutcome) -> str:
    """What a win took: moves and time, and how many hints, unless it is the first."""
    moves, time = moves_made(game.moves, game.automatic_moves), clock_of(game).text
    summary = player_outcome.summary
    hints = summary.hints if summary and summary.wins > 1 else 0
    if not hints:
        return gettext("%(moves)s, %(time)s", moves=moves, time=time)
    return gettext(
        "%(moves)s, %(time)s, %(hints)s", moves=moves, time=time, hints=count_of(hints, "hint")
    )


def _fact(game: Game, player_outcome: PlayerOutcome) -> str:
    """How far a game went that is not won; a ``title`` of its own comes with that, too.

    A daily deal can't be played again, so what it took is said as well.
    """
    if player_outcome.context.title:
        return ""
    if game.kind is Kind.DAILY:
        home = cards_home_sentence(cards_home(game.rules, game.position), game.rules.cards)
        return sentences(home, joined("", _spent(game, player_outcome), "."))
    is_furthest = player_outcome.attempts is not None and player_outcome.attempts.is_furthest
    furthest = gettext("Your best so far with this deal.") if is_furthest else ""
    return sentences(_how_far(game, player_outcome), furthest)


def _how_far(game: Game, player_outcome: PlayerOutcome) -> str:
    """How many cards got home, and the most with this deal so far if that is more; empty before the first move."""
    home, cards = cards_home(game.rules, game.position), game.rules.cards
    best = player_outcome.attempts.best if player_outcome.attempts else 0
    if best > home:
        return ngettext(
            "%(home)s of %(n)s card home, your best with this deal: %(best)s.",
            "%(home)s of %(n)s cards home, your best with this deal: %(best)s.",
            cards,
            home=home,
            best=best,
        )
    return cards_home_sentence(home, cards) if home or game.moves else ""


def closing(game: Game) -> str:
    """A sentence when the game has just ended, for screen readers."""
    match game.status:
        case Status.WON:
            return _WON
        case Status.LOST:
            return gettext("No moves left.")
        case _:
            return ""
