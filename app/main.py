"""The composition root: the only place that knows every part of the site."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version

from fastapi import FastAPI
from sqlalchemy import Connection

from app import home as play_lobby
from app.admin import pages as admin_pages
from app.admin.auth import dependencies
from app.admin.auth.service import Office
from app.admin.background import Upkeep
from app.admin.dashboard import pages as overview_pages
from app.admin.game_log import export_pages
from app.admin.game_log import pages as game_pages
from app.admin.game_log.replay import Stories
from app.admin.integrity import hash_chain
from app.admin.integrity.access_records import Watch
from app.admin.moderation import pages as people_pages
from app.admin.moderation import removal_pages
from app.admin.moderation.service import Acts
from app.analysis import api as coach_api
from app.analysis import pages as coach_pages
from app.analysis import question_pages as coach_asking
from app.analysis.help import CoachService
from app.analysis.replay_notes import hindsight_of
from app.analysis.service import Inquiries
from app.challenges import api as ghost_api
from app.challenges import pages as ghost_pages
from app.challenges import repository as ghost_repository
from app.challenges.service import GhostService
from app.daily import api as daily_api
from app.daily import attempts, moderation
from app.daily import pages as daily_pages
from app.daily.container import DailyDesk
from app.daily.recording import Booking
from app.daily.seed_source import ProvenSeeds
from app.db.engine import Database
from app.deals import pages as pool_pages
from app.deals.dealing import StockDealer
from app.deals.stock_room import Stockroom
from app.games import api as play_api
from app.games import new_game
from app.games import pages as play_pages
from app.games.service import GameService, now_ms
from app.games.stream import TABLE, GamePublisher
from app.http import error_handlers, health, logs, openapi, templates
from app.http.gc_tuning import collect_seldom
from app.http.metrics import metrics
from app.http.middleware.access_log import KnownRoute, Observer
from app.http.middleware.compression import Compression
from app.http.middleware.errors import LastResort
from app.http.middleware.head import HeadOfPages
from app.http.middleware.security import Security
from app.http.rate_limits import BodyLimit, RateLimits
from app.http.request_stats import Traffic
from app.http.shutdown import at_stop
from app.http.sse import StreamLimits
from app.http.static import AT_THE_ROOT, PREFIX, static_files
from app.identity import api as players_api
from app.identity import pages as players_pages
from app.identity import sign_in as players_entry
from app.identity.account_changes import Keeping
from app.identity.accounts import Accounts
from app.identity.passwords import Passwords
from app.identity.repository import is_named
from app.identity.service import PlayerService
from app.jobs.service import Jobs
from app.pubsub.service import PubSub
from app.races import api as race_api
from app.races import game_panel, results
from app.races import pages as race_pages
from app.races import repository as race_rooms
from app.races.account_merge import Following
from app.races.container import RaceDesk
from app.races.deal_source import PoolDraw
from app.settings import Settings, load_settings
from app.shared_tables import account_merge
from app.shared_tables import api as company_api
from app.shared_tables import pages as company_pages
from app.shared_tables.container import CompanyDesk
from app.sharing import api as sharing_api
from app.sharing import pages as sharing_pages
from app.sharing.gallery import Gallery
from app.sharing.service import SharingService
from app.spectating import api as watch_api
from app.spectating import pages as watch_pages
from app.spectating import repository as audiences
from app.spectating.broadcast import Showings
from app.spectating.service import WatchService

_WORTH_COMPRESSING = 3000  # bytes: less fits in two packets, which travel together anyway


def create_app(settings: Settings | None = None, clock: Callable[[], int] = now_ms) -> FastAPI:
    """The site as an ASGI application; without settings, as the environment asks for.

    All play goes by ``clock``, in milliseconds since 1970, UTC.
    """
    settings = settings or load_settings()
    app = openapi.Documented(
        title="Fair Deal",
        version=version("fairdeal"),
        description="Patience games on an authoritative server: it deals, judges and keeps every move.",
        openapi_url=openapi.OPENAPI_URL,
        docs_url=None,  # its page loads scripts from elsewhere; ours is at /api/docs
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # ours are in app/web
    )
    app.state.settings = settings
    app.state.clock = clock
    app.state.lobby_today = daily_pages.strip
    app.state.lobby_together = (race_pages.strip, company_pages.strip, watch_pages.strip)
    app.state.table_sides = (
        coach_pages.side,
        company_pages.side,
        game_panel.side,
        watch_pages.side,
        pool_pages.side,
        ghost_pages.side,
    )
    app.state.profile_strips = (company_pages.profile_strip,)
    app.state.follow = coach_pages.follow
    app.state.hindsight_of = hindsight_of
    app.state.rate_limits = RateLimits(settings)
    app.state.traffic = Traffic()
    app.state.stream_limits = StreamLimits(settings)
    error_handlers.install(app)
    dependencies.install(app)
    _add_routes(app)
    # The last one added is the first to see a request.
    app.add_middleware(Watch)
    app.add_middleware(HeadOfPages)
    app.add_middleware(Compression, smallest=_WORTH_COMPRESSING)
    app.add_middleware(BodyLimit, most=settings.max_body_bytes)
    app.add_middleware(LastResort)
    app.add_middleware(Security, https_only=settings.https_only)
    app.add_middleware(Observer, traffic=app.state.traffic)
    return app


def site() -> FastAPI:
    """The site for a server process of its own, which it also teaches how to log."""
    settings = load_settings()
    logs.configure(settings.log_level)
    app = create_app(settings)
    templates.read_all()
    collect_seldom()
    return app


def _add_routes(app: FastAPI) -> None:
    # Routes are tried one by one, in this order, at a microsecond or two each: the busiest first.
    app.routes.extend(play_pages.TURNS)
    app.include_router(play_pages.router)
    app.include_router(play_api.router)
    app.routes.append(KnownRoute(PREFIX + "{path:path}", static_files(), methods=["GET"]))
    app.include_router(coach_pages.router)
    app.include_router(coach_asking.router)
    app.include_router(coach_api.router)
    app.include_router(play_lobby.router)
    app.include_router(new_game.router)
    app.include_router(pool_pages.router)
    app.include_router(sharing_pages.router)
    app.include_router(sharing_api.router)
    app.include_router(company_pages.router)
    app.include_router(company_api.router)
    app.include_router(watch_pages.router)
    app.include_router(watch_api.router)
    app.include_router(game_panel.router)
    app.include_router(race_pages.router)
    app.include_router(race_api.router)
    app.include_router(ghost_pages.router)
    app.include_router(ghost_api.router)
    app.include_router(daily_pages.router)
    app.include_router(daily_api.router)
    app.include_router(players_api.router)
    app.include_router(players_entry.router)
    app.include_router(players_pages.router)
    app.include_router(removal_pages.router)
    app.include_router(export_pages.router)
    app.include_router(game_pages.router)
    app.include_router(people_pages.router)
    app.include_router(overview_pages.router)
    app.include_router(admin_pages.router)
    app.include_router(admin_pages.nothing_else)
    app.include_router(openapi.router)
    app.include_router(health.router)
    app.add_api_route("/metrics", metrics, include_in_schema=False)
    for name in AT_THE_ROOT:
        app.routes.append(KnownRoute(f"/{name}", static_files(), methods=["GET"]))


def _call_the_coach(app: FastAPI, play: GameService, jobs: Jobs) -> None:
    app.state.coach = CoachService(play)
    app.state.inquiries = Inquiries(app.state.database, play, jobs, app.state.clock)


def _let_people_in(app: FastAPI, database: Database, clock: Callable[[], int]) -> Passwords:
    """Players, their accounts, and those who look after them."""
    settings: Settings = app.state.settings
    app.state.players = players = PlayerService(database, settings.session_days)
    passwords = Passwords()
    racing = Following(clock)
    app.state.accounts = accounts = Accounts(
        database,
        players,
        passwords,
        on_claim=[attempts.list_runs],
        on_merge=[attempts.adopt, account_merge.follow, racing.follow, ghost_repository.adopt],
        known_days=settings.address_days,
    )
    app.state.keeping = Keeping(
        database, players, passwords, accounts, [account_merge.get_up, racing.get_up]
    )
    app.state.office = Office(database, players, accounts, clock)
    app.state.acts = Acts(database, players, clock, moderation.hide, moderation.restore)
    return passwords


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    database = Database(settings.database_url)
    app.state.database = database
    app.state.live = live = PubSub(database)
    clock: Callable[[], int] = app.state.clock
    passwords = _let_people_in(app, database, clock)
    app.state.company = company = CompanyDesk.of(database, clock, live)
    app.state.upkeep = upkeep = Upkeep(database, clock, settings, app.state.traffic)
    play = GameService(
        database,
        upkeep.hears(GamePublisher(live, database).announce),
        clock,
        at_end=[Booking(is_named), results.book, hash_chain.seal, audiences.follow_status],
        is_veiled=_is_veiled,
        referee=results.referee,
        shared=company.acting,
        is_closed=audiences.is_closed,
        on_refusal=upkeep.refused,
    )
    app.state.play = play
    app.state.watch = WatchService(database, play, live, clock)
    live.shows(TABLE, Showings(play).show)
    app.state.ghosts = GhostService(database, play, clock)
    app.state.stories = Stories(database, play)
    app.state.sharing = SharingService(database, play)
    app.state.gallery = gallery = Gallery()
    app.state.jobs = jobs = Jobs(settings.job_workers, most_per_owner=settings.jobs_per_player)
    _call_the_coach(app, play, jobs)
    stockroom = Stockroom(database, jobs, clock, settings)
    app.state.pool, app.state.grades = stockroom.pool, stockroom.grades
    app.state.dealer = StockDealer(stockroom.pool)
    app.state.races = races = RaceDesk(database, play, clock, PoolDraw(stockroom.pool), live)
    seeds = None if settings.unproven_deals else ProvenSeeds(stockroom.pool)
    desk = DailyDesk(database, play, clock, is_named, seeds=seeds, jobs=jobs)
    if settings.proof_seconds:  # else the work waits for somebody to look at a page of it
        desk.caretaker.glance()
    app.state.daily = desk
    caretaker = asyncio.create_task(desk.caretaker.run(), name="daily caretaker")
    upkeep.begin()
    stockroom.begin()
    races.begin()
    live.start()
    try:
        with at_stop(live.dismiss_all):
            yield
    finally:
        caretaker.cancel()
        with suppress(asyncio.CancelledError):
            await caretaker
        await upkeep.close()
        await races.close()
        await stockroom.close()
        await app.state.inquiries.close()
        await jobs.close()
        await gallery.close()
        await live.close()
        passwords.close()
        await database.close()


def _is_veiled(connection: Connection, game_id: str) -> bool:
    """Whether others have yet to play the cards of a ranked game, or are at it."""
    return attempts.is_veiled(connection, game_id) or race_rooms.is_veiled(connection, game_id)
