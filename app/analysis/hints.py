"""Help in unranked games: hints, automatic finish, and playing safe cards to the foundations."""

from __future__ import annotations

from typing import Final, NamedTuple

from app.analysis.model import check_unranked
from app.engine.actions import Action, Move
from app.engine.transition import apply
from app.errors import GameOverError
from app.games import descriptions, outcome
from app.games.model import Game, Status
from app.games.outcome import Outcome, Result
from app.games.service import GameService
from app.solver.auto_finish import automatic_finish, safe_moves
from app.solver.hints import Hint, hints, observe

_LOST: Final = "No moves left. Undo to try another way."
_LOOP: Final = "Every move from here leads back to an earlier position. Try undo."
_NO_MORE: Final = "There are no more good moves to suggest."


class NumberedHint(NamedTuple):
    """A hint: its number, counted from 1, and whether there is another one. Without an action, why there is none."""

    action: Action | None
    why: str
    number: int
    has_next: bool


def hint_after(game: Game, given: int) -> NumberedHint:
    """The next hint for a player who was given this many since the last action, from the visible cards only.

    A move back to a position of this history is never a hint. Such a position hides the same cards as this one, so
    leaving it out reveals nothing.
    """
    if game.status is Status.LOST:
        return NumberedHint(None, _LOST, 0, has_next=False)
    fresh = set(game.history.unvisited_actions())
    found = [hint for hint in hints(game.rules, observe(game.position)) if hint.action in fresh]
    if not found:
        return NumberedHint(None, _LOOP, 0, has_next=False)
    good = [hint for hint in found if hint.promising]
    if not good:
        least = _sentence(game, found[0])
        why = f"No move looks good. This one costs the least. {least}"
        return NumberedHint(found[0].action, why, 1, has_next=False)
    if given >= len(good):
        return NumberedHint(None, _NO_MORE, 0, has_next=False)
    why = _sentence(game, good[given])
    return NumberedHint(good[given].action, why, given + 1, has_next=given + 1 < len(good))


def _sentence(game: Game, hint: Hint) -> str:
    match hint.action:
        case Move(source):
            pile = descriptions.pile_name(game.rules, source).capitalize()
            return f"{pile}: {hint.reason[0].lower()}{hint.reason[1:]}"
        case _:
            return hint.reason


class Finish(NamedTuple):
    """The game before an automatic finish, and the outcome of the last move."""

    before: Game
    outcome: Outcome


class HelpService:
    """Hints from what a player sees, and moves on the player's behalf, each a logged action."""

    def __init__(self, games: GameService) -> None:
        self._games = games

    async def hint(
        self, game_id: str, viewer_id: str | None, given: int
    ) -> tuple[Game, NumberedHint]:
        """The game, and the hint after the first ``given`` ones.

        Raises ``GameOverError`` when nothing is left to play, and ``NoHelpError`` in ranked play.
        """
        game = await self._games.load_visible(game_id, viewer_id)
        check_unranked(game)
        if game.is_over:
            raise GameOverError("This game is over.")
        return game, hint_after(game, given)

    async def may_play(self, game: Game, player_id: str) -> bool:
        """Whether a player may play this game; others only watch."""
        return await self._games.may_play(game, player_id)

    async def finish(self, game_id: str, player_id: str, version: int) -> Finish:
        """Play all remaining cards to the foundations if no decision is left. Each move is an action."""
        before = await self._games.load_visible(game_id, player_id)
        check_unranked(before)
        if before.version != version:
            return Finish(before, outcome.stale(before))
        if before.is_over:
            return Finish(before, outcome.over(before))
        moves = automatic_finish(before.rules, before.position)
        if not moves:
            return Finish(
                before, outcome.impossible(before, "This game can't be finished automatically yet.")
            )
        for number, move in enumerate(moves):
            played = await self._games.act(game_id, player_id, version + number, move)
            if played.result is not Result.ACCEPTED:
                break
        return Finish(before, played)

    async def play_safe_home(self, player_id: str, before: Game, after: Game) -> Game:
        """Play the safe cards to the foundations after a move.

        A card that the player has just taken back stays: the next move would play it again.
        """
        if after.kind.has_rank:
            return after
        undone = before.history.next_action if before.version + 1 == after.version else None
        while moves := _safe(after, undone):
            played = await self._games.act(after.id, player_id, after.version, moves[0])
            after = played.game
            if played.result is not Result.ACCEPTED:
                break
        return after


def move_sequence(before: Game, after: Game) -> str:
    """The moves from one state of a game to a later one, for the page's animation: ``t3-f1:TD t3-f5:KD,QD``.

    Cards that move lie face up, so this reveals nothing.
    """
    rules, position = before.rules, before.position
    parts = []
    for action in after.history.actions()[before.history.depth :]:
        if isinstance(action, Move):
            cards = position.piles[rules.layout.index[action.source]].cards[-action.count :]
            faces = ",".join(card.text for card in cards)
            parts.append(f"{action.source}-{action.target}:{faces}")
        position = apply(rules, position, action)
    return " ".join(parts)


def _safe(game: Game, undone: Action | None) -> list[Action]:
    moves = safe_moves(game.rules, game.position)
    if undone is None:
        return moves
    return [move for move in moves if not _same_card(game, move, undone)]


def _same_card(game: Game, move: Action, undone: Action) -> bool:
    """Whether a move to a foundation was taken back just before."""
    layout = game.rules.layout
    return (
        isinstance(move, Move)
        and isinstance(undone, Move)
        and layout.index[undone.target] in layout.foundations
        and move.source == undone.source
    )
