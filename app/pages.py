"""Every route of the site, in order, and what its parts add to the pages of others."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import Depends, FastAPI, Request

from app.admin.auth import pages as staff_pages
from app.admin.auth import second_factor_pages
from app.admin.dashboard import pages as dashboard_pages
from app.admin.foresight import pages as foresight_pages
from app.admin.game_log import pages as game_log_pages
from app.admin.moderation import pages as moderation_pages
from app.admin.moderation import removals_page
from app.analysis import api as analysis_api
from app.analysis import help_pages, live_chance_api, live_chance_pages
from app.analysis import pages as analysis_pages
from app.analysis import profile_section as analysis_profile_section
from app.challenges import api as challenges_api
from app.challenges import pages as challenges_pages
from app.daily import api as daily_api
from app.daily import calendar_pages, outcome_context
from app.daily import feed as daily_feed
from app.daily import home_section as daily_home_section
from app.daily import pages as daily_pages
from app.daily.sections import DailySections
from app.deals import pages as deals_pages
from app.explorer import api as explorer_api
from app.explorer import pages as explorer_pages
from app.games import api as games_api
from app.games import coach, new_game
from app.games import pages as games_pages
from app.games.extensions import AutoFinish, AutoMove, GamePageExtensions
from app.http import monitoring, openapi, service_worker
from app.http.middleware.access_log import LoggedRoute
from app.http.monitoring import metrics
from app.http.static import AT_THE_ROOT, PREFIX, static_files
from app.identity import api as identity_api
from app.identity import pages as identity_pages
from app.identity import privacy, sign_in
from app.identity.account_page import AccountPageSections
from app.identity.dependencies import current_player
from app.identity.model import Player
from app.identity.openid import pages as openid_pages
from app.identity.passkeys import api as passkeys_api
from app.identity.passkeys import pages as passkeys_pages
from app.identity.recovery import api as recovery_api
from app.identity.recovery import pages as recovery_pages
from app.leagues import admin_pages as leagues_admin_pages
from app.leagues import api as leagues_api
from app.leagues import pages as leagues_pages
from app.lobby import codes as lobby_codes
from app.lobby import favorites as lobby_favorites
from app.lobby import games as lobby_games
from app.lobby import home as lobby_home
from app.lobby import language as lobby_language
from app.lobby import new_challenge
from app.lobby import offline as lobby_offline
from app.lobby import pictures as lobby_pictures
from app.lobby import rules as lobby_rules
from app.lobby import settings as lobby_settings
from app.lobby import together as lobby_together
from app.lobby import unfinished as lobby_unfinished
from app.lobby.newcomers import read_played
from app.lobby.sections import LobbySections
from app.profiles import api as profiles_api
from app.profiles import own_page, own_statistics
from app.profiles import pages as profiles_pages
from app.profiles.own_page import OwnPageSection, OwnPageSections
from app.profiles.pages import ProfileSection, ProfileSections
from app.races import api as races_api
from app.races import game_panel as races_game_panel
from app.races import open_races
from app.races import pages as races_pages
from app.ratings import api as ratings_api
from app.ratings import pages as ratings_pages
from app.reminders import api as reminders_api
from app.reminders import pages as reminders_pages
from app.shared_tables import api as shared_tables_api
from app.shared_tables import pages as shared_tables_pages
from app.sharing import api as sharing_api
from app.sharing import pages as sharing_pages
from app.spectating import api as spectating_api
from app.spectating import pages as spectating_pages
from app.winnability import api as winnability_api
from app.winnability import pages as winnability_pages


def add_routes(app: FastAPI) -> None:
    """Add all routes to the application."""
    # Routes are tried one by one, in this order: the busiest first. They are added as they are: ``include_router``
    # copies each when the first request comes, which would wait for all of them.
    app.routes.extend(games_pages.TURNS)
    app.routes.extend(games_api.moves.routes)
    app.routes.extend(games_pages.router.routes)
    app.routes.extend(games_api.router.routes)
    app.routes.append(LoggedRoute(PREFIX + "{path:path}", static_files(), methods=["GET"]))
    for module in (
        daily_api,
        daily_feed,
        daily_pages,
        calendar_pages,
        help_pages,
        analysis_pages,
        analysis_api,
        live_chance_pages,
        live_chance_api,
        lobby_home,
        lobby_games,
        lobby_pictures,
        lobby_favorites,
        lobby_together,
        lobby_unfinished,
        new_challenge,
        lobby_codes,
        lobby_rules,
        lobby_settings,
        lobby_language,
        coach,
        lobby_offline,
        new_game,
        deals_pages,
        sharing_pages,
        sharing_api,
        shared_tables_pages,
        shared_tables_api,
        spectating_pages,
        spectating_api,
        races_game_panel,
        open_races,  # its path would be a code to the page of a room
        races_pages,
        races_api,
        challenges_pages,
        challenges_api,
        explorer_pages,
        explorer_api,
        leagues_pages,
        leagues_api,
        ratings_pages,
        ratings_api,
        reminders_pages,
        reminders_api,
        winnability_pages,
        winnability_api,
        service_worker,
        identity_api,
        sign_in,
        openid_pages,
        recovery_api,
        recovery_pages,
        passkeys_api,
        passkeys_pages,
        identity_pages,
        privacy,
        profiles_api,
        own_page,
        own_statistics,
        profiles_pages,
        removals_page,
        game_log_pages,
        moderation_pages,
        dashboard_pages,
        foresight_pages,
        second_factor_pages,
        leagues_admin_pages,
        staff_pages,
    ):
        app.routes.extend(module.router.routes)
    app.routes.extend(staff_pages.catch_all.routes)
    # Pages of `app.http` name the viewer in their header, so these routes find the viewer here.
    viewer = Depends(current_player)
    for guess in ("/api", "/api/"):
        app.add_api_route(guess, openapi.to_docs, include_in_schema=False)
    app.add_api_route("/api/docs", openapi.docs, dependencies=[viewer], include_in_schema=False)
    app.routes.extend(monitoring.router.routes)
    app.add_api_route("/metrics", metrics, include_in_schema=False)
    for name in AT_THE_ROOT:
        app.routes.append(LoggedRoute(f"/{name}", static_files(), methods=["GET"]))


def game_page_extensions(auto_move: AutoMove, auto_finish: AutoFinish) -> GamePageExtensions:
    """What other parts add to the page of a game."""
    return GamePageExtensions(
        panels=(
            shared_tables_pages.game_panel,
            races_game_panel.game_panel,
            live_chance_pages.game_panel,
            deals_pages.game_panel,
            challenges_pages.game_panel,
            spectating_pages.game_panel,
            analysis_pages.game_panel,  # a script adds its mark after the others, too
            coach.game_panel,
        ),
        auto_move=auto_move,
        auto_finish=auto_finish,
        find_outcome_contexts=(
            outcome_context.find_outcome_context,
            races_game_panel.find_outcome_context,
            deals_pages.find_outcome_context,
        ),
    )


def lobby_sections() -> LobbySections:
    """What other parts add to the home page and to the page of ways to play together."""
    return LobbySections(
        today=daily_home_section.render,
        open_races=open_races.together_section,
        together=(
            races_pages.home_section,
            shared_tables_pages.home_section,
            challenges_pages.home_section,
            spectating_pages.home_section,
            leagues_pages.home_section,
        ),
    )


def daily_sections() -> DailySections:
    """What other parts add to the page of today's deals."""
    return DailySections(
        list_played=_list_played,
        company=(leagues_pages.home_section, ratings_pages.today_section),
    )


async def _list_played(request: Request, player: Player | None) -> Sequence[str]:
    return (await read_played(request, player)).names


def profile_sections() -> ProfileSections:
    """What other parts add to the profile of a player."""
    return ProfileSections(
        (
            ratings_pages.profile_section,
            analysis_profile_section.profile_section,
            shared_tables_pages.profile_section,
        )
    )


def own_page_sections() -> OwnPageSections:
    """What other parts add to a player's own page."""
    return OwnPageSections(
        wide=(calendar_pages.own_section,),
        narrow=(
            ratings_pages.own_section,
            _own(analysis_profile_section.profile_section),
            shared_tables_pages.own_section,
        ),
    )


def _own(section: ProfileSection) -> OwnPageSection:
    """What everyone may see of a player, for that player."""
    return lambda request, player: section(request, player.id)


def account_page_sections() -> AccountPageSections:
    """What the ways to sign in add to the page of an account."""
    return AccountPageSections(
        sections=(
            staff_pages.account_section,
            passkeys_pages.section,
            recovery_pages.section,
            openid_pages.section,
        ),
        invitations=(recovery_pages.invitation,),
    )
