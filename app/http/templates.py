"""Rendering Jinja templates, and the responses of pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from http import HTTPStatus
from types import MappingProxyType
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from app.errors import AppError
from app.http.dependencies import note_refusal, origin_of
from app.http.errors import headers_of, status_of
from app.http.formats import count_of
from app.http.preferences import read_appearance
from app.http.static import static_files
from app.rulesets.families import FAMILIES
from app.settings import templates_folder

PLAYER = "fairdeal.player"
"""The scope key of a request's player."""

NO_STORE: Final[Mapping[str, str]] = MappingProxyType({"Cache-Control": "no-store"})
"""Headers of pages that are made for one viewer."""


def initials(name: str) -> str:
    """The first letters of the first two words of a name: ``QH`` of ``Quiet Heron``."""
    words = name.split()[:2]
    return "".join(word[0] for word in words).upper()


@cache
def environment() -> Environment:
    """Escapes by default, refuses undefined names, and reads each template once."""
    made = Environment(
        loader=FileSystemLoader(templates_folder()),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    made.globals["static_url"] = static_files().url
    made.globals["game_families"] = FAMILIES
    made.globals["has_static"] = static_files().__contains__
    made.filters["initials"] = initials
    made.filters["count_of"] = count_of
    return made


def load_all() -> None:
    """Load every template, so that the first request does not wait for it."""
    for name in environment().list_templates():
        environment().get_template(name)


def render(template: str, **context: object) -> str:
    return environment().get_template(template).render(context)


def render_markup(template: str, **context: object) -> Markup:
    """Render a template to markup that another template prints unescaped."""
    return Markup(render(template, **context))  # noqa: S704 - a rendered template


@cache
def macro(template: str, name: str) -> Callable[..., Markup]:
    """A macro of a template, for the hot path: calling it is cheaper than ``render``.

    It sees its arguments and the globals of the environment.
    """
    found: Callable[..., Markup] = getattr(environment().get_template(template).module, name)
    return found


def page(
    request: Request,
    template: str,
    view: object,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    *,
    error: AppError | None = None,
) -> HTMLResponse:
    """A page as a response, with the status of an ``error`` that it reports.

    The template sees ``view``, ``look``, ``player``, who may be ``None``, and ``origin`` for absolute URLs.
    """
    if error:
        note_refusal(request.scope, error.code)
        status, headers = status_of(type(error)), {**headers_of(error), **(headers or {})}
    player = request.scope.get(PLAYER)
    text = render(
        template,
        view=view,
        player=player,
        look=read_appearance(request),
        origin=origin_of(request),
    )
    # The page may repeat input with a lone surrogate, which has no UTF-8.
    return HTMLResponse(text.encode(errors="replace"), status, headers)


def see_other(path: str) -> RedirectResponse:
    """The response to a form: the browser goes on to ``path``."""
    return RedirectResponse(path, HTTPStatus.SEE_OTHER)
