"""The composition root: the only place that knows every part of the site."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from sqlalchemy import Connection

from app import home
from app.admin.auth import dependencies as admin_auth
from app.admin.auth import pages as staff_pages
from app.admin.auth.service import StaffService
from app.admin.background import AdminBackground
from app.admin.dashboard import pages as dashboard_pages
from app.admin.game_log import pages as game_log_pages
from app.admin.game_log.service import GameLogService
from app.admin.integrity import hash_chain
from app.admin.integrity.access_records import AccessRecordMiddleware
from app.admin.moderation import pages as moderation_pages
from app.admin.moderation import removals
from app.admin.moderation.service import ModerationService
from app.analysis import api as analysis_api
from app.analysis import pages as analysis_pages
from app.analysis.hints import HelpService
from app.analysis.service import AnalysisService
from app.challenges import api as challenges_api
from app.challenges import pages as challenges_pages
from app.challenges import repository as challenges_repository
from app.challenges.service import ChallengeService
from app.clock import Clock, now_ms
from app.daily import account_merge as daily_merge
from app.daily import api as daily_api
from app.daily import pages as daily_pages
from app.daily import repository as daily_repository
from app.daily import result_recording as daily_recording
from app.daily.closing import DayClosing, verify_in_worker
from app.daily.preparing import DealPreparation, ProvenSeeds
from app.daily.result_recording import ResultRecorder
from app.daily.results import DailyResults
from app.daily.schedule import DailySchedule
from app.daily.service import DailyService
from app.db.engine import Database
from app.deals import pages as deals_pages
from app.deals.difficulty import DifficultyService
from app.deals.refill import StockRefill
from app.deals.service import DealStock, StockDealer
from app.games import api as games_api
from app.games import new_game
from app.games import pages as games_pages
from app.games import repository as games_repository
from app.games.model import GAME_TOPIC
from app.games.service import GameService
from app.games.view_models import GamePageExtensions
from app.home import HomeSections
from app.http import error_handlers, logging_setup, monitoring, openapi, templates
from app.http.error_handlers import ErrorMiddleware
from app.http.middleware.access_log import AccessLogMiddleware, LoggedRoute
from app.http.middleware.compression import CompressionMiddleware
from app.http.middleware.head import HeadMiddleware
from app.http.middleware.security import BodyLimitMiddleware, SecurityMiddleware
from app.http.monitoring import RequestStats, metrics
from app.http.process import on_stop_signal, reduce_gc
from app.http.rate_limits import RateLimits
from app.http.sse import StreamLimits
from app.http.static import AT_THE_ROOT, PREFIX, static_files
from app.identity import api as identity_api
from app.identity import pages as identity_pages
from app.identity import sign_in
from app.identity.account_changes import AccountChanges
from app.identity.account_merge import AccountCallbacks
from app.identity.accounts import Accounts
from app.identity.passwords import Passwords
from app.identity.repository import is_named
from app.identity.sessions import PlayerService
from app.jobs.scheduler import Scheduler
from app.jobs.service import Jobs
from app.profiles import api as profiles_api
from app.profiles import pages as profiles_pages
from app.profiles.pages import ProfileSections
from app.pubsub.service import PubSub, VersionPublisher
from app.races import api as races_api
from app.races import game_panel as races_game_panel
from app.races import pages as races_pages
from app.races import repository as races_repository
from app.races import results as race_results
from app.races.account_merge import RaceAccountMerge
from app.races.room import ROOM_TOPIC
from app.races.service import RaceService
from app.races.side_by_side import RaceReplays
from app.services import Services
from app.settings import Settings, load_settings
from app.shared_tables import account_merge as shared_table_merge
from app.shared_tables import api as shared_tables_api
from app.shared_tables import pages as shared_tables_pages
from app.shared_tables.gestures import GestureService
from app.shared_tables.play import SharedPlay
from app.shared_tables.proposals import ProposalService
from app.shared_tables.service import SharedTableService
from app.sharing import api as sharing_api
from app.sharing import pages as sharing_pages
from app.sharing.pages import ReplayNotes
from app.sharing.preview import PreviewCache
from app.sharing.service import SharingService
from app.spectating import api as spectating_api
from app.spectating import pages as spectating_pages
from app.spectating import repository as spectating_repository
from app.spectating.broadcast import MoveBroadcast
from app.spectating.service import SpectatingService

_WORTH_COMPRESSING = 3000  # bytes: less fits in two packets, which travel together anyway


def create_app(settings: Settings | None = None, clock: Clock = now_ms) -> FastAPI:
    """The site as an ASGI application; by default with the settings of the environment."""
    settings = settings or load_settings()
    stats = RequestStats()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        services = _build_services(settings, clock, stats)
        app.state.services = services
        _start(services)
        try:
            with on_stop_signal(services.pubsub.close_subscribers):
                yield
        finally:
            await _close(services)

    app = openapi.DocumentedApi(
        title="Fair Deal",
        version=version("fairdeal"),
        description="Patience games on an authoritative server: it deals, judges and keeps every move.",
        openapi_url=openapi.OPENAPI_URL,
        docs_url=None,  # its page loads scripts from elsewhere; ours is at /api/docs
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # ours are in app/http
    )
    error_handlers.install(app)
    admin_auth.install(app)
    _add_routes(app)
    # The last one added is the first to see a request.
    app.add_middleware(AccessRecordMiddleware)
    app.add_middleware(HeadMiddleware)
    app.add_middleware(CompressionMiddleware, min_bytes=_WORTH_COMPRESSING)
    app.add_middleware(BodyLimitMiddleware, max_bytes=settings.max_body_bytes)
    app.add_middleware(ErrorMiddleware)
    app.add_middleware(SecurityMiddleware, https_only=settings.https_only)
    app.add_middleware(AccessLogMiddleware, stats=stats)
    return app


def site() -> FastAPI:
    """The site for a server process of its own, with logging set up."""
    settings = load_settings()
    logging_setup.configure(settings.log_level)
    app = create_app(settings)
    templates.load_all()
    reduce_gc()
    return app


def _add_routes(app: FastAPI) -> None:
    # Routes are tried one by one, in this order, at a microsecond or two each: the busiest first.
    app.routes.extend(games_pages.TURNS)
    app.include_router(games_pages.router)
    app.include_router(games_api.router)
    app.routes.append(LoggedRoute(PREFIX + "{path:path}", static_files(), methods=["GET"]))
    for module in (
        analysis_pages,
        analysis_api,
        home,
        new_game,
        deals_pages,
        sharing_pages,
        sharing_api,
        shared_tables_pages,
        shared_tables_api,
        spectating_pages,
        spectating_api,
        races_game_panel,
        races_pages,
        races_api,
        challenges_pages,
        challenges_api,
        daily_pages,
        daily_api,
        identity_api,
        sign_in,
        identity_pages,
        profiles_api,
        profiles_pages,
        removals,
        game_log_pages,
        moderation_pages,
        dashboard_pages,
        staff_pages,
    ):
        app.include_router(module.router)
    app.include_router(staff_pages.catch_all)
    app.include_router(openapi.router)
    app.include_router(monitoring.router)
    app.add_api_route("/metrics", metrics, include_in_schema=False)
    for name in AT_THE_ROOT:
        app.routes.append(LoggedRoute(f"/{name}", static_files(), methods=["GET"]))


def _build_services(settings: Settings, clock: Clock, stats: RequestStats) -> Services:
    database = Database(settings.database_url)
    pubsub = PubSub(database)
    jobs = Jobs(settings.job_workers, most_per_owner=settings.jobs_per_player)

    players = PlayerService(database, settings.session_days)
    passwords = Passwords()
    race_merge = RaceAccountMerge(clock)
    account_callbacks = AccountCallbacks(
        on_claim=[daily_merge.list_attempts_of],
        on_merge=[
            daily_merge.merge_attempts,
            shared_table_merge.move_seats,
            race_merge.move_seats,
            challenges_repository.adopt,
        ],
        on_delete=[shared_table_merge.leave_tables, race_merge.leave_rooms],
    )
    accounts = Accounts(
        database, players, passwords, account_callbacks, known_days=settings.address_days
    )

    shared_tables = SharedTableService(database, clock, pubsub)
    proposals = ProposalService(database, shared_tables)
    shared_play = SharedPlay(database, shared_tables, proposals)
    admin = AdminBackground.create(database, clock, settings, stats)
    game_publisher = VersionPublisher(pubsub, database, GAME_TOPIC, games_repository.list_versions)
    games = GameService(
        database,
        admin.wrap_publish(game_publisher.publish),
        clock,
        on_status_changed=[
            ResultRecorder(is_named),
            race_results.record_result,
            hash_chain.add_final_checkpoint,
            spectating_repository.update_listing,
        ],
        is_ranked_private=_is_private,
        check_event=race_results.refuse_late_action,
        shared_tables=shared_play,
        is_open_private=spectating_repository.is_private,
        on_refused=admin.record_refusal,
    )
    pubsub.register_change_source(GAME_TOPIC, MoveBroadcast(games).render_change)

    help_service = HelpService(games)
    deals = DealStock(database, jobs, clock, settings.proof_seconds)
    room_publisher = VersionPublisher(pubsub, database, ROOM_TOPIC, races_repository.list_versions)
    races = RaceService(database, games, deals.draw_or_find_sealed, clock, room_publisher.publish)
    seeds = None if settings.unproven_deals else ProvenSeeds(deals)
    closing = DayClosing(database, clock, verify_in_worker(jobs))
    daily_schedule = DailySchedule(DealPreparation(database, clock, seeds), closing, clock)
    daily = DailyService(
        database,
        games,
        clock,
        is_named,
        unproven=seeds is None,
        on_missing=daily_schedule.wake_preparation,
    )
    scheduler = Scheduler(
        database,
        clock,
        [
            *admin.tasks(),
            *daily_schedule.tasks(),
            *StockRefill(database, deals, clock, settings.pool_size).tasks(),
            *races.tasks(),
        ],
    )
    return Services(
        settings=settings,
        clock=clock,
        database=database,
        rate_limits=RateLimits(settings),
        stream_limits=StreamLimits(settings),
        pubsub=pubsub,
        jobs=jobs,
        scheduler=scheduler,
        players=players,
        accounts=accounts,
        account_changes=AccountChanges(database, players, passwords, accounts, account_callbacks),
        passwords=passwords,
        games=games,
        game_page=GamePageExtensions(
            panels=(
                analysis_pages.game_panel,
                shared_tables_pages.game_panel,
                races_game_panel.game_panel,
                spectating_pages.game_panel,
                deals_pages.game_panel,
                challenges_pages.game_panel,
            ),
            auto_move=help_service.play_safe_home,
        ),
        home=HomeSections(
            today=daily_pages.home_section,
            together=(
                races_pages.home_section,
                shared_tables_pages.home_section,
                spectating_pages.home_section,
            ),
        ),
        profile=ProfileSections((shared_tables_pages.profile_section,)),
        deals=deals,
        dealer=StockDealer(deals),
        difficulty=DifficultyService(database, jobs if deals.can_prove else None),
        help=help_service,
        analysis=AnalysisService(database, games, jobs, clock),
        shared_tables=shared_tables,
        proposals=proposals,
        gestures=GestureService(database, shared_tables),
        spectating=SpectatingService(database, games, pubsub, clock),
        challenges=ChallengeService(database, games, clock),
        races=races,
        race_replays=RaceReplays(database),
        daily=daily,
        daily_results=DailyResults(database, daily),
        daily_closing=closing,
        daily_schedule=daily_schedule,
        sharing=SharingService(database, games),
        previews=PreviewCache(),
        replay_notes=ReplayNotes(analysis_pages.hindsight_of),
        staff=StaffService(database, players, accounts, clock),
        moderation=ModerationService(
            database, players, clock, daily_recording.hide, daily_recording.restore
        ),
        game_logs=GameLogService(database, games),
        admin=admin,
        access_records=admin.access_records,
    )


def _start(services: Services) -> None:
    if services.settings.proof_seconds:  # else the work waits for a request for a daily page
        services.daily_schedule.wake_if_due()
    services.scheduler.start()
    services.pubsub.start()


async def _close(services: Services) -> None:
    await services.scheduler.close()
    await services.deals.close()
    await services.difficulty.close()
    await services.analysis.close()
    await services.jobs.close()
    await services.previews.close()
    await services.pubsub.close()
    services.passwords.close()
    await services.database.close()


def _is_private(connection: Connection, game_id: str) -> bool:
    """Whether a game is private because others have yet to finish the same deal."""
    return daily_repository.is_private(connection, game_id) or races_repository.is_private(
        connection, game_id
    )
