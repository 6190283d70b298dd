"""The composition root: the only place that knows every service of the site."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from app import pages
from app.admin.auth.repository import has_role
from app.admin.auth.service import StaffService
from app.admin.auth.step_up import StepUpService
from app.admin.background import AdminBackground
from app.admin.game_log.service import GameLogService
from app.admin.integrity import hash_chain
from app.admin.moderation.service import ModerationService
from app.analysis import pages as analysis_pages
from app.analysis.automatic_moves import AutomaticMoves
from app.analysis.day_foresight import DayForesight
from app.analysis.day_reviews import DayReviews
from app.analysis.hint_plans import HintPlans
from app.analysis.hints import HintService
from app.analysis.live_chances import LiveChances
from app.analysis.ranked_deals import RankedDeals
from app.analysis.service import AnalysisService
from app.challenges import repository as challenges_repository
from app.challenges.service import ChallengeService
from app.clock import Clock
from app.daily import account_merge as daily_merge
from app.daily import repository as daily_repository
from app.daily import result_recording as daily_recording
from app.daily.closing import MOST_ACTIONS, DayClosing, verify_in_worker
from app.daily.preparing import DealPreparation, ProvenSeeds
from app.daily.result_recording import ResultRecorder
from app.daily.results import DailyResults
from app.daily.schedule import DailySchedule
from app.daily.service import DailyService
from app.db.engine import Database
from app.deals.dealer import StockDealer
from app.deals.difficulty import DifficultyService
from app.deals.refill import StockRefill
from app.deals.service import DealStock
from app.environment import Environment
from app.explorer.chances import Chances
from app.explorer.merging import GameMerging
from app.explorer.service import ExplorerService
from app.games import repository as games_repository
from app.games.past_games import PastGames
from app.games.quotas import Quota, Quotas
from app.games.service import GameService
from app.games.topics import GAME_TOPIC
from app.http.monitoring import RequestStats
from app.http.rate_limits import RateLimits
from app.http.sse import StreamLimits
from app.identity.account_merge import AccountCallbacks
from app.identity.build import build_identity
from app.identity.repository import find_claimed_ms, is_named
from app.jobs.admission import Places
from app.jobs.scheduler import Scheduler
from app.jobs.service import Jobs
from app.leagues import account_merge as league_merge
from app.leagues.service import LeagueService
from app.profiles import favorites
from app.profiles.reader import ProfileReader
from app.pubsub.service import PubSub, VersionPublisher
from app.races import repository as races_repository
from app.races import results as race_results
from app.races.account_merge import RaceAccountMerge
from app.races.room import ROOM_TOPIC
from app.races.room_deals import RoomDeals
from app.races.service import RaceService
from app.races.side_by_side import RaceReplays
from app.ratings import repository as ratings_repository
from app.ratings.service import RatingService
from app.reminders import repository as reminders_repository
from app.reminders.build import build_reminders
from app.services import Services
from app.settings import Settings
from app.shared_tables import account_merge as shared_table_merge
from app.shared_tables.gestures import GestureService
from app.shared_tables.play import SharedPlay
from app.shared_tables.proposals import ProposalService
from app.shared_tables.seat_requests import SeatRequestService
from app.shared_tables.service import SharedTableService
from app.sharing.pages import ReplayNotes
from app.sharing.preview import PreviewCache
from app.sharing.service import SharingService
from app.spectating import repository as spectating_repository
from app.spectating.broadcast import MoveBroadcast
from app.spectating.service import SpectatingService


class _Basis(NamedTuple):
    """What nearly every part needs."""

    settings: Settings
    clock: Clock
    database: Database
    pubsub: PubSub
    jobs: Jobs


class _DailyParts(NamedTuple):
    """The parts of the daily deal."""

    service: DailyService
    schedule: DailySchedule
    closing: DayClosing


def build_services(
    settings: Settings, clock: Clock, stats: RequestStats, outside: Environment
) -> Services:
    """Every service, in the order in which they need one another; none of them has started."""
    database = outside.open_database(settings.database_url, settings.replica_url)
    pubsub = PubSub(database, broker_url=settings.pubsub_url, connect=outside.connect_notifier)
    jobs = Jobs(
        settings.job_workers,
        places=Places(settings.jobs_per_player, settings.jobs_per_network),
        start_process=outside.start_process,
    )
    basis = _Basis(settings, clock, database, pubsub, jobs)
    race_merge = RaceAccountMerge(clock)
    identity = build_identity(
        database,
        settings,
        clock,
        outside.make_passwords(),
        callbacks=_account_callbacks(race_merge),
        has_role=has_role,
    )
    admin = AdminBackground.create(
        database, clock, settings, stats, on_away=[league_merge.leave_leagues]
    )
    shared_tables = SharedTableService(database, clock, pubsub)
    proposals = ProposalService(database, shared_tables)
    quotas = Quotas(
        database,
        Quota(settings.guest_games, settings.guest_actions, settings.guest_imports),
        Quota(settings.named_games, settings.named_actions, settings.named_imports),
    )
    shared_play = SharedPlay(database, shared_tables, proposals, quotas)
    games = _build_games(basis, admin, shared_play, quotas)

    # Half of the stock is for the daily deals, however many races are opened.
    deals = DealStock(database, jobs, clock, settings.proof_seconds, settings.pool_size // 2)
    difficulty = DifficultyService(database, jobs if deals.can_prove else None)
    ranked = RankedDeals(database, clock)
    past_games = PastGames(database)
    hints = HintService(games, jobs, ranked, past_games.has_won, HintPlans(database))
    automatic_moves = AutomaticMoves(games, ranked)
    rate_limits = RateLimits(settings, database, clock)
    races = _build_races(basis, games, deals, rate_limits)
    daily = _build_daily(basis, games, deals)
    sharing = SharingService(database, games)
    merging = GameMerging(database, jobs)
    ratings = RatingService(database, jobs)
    reminders, reminder_sender = build_reminders(
        database, settings, clock, outside.open_push_client
    )
    periodic = [
        *admin.tasks(),
        *daily.schedule.tasks(),
        merging.task(),
        *StockRefill(database, deals, clock, settings.pool_size, settings.pool_per_level).tasks(),
        *difficulty.tasks(),
        *races.tasks(),
        *reminder_sender.tasks(),
        *ratings.tasks(),
        *DayReviews(database, games.log, jobs, clock, is_on=bool(settings.proof_seconds)).tasks(),
        *DayForesight(database, games.log, jobs, clock, is_on=bool(settings.proof_seconds)).tasks(),
    ]
    return Services(
        settings=settings,
        clock=clock,
        database=database,
        rate_limits=rate_limits,
        stream_limits=StreamLimits(settings),
        pubsub=pubsub,
        jobs=jobs,
        scheduler=Scheduler(database, clock, periodic),
        sessions=identity.sessions,
        players=identity.players,
        accounts=identity.accounts,
        account_changes=identity.account_changes,
        passwords=identity.passwords,
        recovery=identity.recovery,
        openid=identity.openid,
        account_page=pages.account_page_sections(),
        relying_party=identity.party,
        passkeys=identity.passkeys,
        authenticators=identity.authenticators,
        confirmations=identity.confirmations,
        games=games,
        event_log=games.log,
        game_page=pages.game_page_extensions(
            automatic_moves.play_home, automatic_moves.finish_by_itself
        ),
        lobby=pages.lobby_sections(),
        today=pages.daily_sections(),
        profile=pages.profile_sections(),
        own_page=pages.own_page_sections(),
        deals=deals,
        past_games=past_games,
        dealer=StockDealer(deals, past_games),
        difficulty=difficulty,
        hints=hints,
        automatic_moves=automatic_moves,
        analysis=AnalysisService(
            database,
            games,
            jobs,
            clock,
            ranked,
            find_published_ms=daily_repository.find_settled_ms,
        ),
        live_chances=LiveChances(database, games, jobs, clock, ranked),
        shared_tables=shared_tables,
        proposals=proposals,
        gestures=GestureService(database, shared_tables),
        seat_requests=SeatRequestService(database, shared_tables),
        spectating=SpectatingService(database, games, pubsub, clock),
        challenges=ChallengeService(database, games, clock),
        races=races,
        race_replays=RaceReplays(database),
        daily=daily.service,
        daily_results=DailyResults(database, daily.service),
        daily_closing=daily.closing,
        daily_schedule=daily.schedule,
        leagues=LeagueService(database, daily.service, clock),
        ratings=ratings,
        reminders=reminders,
        reminder_sender=reminder_sender,
        sharing=sharing,
        explorer=ExplorerService(
            database,
            games,
            daily.service,
            sharing,
            merging=merging,
            chances=Chances(database, jobs),
        ),
        previews=PreviewCache(),
        profiles=ProfileReader(database, clock),
        replay_notes=ReplayNotes(analysis_pages.hindsight_of),
        staff=StaffService(
            database, identity.sessions, identity.accounts, identity.authenticators, clock
        ),
        step_up=StepUpService(database, identity.confirmations, identity.authenticators, clock),
        moderation=ModerationService(
            database, identity.sessions, clock, daily_recording.hide, daily_recording.restore
        ),
        game_logs=GameLogService(database, games.log),
        admin=admin,
        access_records=admin.access_records,
    )


def _build_games(
    basis: _Basis, admin: AdminBackground, shared_tables: SharedPlay, quotas: Quotas
) -> GameService:
    """The games, with all that other parts do when one changes; their moves are published."""
    database, pubsub = basis.database, basis.pubsub
    publisher = VersionPublisher(pubsub, database, GAME_TOPIC, games_repository.list_versions)
    games = GameService(
        database,
        admin.wrap_publish(publisher.publish),
        basis.clock,
        on_status_changed=[
            ResultRecorder(is_named),
            race_results.record_result,
            hash_chain.add_final_checkpoint,
            spectating_repository.update_listing,
        ],
        is_ranked_private=_is_private,
        check_race_event=race_results.refuse_late_action,
        shared_tables=shared_tables,
        quotas=quotas,
        list_unwatched=spectating_repository.list_unwatched,
        on_refused=admin.record_refusal,
    )
    pubsub.register_change_source(GAME_TOPIC, MoveBroadcast(games.log).render_change)
    return games


def _build_races(
    basis: _Basis, games: GameService, deals: DealStock, rate_limits: RateLimits
) -> RaceService:
    database = basis.database
    publisher = VersionPublisher(basis.pubsub, database, ROOM_TOPIC, races_repository.list_versions)
    draw = RoomDeals(deals, rate_limits.room_deal).draw
    return RaceService(database, games, draw, basis.clock, publisher.publish)


def _build_daily(basis: _Basis, games: GameService, deals: DealStock) -> _DailyParts:
    settings, clock, database = basis.settings, basis.clock, basis.database
    seeds = None if settings.unproven_deals else ProvenSeeds(deals)
    closing = DayClosing(database, clock, verify_in_worker(basis.jobs), MOST_ACTIONS)
    schedule = DailySchedule(DealPreparation(database, clock, seeds), closing, clock)
    service = DailyService(
        database,
        games,
        clock,
        find_claimed_ms,
        attempts_per_network=settings.daily_attempts_per_network,
        unproven=seeds is None,
        on_missing=schedule.wake_preparation,
    )
    return _DailyParts(service, schedule, closing)


def _account_callbacks(race_merge: RaceAccountMerge) -> AccountCallbacks:
    """What happens to a player's things when a name is claimed, accounts are merged, or one is deleted."""
    return AccountCallbacks(
        on_new_account=[daily_merge.list_attempts_of],
        on_merge=[
            daily_merge.merge_attempts,
            shared_table_merge.move_seats,
            race_merge.move_seats,
            challenges_repository.adopt,
            league_merge.move_members,
            reminders_repository.move,
            favorites.move,
        ],
        on_games_left=[challenges_repository.count_none_of],
        on_delete=[
            shared_table_merge.leave_tables,
            race_merge.leave_rooms,
            league_merge.leave_leagues,
            reminders_repository.delete_all,
            favorites.delete_all,
            ratings_repository.delete_ratings,
        ],
    )


def start(services: Services) -> None:
    """Start the scheduler and publish/subscribe."""
    if services.settings.proof_seconds:  # otherwise it waits for a request of a daily page
        services.daily_schedule.wake_if_due()
    services.scheduler.start()
    services.pubsub.start()


async def close(services: Services) -> None:
    """Stop all services, dependents first."""
    await services.scheduler.close()
    await services.deals.close()
    await services.difficulty.close()
    await services.analysis.close()
    await services.explorer.close()
    await services.jobs.close()
    await services.previews.close()
    await services.profiles.close()
    await services.pubsub.close()
    services.passwords.close()
    await services.database.close()


def _is_private(connection: Connection, game_id: str) -> bool:
    """Whether a game is private because others have yet to finish the same deal."""
    return daily_repository.is_private(connection, game_id) or races_repository.is_private(
        connection, game_id
    )
