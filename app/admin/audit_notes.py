"""The notes of the audit log, in the reader's language. What staff wrote themselves stays as they wrote it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.admin.audit_log import AuditAction, AuditEntry
from app.admin.words import ROLES, word
from app.i18n.stored_forms import Values, values_of
from app.text import gettext, in_english, ngettext, sentences

# What the site itself notes is stored in these words.
AUTHENTICATOR: Final = "authenticator app"
VIEWED: Final = "step {step} of {last}"
REVEALED_OVER: Final = "at step {step} of {last}, over"
REVEALED_OPEN: Final = "at step {step} of {last}, still open"
RENAMED: Final = "{old} is {new} now. {note}"
RENAMED_BACK: Final = "{old} is {new} again. {note}"
SESSIONS_ENDED: Final = "{sessions} ended. {note}"


def note_text(entry: AuditEntry) -> str:
    """The note of an entry."""
    for form, told in _TEXTS.get(entry.action, {}).items():
        values = values_of(entry.note, form)
        if values is not None:
            return in_english(entry.note, told(values))
    return entry.note


def _role(values: Values) -> str:
    return word(ROLES, values["role"])


def _authenticator(_: Values) -> str:
    return gettext("authenticator app")


def _viewed(values: Values) -> str:
    return gettext("step %(step)s of %(last)s", **values)


def _revealed_over(values: Values) -> str:
    return gettext("at step %(step)s of %(last)s, over", **values)


def _revealed_open(values: Values) -> str:
    return gettext("at step %(step)s of %(last)s, still open", **values)


def _renamed(values: Values) -> str:
    told = gettext("%(old)s is %(new)s now.", old=values["old"], new=values["new"])
    return sentences(told, values["note"])


def _renamed_back(values: Values) -> str:
    told = gettext("%(old)s is %(new)s again.", old=values["old"], new=values["new"])
    return sentences(told, values["note"])


def _sessions_ended(values: Values) -> str:
    count = values["sessions"]
    if not count.isdecimal():
        return SESSIONS_ENDED.format(**values)
    told = ngettext("%(n)s session ended.", "%(n)s sessions ended.", int(count))
    return sentences(told, values["note"])


_TEXTS: Final[Mapping[AuditAction, Mapping[str, Callable[[Values], str]]]] = {
    AuditAction.CREATE: {"{role}": _role},
    AuditAction.GRANT: {"{role}": _role},
    AuditAction.REVOKE: {"{role}": _role},
    AuditAction.SECOND_FACTOR: {AUTHENTICATOR: _authenticator},
    AuditAction.SECOND_FACTOR_REMOVED: {AUTHENTICATOR: _authenticator},
    AuditAction.VIEW: {VIEWED: _viewed},
    AuditAction.REVEAL: {REVEALED_OVER: _revealed_over, REVEALED_OPEN: _revealed_open},
    AuditAction.RENAME: {RENAMED: _renamed},
    AuditAction.RENAME_BACK: {RENAMED_BACK: _renamed_back},
    AuditAction.RENAME_LEAGUE: {RENAMED: _renamed},
    AuditAction.END_SESSIONS: {SESSIONS_ENDED: _sessions_ended},
}
