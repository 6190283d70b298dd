"""The settings page, and saving what it offers. Settings are kept in cookies, so they belong to a browser."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Request, Response
from pydantic import BaseModel, Field
from starlette.responses import HTMLResponse

from app.http.cookies import YEAR_SECONDS, set_cookie
from app.http.preferences import (
    COOKIE,
    PLAY_COOKIE,
    Appearance,
    Back,
    Cloth,
    Hand,
    PlayPreferences,
    Speed,
    Suits,
    Switch,
    Theme,
    local_path,
    play_preferences_of,
    read_appearance,
)
from app.http.templates import NO_STORE, page, see_other
from app.identity.dependencies import CurrentPlayer
from app.text import gettext

router = APIRouter(include_in_schema=False)

_LONGEST_PATH: Final = 200


@dataclass(frozen=True, slots=True)
class SettingView:
    """A setting: its name in the form, its title, its values with their words, and the one chosen."""

    name: str
    title: str
    options: tuple[tuple[str, str], ...]
    chosen: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Settings below a heading; ``folded`` are rarely changed and stand below ``fold`` when it is opened."""

    title: str
    choices: tuple[SettingView, ...]
    fold: str = ""
    folded: tuple[SettingView, ...] = ()


@dataclass(frozen=True, slots=True)
class SettingsView:
    """The settings in groups. ``back`` is where to go after saving."""

    path: str
    back: str
    is_saved: bool
    groups: tuple[SettingGroup, ...]


class AppearanceForm(BaseModel):
    """The form of earlier releases: three settings; the others stay as they are."""

    theme: Theme
    suits: Suits
    hand: Hand
    back: str = Field("/", max_length=_LONGEST_PATH)


class SettingsForm(BaseModel):
    """All settings, and where to go on."""

    theme: Theme
    suits: Suits
    hand: Hand
    cloth: Cloth
    card_back: Back
    speed: Speed
    sound: Switch
    vibration: Switch
    clock: Switch
    keys: Switch = "on"
    safe_home: Switch
    runs_home: Switch = "on"
    finish: Switch = "off"
    back: str = Field("", max_length=_LONGEST_PATH)


_OFF_ON: Final = (("off", gettext("Off")), ("on", gettext("On")))


@router.get("/settings")
async def show_settings(
    request: Request,
    _player: CurrentPlayer,
    back: Annotated[str, Query(max_length=_LONGEST_PATH)] = "",
    saved: str = "",
) -> HTMLResponse:
    """The settings of this browser."""
    look, play = read_appearance(request), play_preferences_of(request)
    view = SettingsView(
        path="/settings",
        back=local_path(back) if back else "",
        is_saved=bool(saved),
        groups=_groups(look, play),
    )
    return page(request, "lobby/settings.html", view, headers=NO_STORE)


@router.post("/settings")
async def save_settings(request: Request, form: Annotated[SettingsForm, Form()]) -> Response:
    """Save all settings, and go back to where the visitor came from."""
    answer = see_other(local_path(form.back) if form.back else "/settings?saved=yes")
    look = Appearance(
        theme=form.theme,
        suits=form.suits,
        hand=form.hand,
        cloth=form.cloth,
        back=form.card_back,
        speed=form.speed,
        sound=form.sound,
        vibration=form.vibration,
        clock=form.clock,
        keys=form.keys,
    )
    play = PlayPreferences(
        safe_home=form.safe_home == "on",
        runs_home=form.runs_home == "on",
        finish=form.finish == "on",
    )
    set_cookie(request, COOKIE, str(look), YEAR_SECONDS)
    set_cookie(request, PLAY_COOKIE, str(play), YEAR_SECONDS)
    return answer


@router.post("/look")
async def save_appearance(request: Request, form: Annotated[AppearanceForm, Form()]) -> Response:
    """Save theme, suits and handedness only."""
    answer = see_other(local_path(form.back))
    look = replace(read_appearance(request), theme=form.theme, suits=form.suits, hand=form.hand)
    set_cookie(request, COOKIE, str(look), YEAR_SECONDS)
    return answer


def _groups(look: Appearance, play: PlayPreferences) -> tuple[SettingGroup, ...]:
    """What is changed most comes first."""
    return (
        SettingGroup(gettext("Appearance"), _appearance(look)),
        SettingGroup(gettext("Motion and sound"), _motion_and_sound(look)),
        SettingGroup(
            gettext("Play"),
            (
                SettingView(
                    "hand",
                    gettext("Handedness"),
                    (("right", gettext("Right")), ("left", gettext("Left"))),
                    look.hand,
                    gettext("Choose Left to mirror the table."),
                ),
                SettingView(
                    "keys",
                    gettext("Keyboard shortcuts"),
                    _OFF_ON,
                    look.keys,
                    gettext("Single letters at a table, such as U for undo. Ctrl+Z always works."),
                ),
            ),
            gettext("Clock and automatic moves"),
            _clock_and_automatic_moves(look, play),
        ),
    )


def _appearance(look: Appearance) -> tuple[SettingView, ...]:
    return (
        SettingView(
            "cloth",
            gettext("Cloth"),
            (
                ("game", gettext("By game")),
                ("sage", gettext("Green")),
                ("plum", gettext("Plum")),
                ("night", gettext("Night blue")),
                ("wine", gettext("Burgundy")),
                ("slate", gettext("Slate")),
            ),
            look.cloth,
        ),
        SettingView(
            "card_back",
            gettext("Card backs"),
            (
                ("lattice", gettext("Lattice")),
                ("rosette", gettext("Rosette")),
                ("stars", gettext("Stars")),
                ("waves", gettext("Waves")),
                ("leaves", gettext("Leaves")),
                ("argyle", gettext("Argyle")),
            ),
            look.back,
        ),
        SettingView(
            "theme",
            gettext("Theme"),
            (
                ("auto", gettext("Same as device")),
                ("light", gettext("Light")),
                ("dark", gettext("Dark")),
            ),
            look.theme,
        ),
        SettingView(
            "suits",
            gettext("Suit colors"),
            (("two", gettext("Two colors")), ("four", gettext("Four colors"))),
            look.suits,
        ),
    )


def _motion_and_sound(look: Appearance) -> tuple[SettingView, ...]:
    return (
        SettingView("sound", gettext("Sound"), _OFF_ON, look.sound),
        SettingView(
            "speed",
            gettext("Animations"),
            (
                ("normal", gettext("Normal")),
                ("fast", gettext("Fast")),
                ("off", gettext("Off")),
            ),
            look.speed,
        ),
        SettingView(
            "vibration",
            gettext("Vibration"),
            _OFF_ON,
            look.vibration,
            gettext("On phones that support it."),
        ),
    )


def _clock_and_automatic_moves(look: Appearance, play: PlayPreferences) -> tuple[SettingView, ...]:
    return (
        SettingView(
            "clock",
            gettext("Clock in casual games"),
            (("off", gettext("Hidden")), ("on", gettext("Shown"))),
            look.clock,
            gettext("Daily deals, races and challenges always show it."),
        ),
        SettingView(
            "safe_home",
            gettext("Auto-move safe cards"),
            _OFF_ON,
            "on" if play.safe_home else "off",
            gettext(
                "Cards that no other card needs go to the foundations by themselves."
                " Off in daily deals, in races, and in challenges made from them."
            ),
        ),
        SettingView(
            "runs_home",
            gettext("Auto-move complete runs"),
            _OFF_ON,
            "on" if play.runs_home else "off",
            gettext(
                "In Spider and its relatives, a complete run leaves the table by itself."
                " Off in daily deals, in races, and in challenges made from them."
            ),
        ),
        SettingView(
            "finish",
            gettext("Auto-finish casual games"),
            _OFF_ON,
            "on" if play.finish else "off",
            gettext(
                "When nothing is left to decide, the rest goes home by itself."
                " If this is off, press Finish."
            ),
        ),
    )
