"""What other parts of the site add to the page of a game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from markupsafe import Markup
from starlette.requests import Request

from app.games.model import Game
from app.games.outcome_reading import FindOutcomeContext


class Panel(NamedTuple):
    """What another part of the site adds to a game page: in the head, the menu and a strip below the cards.

    In the menu, ``deals`` is beside the button for a new deal, ``company`` with what lets others join, ``share`` with
    what lets them see this game, and ``help`` with what tells how good it looks. ``mark`` is beside the title,
    ``players`` (the others, as chips) in the line above the board. ``again`` is the address that deals another game,
    ``stream`` that of the event stream, where they are not the usual ones; ``again_note`` says which deal that will be.
    ``watching`` is the first notice for a viewer who is not playing, where it is not the usual one, and ``join`` is
    beside the cards for them, where the controls of a player are. ``welcome`` is the first notice for a player who has
    just come in.
    """

    head: Markup = Markup()
    company: Markup = Markup()
    share: Markup = Markup()
    help: Markup = Markup()
    deals: Markup = Markup()
    mark: Markup = Markup()
    players: Markup = Markup()
    strip: Markup = Markup()
    again: str = ""
    again_note: str = ""
    stream: str = ""
    watching: str = ""
    join: Markup = Markup()
    welcome: str = ""


PanelRenderer = Callable[[Request, Game], Awaitable[Panel]]
"""Renders the panel of one part of the site; called once for each page."""


class AutoMove(Protocol):
    """Plays safe cards, complete runs or both home for a player, after a move led from one game to the other."""

    async def __call__(
        self, player_id: str, before: Game, after: Game, *, cards: bool, runs: bool
    ) -> Game:
        """The game then."""


AutoFinish = Callable[[str, Game, Game], Awaitable[tuple[Game, str]]]
"""Finishes a game for a player where that is possible, as it is after a move and then some automatic ones; gives the
game then, and the moves since the first of the two with their cards, for the page's animation."""


@dataclass(frozen=True, slots=True)
class GamePageExtensions:
    """What other parts of the site add to the game page."""

    panels: Sequence[PanelRenderer]
    auto_move: AutoMove
    auto_finish: AutoFinish
    find_outcome_contexts: Sequence[FindOutcomeContext] = ()
