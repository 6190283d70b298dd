"""New games from the site: by deal code, with a winnable deal or with a random one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request, Response
from markupsafe import Markup
from pydantic import BaseModel, Field

from app.errors import DealNotFoundError, MalformedError
from app.games.callbacks import Dealer, DealPending, DrawnDeal
from app.games.dependencies import games_of
from app.games.levels import LABELS, Level, distance
from app.games.lookup import chosen_game, get_ruleset
from app.http.cookies import YEAR_SECONDS, delete_cookie, read_cookie, set_cookie
from app.http.dependencies import service_of
from app.http.preferences import local_path
from app.http.rate_limits import NewGameLimit
from app.http.templates import leave_page, render_markup, see_other
from app.identity.dependencies import ActingPlayer
from app.text import Text, gettext, pgettext, sentences

router = APIRouter(include_in_schema=False)

ASKED: Final = "asked"
"""The query parameter of a new game's page that says what its player wanted, where the deal is another: the level that
they chose; ``NEWCOMER``, a gentle one for their first games; or ``WantedDeals.WINNABLE``, and this one is random."""

NEWCOMER: Final = "first"

LEFT: Final = "left"
"""The query parameter of a new game's page: the id of the game that the player left for it."""

_COOKIE: Final = "fd_deals"
_LEVEL_COOKIE: Final = "fd_level"


class WantedDeals(StrEnum):
    """Which new deals a visitor wants."""

    WINNABLE = "winnable"
    ANY = "any"


class DealOption(NamedTuple):
    """Deals to choose: the name in the form, words and a note for it, the same shorter, and what is remembered."""

    kind: str
    words: str
    note: str
    in_short: str
    deal: WantedDeals
    level: Level | None


def _of_level(level: Level, note: str, in_short: str) -> DealOption:
    return DealOption(level, LABELS[level], note, in_short, WantedDeals.WINNABLE, level)


CAN_BE_WON: Final = pgettext("a new deal", "Can be won")
MAY_BE_UNWINNABLE: Final = pgettext("a new deal", "Might not be winnable")


OPTIONS: Final = (
    DealOption(
        "first",
        pgettext("new deals", "Gentle, then harder"),
        gettext(
            "You start with the easiest deals that are ready, and they get harder over your first"
            " five wins. All are proven winnable."
        ),
        CAN_BE_WON,
        WantedDeals.WINNABLE,
        None,
    ),
    _of_level(
        Level.GENTLE,
        gettext("Winnable. The computer sees only what you see, and wins at least half the time."),
        pgettext("a new deal", "Gentle, can be won"),
    ),
    _of_level(
        Level.MEDIUM,
        gettext("Winnable. The computer sees only what you see, and wins some of the time."),
        pgettext("a new deal", "Medium, can be won"),
    ),
    _of_level(
        Level.HARD,
        gettext("Winnable. The computer sees only what you see, and seldom wins."),
        pgettext("a new deal", "Hard, can be won"),
    ),
    _of_level(
        Level.FIENDISH,
        gettext("Winnable. The computer sees only what you see, and hardly ever wins."),
        pgettext("a new deal", "Fiendish, can be won"),
    ),
    _of_level(Level.ANY, gettext("Winnable deals of any difficulty."), CAN_BE_WON),
    DealOption(
        "random",
        pgettext("new deals", "Random"),
        gettext("Random deals; some can't be won."),
        MAY_BE_UNWINNABLE,
        WantedDeals.ANY,
        None,
    ),
)
"""The new deals to choose from; the first ones until something is chosen."""


def in_short_of(level: Level) -> str:
    """Short words for winnable deals of a level."""
    return next(option.in_short for option in OPTIONS if option.level is level)


class ChoiceForm(BaseModel):
    """Which new deals the visitor wants: remembered, except with ``once``."""

    deal: WantedDeals | None = None
    level: Level | None = None
    once: bool = False
    back: str = Field("/games", max_length=200)

    @property
    def choice(self) -> WantedDeals | None:
        """The kind of deal: only winnable ones have a level."""
        return self.deal or (WantedDeals.WINNABLE if self.level else None)


class NewGameForm(ChoiceForm):
    """What to deal: a code, or a new deal of a kind. ``or_random`` takes any deal if no winnable one is ready.

    ``easier`` is a gentle deal for this once. ``left`` is the id of the game that the player leaves for it, or empty.
    """

    ruleset: str = Field(max_length=60)
    code: str = Field("", max_length=40)
    or_random: bool = False
    easier: bool = False
    left: str = Field("", max_length=40)


class NewDealsForm(ChoiceForm):
    """As ``ChoiceForm``, or the name of one of the options."""

    kind: str = Field("", max_length=20)


@dataclass(frozen=True, slots=True)
class DealChoice:
    """Which new deals the visitor wants. ``back`` is the page to return to."""

    options: Sequence[DealOption]
    chosen: DealOption
    back: str


def choice_of(request: Request) -> WantedDeals:
    """The visitor's last choice; winnable deals by default."""
    return (
        WantedDeals.ANY
        if read_cookie(request, _COOKIE) == WantedDeals.ANY
        else WantedDeals.WINNABLE
    )


def level_of(request: Request) -> Level | None:
    """The difficulty that the visitor chose last; ``None`` before the first choice."""
    found = read_cookie(request, _LEVEL_COOKIE)
    return Level(found) if found in set(Level) else None


def option_of(request: Request) -> DealOption:
    """What the visitor's "New deal" deals."""
    deal, level = choice_of(request), level_of(request)
    wanted = (deal, level if deal is WantedDeals.WINNABLE else None)
    return next(option for option in OPTIONS if (option.deal, option.level) == wanted)


def difficulty_section(request: Request, back: str) -> Markup:
    """The choice of new deals, for the page at ``back``; empty where there is no choice."""
    if not dealer_of(request).can_prove:
        return Markup()
    view = DealChoice(OPTIONS, option_of(request), back)
    return render_markup("games/_difficulty.html", view=view)


def measure(request: Request) -> Text:
    """What the percentage of each game means, and what the visitor is dealt instead: hard games are not lost deals."""
    means = gettext("It is the share of random deals that careful players win without undo.")
    chosen = option_of(request)
    if not dealer_of(request).can_prove or chosen.deal is not WantedDeals.WINNABLE:
        return means
    can_be_won = gettext("Your new deals aren't random: each can be won.")
    if chosen.level is not None:
        return sentences(means, can_be_won)
    return sentences(means, can_be_won, gettext("The first ones are the gentlest that are ready."))


def dealer_of(request: Request) -> Dealer:
    """Where this site gets its winnable deals from."""
    return service_of(request, Dealer)


async def draw_deal(
    request: Request, player_id: str, ruleset: str, choice: WantedDeals, level: Level | None
) -> DrawnDeal | DealPending | None:
    """A deal of the chosen kind; ``None`` for a random one, ``DealPending`` while a winnable one is being found.

    Without a level it grows with the player's wins of this game, from gentle on.
    """
    rules = get_ruleset(ruleset)
    if choice is not WantedDeals.WINNABLE:
        return None
    return await dealer_of(request).draw(player_id, rules, level)


@router.post("/play", dependencies=[NewGameLimit])
async def new_game(
    request: Request, player: ActingPlayer, form: Annotated[NewGameForm, Form()]
) -> Response:
    """Start a game and go to it, or to the page that waits for a winnable deal.

    A code that is none leads to the form for codes, which keeps it and says what is wrong.
    """
    if form.easier:
        form = form.model_copy(update={"level": Level.GENTLE, "once": True})
    code: str | None = form.code.strip() or None
    asked: str | None = None
    if code is None:
        level = form.level or level_of(request)
        choice = form.choice or choice_of(request)
        drawn = await draw_deal(request, player.id, form.ruleset, choice, level)
        if isinstance(drawn, DealPending):
            if not form.or_random:
                return _redirect(request, drawn.address, form)
            asked = WantedDeals.WINNABLE
        elif drawn:
            code = drawn.code
            # The page of the game says if the deal is not of the level that was sought.
            is_other = drawn.grade is None or distance(drawn.level, drawn.grade) > 0
            asked = (level or NEWCOMER) if is_other and drawn.level is not Level.ANY else None
    ruleset = chosen_game(form.ruleset, code or "")
    try:
        game = await games_of(request).start(player.id, ruleset, code)
    except DealNotFoundError:
        return leave_page(
            request, f"/deal?{urlencode({'ruleset': form.ruleset, 'code': form.code})}"
        )
    said = {name: value for name, value in ((ASKED, asked), (LEFT, form.left)) if value}
    return _redirect(request, f"/games/{game.id}" + (f"?{urlencode(said)}" if said else ""), form)


@router.get("/play")
@router.get("/new-deals")
async def redirect_to_games() -> Response:
    """The addresses of these forms lead to the games: above them is only the home page."""
    return see_other("/games")


@router.post("/new-deals")
async def choose(request: Request, form: Annotated[NewDealsForm, Form()]) -> Response:
    """Remember which deals the visitor wants."""
    option = next((option for option in OPTIONS if option.kind == form.kind), None)
    if option:
        form = form.model_copy(update={"deal": option.deal, "level": option.level})
    if form.choice is None:
        raise MalformedError(gettext("Choose which deals you want: send 'deal' or 'level'."))
    if form.deal is WantedDeals.WINNABLE and form.level is None:  # as before the first choice
        delete_cookie(request, _LEVEL_COOKIE)
    return _redirect(request, local_path(form.back), form)


def _redirect(request: Request, address: str, form: ChoiceForm) -> Response:
    answer = leave_page(request, address)
    for name, value in ((_COOKIE, form.choice), (_LEVEL_COOKIE, form.level)):
        if value and not form.once:
            set_cookie(request, name, value, YEAR_SECONDS)
    return answer
