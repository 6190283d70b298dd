"""The one Jinja environment, and the two ways to use it: a page, and a piece of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app import paths
from app.http.preferences import look_of
from app.http.static import static_files

PLAYER = "fairdeal.player"
"""Where a request keeps whoever it is known to come from."""


@cache
def environment() -> Environment:
    """Autoescaping, strict about names that are not there, and never looking at the disk twice."""
    made = Environment(
        loader=FileSystemLoader(paths.templates()),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    made.globals["static_url"] = static_files().url
    made.globals["has_static"] = static_files().__contains__
    return made


def read_all() -> None:
    """Read every template now: else whoever comes first after a start waits for it."""
    for name in environment().list_templates():
        environment().get_template(name)


def render(template: str, **context: object) -> str:
    """A template as text."""
    return environment().get_template(template).render(context)


@cache
def macro(template: str, name: str) -> Callable[..., Markup]:
    """A macro of a template, for what is drawn all the time: ``render`` sets up a context around it each time.

    It sees what it is given, and what the environment knows.
    """
    found: Callable[..., Markup] = getattr(environment().get_template(template).module, name)
    return found


def page(
    request: Request,
    template: str,
    view: object,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """A template as an answer.

    It sees ``view``, ``look``, and ``player``: whoever the request is known to come from, or None.
    """
    player = request.scope.get(PLAYER)
    text = render(template, view=view, player=player, look=look_of(request))
    # What was asked for may be shown again, and may hold half a surrogate pair, which has no UTF-8.
    return HTMLResponse(text.encode(errors="replace"), status, headers)
