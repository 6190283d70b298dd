"""Everything that one server process holds, by type: built once in `app.composition`, which alone imports this."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, TypeVar, get_type_hints

from app.admin.auth.service import StaffService
from app.admin.auth.step_up import StepUpService
from app.admin.background import AdminBackground
from app.admin.game_log.service import GameLogService
from app.admin.integrity.access_records import AccessRecorder
from app.admin.moderation.service import ModerationService
from app.analysis.automatic_moves import AutomaticMoves
from app.analysis.hints import HintService
from app.analysis.live_chances import LiveChances
from app.analysis.service import AnalysisService
from app.challenges.service import ChallengeService
from app.clock import Clock
from app.daily.closing import DayClosing
from app.daily.results import DailyResults
from app.daily.schedule import DailySchedule
from app.daily.sections import DailySections
from app.daily.service import DailyService
from app.db.engine import Database
from app.deals.difficulty import DifficultyService
from app.deals.service import DealStock
from app.explorer.service import ExplorerService
from app.games.callbacks import Dealer
from app.games.event_log import EventLog
from app.games.extensions import GamePageExtensions
from app.games.past_games import PastGames
from app.games.service import GameService
from app.http.rate_limits import RateLimits
from app.http.sse import StreamLimits
from app.identity.account_changes import AccountChanges
from app.identity.account_page import AccountPageSections
from app.identity.accounts import Accounts
from app.identity.openid.service import OpenIdService
from app.identity.passkeys.model import RelyingParty
from app.identity.passkeys.service import PasskeyService
from app.identity.passwords import Passwords
from app.identity.players import Players
from app.identity.recovery.service import RecoveryService
from app.identity.second_factor.confirmation import Confirmations
from app.identity.second_factor.service import Authenticators
from app.identity.sessions import Sessions
from app.jobs.scheduler import Scheduler
from app.jobs.service import Jobs
from app.leagues.service import LeagueService
from app.lobby.sections import LobbySections
from app.profiles.own_page import OwnPageSections
from app.profiles.pages import ProfileSections
from app.profiles.reader import ProfileReader
from app.pubsub.service import PubSub
from app.races.service import RaceService
from app.races.side_by_side import RaceReplays
from app.ratings.service import RatingService
from app.reminders.sender import ReminderSender
from app.reminders.service import ReminderService
from app.settings import Settings
from app.shared_tables.gestures import GestureService
from app.shared_tables.proposals import ProposalService
from app.shared_tables.seat_requests import SeatRequestService
from app.shared_tables.service import SharedTableService
from app.sharing.pages import ReplayNotes
from app.sharing.preview import PreviewCache
from app.sharing.service import SharingService
from app.spectating.service import SpectatingService

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Each field has a type of its own, by which routes ask for it."""

    settings: Settings
    clock: Clock
    database: Database
    rate_limits: RateLimits
    stream_limits: StreamLimits
    pubsub: PubSub
    jobs: Jobs
    scheduler: Scheduler

    sessions: Sessions
    players: Players
    accounts: Accounts
    account_changes: AccountChanges
    passwords: Passwords
    recovery: RecoveryService
    openid: OpenIdService
    account_page: AccountPageSections
    relying_party: RelyingParty
    passkeys: PasskeyService
    authenticators: Authenticators
    confirmations: Confirmations

    games: GameService
    event_log: EventLog
    game_page: GamePageExtensions
    lobby: LobbySections
    today: DailySections
    profile: ProfileSections
    own_page: OwnPageSections
    deals: DealStock
    past_games: PastGames
    dealer: Dealer
    difficulty: DifficultyService
    hints: HintService
    automatic_moves: AutomaticMoves
    analysis: AnalysisService
    live_chances: LiveChances
    shared_tables: SharedTableService
    proposals: ProposalService
    gestures: GestureService
    seat_requests: SeatRequestService
    spectating: SpectatingService
    challenges: ChallengeService
    races: RaceService
    race_replays: RaceReplays
    daily: DailyService
    daily_results: DailyResults
    daily_closing: DayClosing
    daily_schedule: DailySchedule
    leagues: LeagueService
    ratings: RatingService
    reminders: ReminderService
    reminder_sender: ReminderSender
    sharing: SharingService
    explorer: ExplorerService
    previews: PreviewCache
    profiles: ProfileReader
    replay_notes: ReplayNotes

    staff: StaffService
    step_up: StepUpService
    moderation: ModerationService
    game_logs: GameLogService
    admin: AdminBackground
    access_records: AccessRecorder

    _by_type: dict[type[Any], Any] = field(init=False, default_factory=dict)

    def of(self, kind: type[T], /) -> T:
        """The service that is declared with this type; raises ``LookupError``."""
        found: T = self._by_type[kind]
        return found

    def __post_init__(self) -> None:
        hints = get_type_hints(Services)
        declared = [one.name for one in dataclasses.fields(self) if one.init]
        self._by_type.update({hints[name]: getattr(self, name) for name in declared})
        if len(self._by_type) != len(declared):
            raise TypeError("Two services share a type, so a route could not tell them apart.")
