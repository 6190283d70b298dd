"""Why the coach says nothing."""

from __future__ import annotations

from app.errors import ForbiddenError


class NoHelpError(ForbiddenError):
    """Help is asked for in ranked play, where there is none."""

    code = "no_help"
    title = "Nobody helps in ranked play"
