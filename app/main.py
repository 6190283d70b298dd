"""The composition root: the only place that knows every part of the site."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version

from fastapi import FastAPI
from sqlalchemy import Connection

from app.admin import (
    access,
    chain,
    export_pages,
    game_pages,
    overview_pages,
    people_pages,
    removal_pages,
)
from app.admin import pages as admin_pages
from app.admin.acts import Acts
from app.admin.office import Office
from app.admin.sightings import Watch
from app.admin.stories import Stories
from app.admin.upkeep import Upkeep
from app.coach import api as coach_api
from app.coach import asking as coach_asking
from app.coach import pages as coach_pages
from app.coach.hindsight import hindsight_of
from app.coach.inquiries import Inquiries
from app.coach.service import CoachService
from app.company import api as company_api
from app.company import following
from app.company import pages as company_pages
from app.company.desk import CompanyDesk
from app.daily import api as daily_api
from app.daily import attempts, hiding
from app.daily import pages as daily_pages
from app.daily.booking import Booking
from app.daily.desk import DailyDesk
from app.daily.proving import ProvenSeeds
from app.ghost import api as ghost_api
from app.ghost import pages as ghost_pages
from app.ghost import repository as ghost_repository
from app.ghost.service import GhostService
from app.jobs.jobs import Jobs
from app.live.service import Live
from app.play import api as play_api
from app.play import lobby as play_lobby
from app.play import new_games
from app.play import pages as play_pages
from app.play.live import TABLE, TablesAloud
from app.play.service import PlayService, now_ms
from app.players import api as players_api
from app.players import entry as players_entry
from app.players import pages as players_pages
from app.players.accounts import Accounts
from app.players.keeping import Keeping
from app.players.passwords import Passwords
from app.players.repository import is_named
from app.players.service import PlayerService
from app.pool import pages as pool_pages
from app.pool.dealing import StockDealer
from app.pool.stockroom import Stockroom
from app.race import api as race_api
from app.race import booking, table_side
from app.race import pages as race_pages
from app.race import repository as race_rooms
from app.race.desk import RaceDesk
from app.race.drawing import PoolDraw
from app.race.following import Following
from app.settings import Settings, load_settings
from app.sharing import api as sharing_api
from app.sharing import pages as sharing_pages
from app.sharing.gallery import Gallery
from app.sharing.service import SharingService
from app.storage.database import Database
from app.watch import api as watch_api
from app.watch import audiences
from app.watch import pages as watch_pages
from app.watch.following import Showings
from app.watch.service import WatchService
from app.web import documentation, handlers, health, logs, templating
from app.web.compression import Compression
from app.web.faults import LastResort
from app.web.heads import HeadOfPages
from app.web.limits import BodyLimit, RateLimits
from app.web.memory import collect_seldom
from app.web.metrics import metrics
from app.web.observing import KnownRoute, Observer
from app.web.security import Security
from app.web.static import AT_THE_ROOT, PREFIX, static_files
from app.web.stopping import at_stop
from app.web.streaming import StreamLimits
from app.web.traffic import Traffic

_WORTH_COMPRESSING = 3000  # bytes: less fits in two packets, which travel together anyway


def create_app(settings: Settings | None = None, clock: Callable[[], int] = now_ms) -> FastAPI:
    """The site as an ASGI application; without settings, as the environment asks for.

    All play goes by ``clock``, in milliseconds since 1970, UTC.
    """
    settings = settings or load_settings()
    app = documentation.Documented(
        title="Fair Deal",
        version=version("fairdeal"),
        description="Patience games on an authoritative server: it deals, judges and keeps every move.",
        openapi_url=documentation.OPENAPI_URL,
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
        table_side.side,
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
    handlers.install(app)
    access.install(app)
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
    templating.read_all()
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
    app.include_router(new_games.router)
    app.include_router(pool_pages.router)
    app.include_router(sharing_pages.router)
    app.include_router(sharing_api.router)
    app.include_router(company_pages.router)
    app.include_router(company_api.router)
    app.include_router(watch_pages.router)
    app.include_router(watch_api.router)
    app.include_router(table_side.router)
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
    app.include_router(documentation.router)
    app.include_router(health.router)
    app.add_api_route("/metrics", metrics, include_in_schema=False)
    for name in AT_THE_ROOT:
        app.routes.append(KnownRoute(f"/{name}", static_files(), methods=["GET"]))


def _call_the_coach(app: FastAPI, play: PlayService, jobs: Jobs) -> None:
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
        on_merge=[attempts.adopt, following.follow, racing.follow, ghost_repository.adopt],
        known_days=settings.address_days,
    )
    app.state.keeping = Keeping(
        database, players, passwords, accounts, [following.get_up, racing.get_up]
    )
    app.state.office = Office(database, players, accounts, clock)
    app.state.acts = Acts(database, players, clock, hiding.hide, hiding.restore)
    return passwords


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    database = Database(settings.database_url)
    app.state.database = database
    app.state.live = live = Live(database)
    clock: Callable[[], int] = app.state.clock
    passwords = _let_people_in(app, database, clock)
    app.state.company = company = CompanyDesk.of(database, clock, live)
    app.state.upkeep = upkeep = Upkeep(database, clock, settings, app.state.traffic)
    play = PlayService(
        database,
        upkeep.hears(TablesAloud(live, database).announce),
        clock,
        at_end=[Booking(is_named), booking.book, chain.seal, audiences.follow_status],
        is_veiled=_is_veiled,
        referee=booking.referee,
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
