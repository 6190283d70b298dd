"""View models of moderation: the page of a player, the form of an action, and the audit log."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote

from app.admin.audit_log import FORESIGHT_LIST, MAX_NOTE_LENGTH, AuditAction, AuditEntry
from app.admin.audit_notes import note_text
from app.admin.auth.service import StaffMember
from app.admin.conflict_of_interest import WITHHELD_NOTE
from app.admin.integrity.signals import describe_flags
from app.admin.moderation.actions import EFFECTS, LABELS, REASONS
from app.admin.moderation.repository import DailyResult, PlayerAccount, PlayerDetails
from app.admin.moderation.service import ProposedAction
from app.admin.words import ACTS, ROLES, STATUSES, VERDICTS, word
from app.games.attempt_reasons import attempt_reason
from app.games.model import Status
from app.i18n.formats import count_of, date_time
from app.identity.device_labels import shown_label
from app.identity.moderators_reasons import REASON_TEXTS, Reason, moderators_reason
from app.rulesets import ruleset_title
from app.text import gettext, listing, pgettext, sentences


class Option(NamedTuple):
    """A choice in a form."""

    value: str
    title: str


class ActionLink(NamedTuple):
    title: str
    href: str


class AuditRow(NamedTuple):
    """An entry of the audit log."""

    when: str
    actor: str
    action: str
    subject: str
    name: str
    href: str
    note: str


class ResultRow(NamedTuple):
    """A daily result, and the link to hide or restore it."""

    day: str
    title: str
    game_id: str
    board: str
    text: str
    link: ActionLink | None


class SessionRow(NamedTuple):
    device: str
    created: str
    last_seen: str


class FlaggedGameRow(NamedTuple):
    game_id: str
    started: str
    title: str
    signals: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """The page of a player; ``locked_reason`` says why no action is possible."""

    id: str
    name: str
    facts: list[tuple[str, str]]
    sessions: list[SessionRow]
    results: list[ResultRow]
    flagged: list[FlaggedGameRow]
    entries: list[AuditRow]
    links: list[ActionLink]
    locked_reason: str


@dataclass(frozen=True, slots=True)
class AuditView:
    """A page of the audit log; ``older`` links to the next one."""

    entries: list[AuditRow]
    older: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFormView:
    title: str
    player_id: str
    name: str
    game_id: str
    effect: str
    path: str
    reasons: list[Option]
    reason: str
    note: str
    max_note_length: int
    is_public: bool
    error: str


def build_player_view(details: PlayerDetails, staff: StaffMember) -> PlayerView:
    """The page of a player, with links to what the staff member may do."""
    player = details.player
    locked_reason = _locked_reason(player, staff)
    return PlayerView(
        id=player.id,
        name=player.name,
        facts=_facts(details),
        sessions=[
            SessionRow(
                shown_label(session.label) if session.label else pgettext("device", "unknown"),
                date_time(session.created_ms),
                date_time(session.seen_ms),
            )
            for session in details.sessions
        ],
        results=[
            _result_row(
                result,
                can_act=not locked_reason,
                is_withheld=result.game_id in details.withheld,
            )
            for result in details.results
        ],
        flagged=[
            FlaggedGameRow(
                game.game_id,
                date_time(game.started_ms),
                ruleset_title(game.ruleset),
                describe_flags(game.flags),
            )
            for game in details.flagged
        ],
        entries=[_audit_row(entry, ()) for entry in details.entries],
        links=_player_links(details, staff),
        locked_reason=locked_reason,
    )


def build_audit_view(
    entries: Sequence[AuditEntry], page_size: int, withheld: Collection[str]
) -> AuditView:
    """A page of the audit log; one entry more than fits means that there is another page."""
    older = f"?before={entries[page_size - 1].seq}" if len(entries) > page_size else ""
    return AuditView([_audit_row(entry, withheld) for entry in entries[:page_size]], older)


def build_action_form(
    proposed: ProposedAction, reason: str = "", note: str = "", error: str = ""
) -> ActionFormView:
    """The form of an action, as filled in so far."""
    action, subject = proposed.action, proposed.subject
    return ActionFormView(
        title=LABELS[action],
        player_id=proposed.player.id,
        name=proposed.player.name,
        game_id=subject if action.targets_game else "",
        effect=EFFECTS[action],
        path=f"/admin/acts/{action}/{quote(subject)}",
        reasons=[Option(reason, REASON_TEXTS[reason]) for reason in REASONS[action]],
        reason=reason,
        note=note,
        max_note_length=MAX_NOTE_LENGTH,
        is_public=action is not AuditAction.END_SESSIONS,
        error=error,
    )


def build_result_link(result: DailyResult, *, is_withheld: bool = False) -> ActionLink | None:
    """The link to hide or restore a result. Of a game that is withheld it does not say whether it has ended."""
    if result.is_hidden:
        return _action_link(AuditAction.RESTORE, result.game_id)
    can_be_hidden = is_withheld or result.can_be_hidden
    return _action_link(AuditAction.HIDE, result.game_id) if can_be_hidden else None


def _action_link(action: AuditAction, subject: str) -> ActionLink:
    return ActionLink(LABELS[action], f"/admin/acts/{action}/{subject}")


def _audit_row(entry: AuditEntry, withheld: Collection[str]) -> AuditRow:
    """An entry. What is noted with a look at a game says how far it went, so it is left out if that is withheld."""
    is_view = entry.action in {AuditAction.VIEW, AuditAction.REVEAL}
    reason = REASON_TEXTS[Reason(entry.reason)] if entry.reason else ""
    return AuditRow(
        when=date_time(entry.at_ms),
        actor=entry.actor,
        action=word(ACTS, entry.action),
        subject=entry.subject,
        name=entry.subject_name,
        href=_subject_href(entry),
        note=WITHHELD_NOTE
        if is_view and entry.subject in withheld
        else sentences(reason, note_text(entry)),
    )


def _subject_href(entry: AuditEntry) -> str:
    if entry.action.targets_game:
        return f"/admin/games/{entry.subject}"
    if entry.action is AuditAction.FORESIGHT:
        path = "" if entry.subject == FORESIGHT_LIST else f"/{entry.subject}"
        return f"/admin/foresight{path}"
    has_page = entry.action not in {AuditAction.EXPORT, AuditAction.RENAME_LEAGUE}
    return f"/admin/players/{entry.subject}" if has_page else ""


def _locked_reason(player: PlayerAccount, staff: StaffMember) -> str:
    if player.id == staff.player.id:
        return gettext(
            "This is you. Another staff member must decide about your own games and account."
        )
    if player.role:
        return gettext(
            "This player is a staff member. Revoke their role on the command line first."
        )
    return ""


def _facts(details: PlayerDetails) -> list[tuple[str, str]]:
    player = details.player
    counts = [
        pgettext(
            "games", "%(n)s %(status)s", n=details.games[status], status=word(STATUSES, status)
        )
        for status in Status
        if details.games.get(status)
    ]
    claimed = player.claimed_ms
    facts = [
        (gettext("Joined"), date_time(player.created_ms)),
        (
            gettext("Name"),
            gettext("claimed %(time)s", time=date_time(claimed))
            if claimed
            else pgettext("kind of name", "guest"),
        ),
        *(
            (
                gettext("Removed name"),
                sentences(
                    gettext("%(name)s, %(time)s.", name=old.name, time=date_time(old.withdrawn_ms)),
                    moderators_reason(old.reason),
                ),
            )
            for old in player.withdrawn
        ),
        (gettext("Role"), word(ROLES, player.role or "")),
        (gettext("Suspended"), _suspended(player)),
        (gettext("Games"), listing(counts, "comma") if counts else pgettext("games", "none")),
    ]
    return [(name, fact) for name, fact in facts if fact]


def _suspended(player: PlayerAccount) -> str:
    if player.suspended_ms is None:
        return ""
    since = gettext("since %(time)s.", time=date_time(player.suspended_ms))
    return sentences(since, moderators_reason(player.suspension))


_DOUBTS = {
    "guest": pgettext("unconfirmed", "began as a guest"),
    "new_name": pgettext("unconfirmed", "name claimed after the day began"),
    "network": pgettext("unconfirmed", "many attempts from one network"),
}


def _result_row(result: DailyResult, *, can_act: bool, is_withheld: bool) -> ResultRow:
    return ResultRow(
        day=result.day,
        title=ruleset_title(result.ruleset),
        game_id=result.game_id,
        board=f"/daily/{result.day}/{result.ruleset}",
        text=WITHHELD_NOTE if is_withheld else _result_text(result),
        link=build_result_link(result, is_withheld=is_withheld) if can_act else None,
    )


def _result_text(result: DailyResult) -> str:
    text = word(VERDICTS, result.verdict)
    if result.actions is not None:
        text = gettext(
            "%(verdict)s: %(moves)s, %(seconds)s s, %(cards)s home",
            verdict=text,
            moves=count_of(result.actions, "move"),
            seconds=str(result.seconds),
            cards=count_of(result.cards_home or 0, "card"),
        )
    if result.unconfirmed:
        doubt = word(_DOUBTS, result.unconfirmed)
        text = gettext("%(result)s, unconfirmed (%(why)s)", result=text, why=doubt)
    return sentences(gettext("%(result)s.", result=text), attempt_reason(result.reason))


def _player_links(details: PlayerDetails, staff: StaffMember) -> list[ActionLink]:
    player = details.player
    if player.id == staff.player.id or not staff.is_administrator:
        return []
    is_possible = {
        AuditAction.LIFT: player.suspension is not None and not player.role,
        AuditAction.SUSPEND: player.suspension is None and not player.role,
        AuditAction.RENAME: player.is_named and not player.role,
        AuditAction.RENAME_BACK: player.is_named and bool(player.withdrawn) and not player.role,
        AuditAction.END_SESSIONS: bool(details.sessions),
    }
    return [_action_link(action, player.id) for action, possible in is_possible.items() if possible]
