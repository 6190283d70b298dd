"""Rendering Jinja templates, and the responses of pages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Final
from urllib.parse import quote

from jinja2 import (
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
)
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.nodes import Call, Const, Expr, Name
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.errors import AppError
from app.folders import templates_folder
from app.http import template_messages
from app.http.cloths import cloth_classes, cloth_colors
from app.http.dependencies import is_htmx, note_refusal, origin_of
from app.http.errors import headers_of, status_of
from app.http.language import addresses
from app.http.preferences import read_appearance
from app.http.static import static_files
from app.http.template_filters import initials, linked, names_in_words, titles_in_words, variant
from app.i18n.formats import count_of
from app.i18n.languages import offered
from app.i18n.speaking import current_language, say, say_as_markup
from app.rulesets.families import FAMILIES
from app.text import capital, number_text, sentences

PLAYER = "fairdeal.player"
"""The scope key of a request's player."""

NO_STORE: Final[Mapping[str, str]] = MappingProxyType({"Cache-Control": "no-store"})
"""Headers of pages that are made for one viewer."""


_EXTENSIONS: Final = ("html", "js")  # of templates


class CompiledTemplates(FileSystemBytecodeCache):
    """Keeps compiled templates in a folder, as Python keeps modules: compiling them was a third of every start.

    Where nothing can be written, nothing is kept. How templates are compiled depends on this module, so a change of it
    compiles them again.
    """

    def __init__(self, folder: Path) -> None:
        version = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
        super().__init__(str(folder), f"%s.{version}.cache")
        with suppress(OSError):
            folder.mkdir(exist_ok=True)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template, if it is there."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, if that is possible."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


class Unindented(Extension):
    """Leaves one space of each indentation of the sources: the rest was a fifteenth of each page, read by nobody."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - as it is called
        """The source of a template. The space is kept, since it may part two words where the line ends with a block."""
        return re.sub(r"\n[ \t]+", "\n ", source)


class ShortCode(CodeGenerator):
    """Prints a value, or a message without parameters, by one call.

    To translate, escape and mark a value took four calls, and a message eight: a fifth of all calls of a move.
    """

    def visit_Call(self, node: Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: FBT001, FBT002, N802 - as it is called
        """A call; that of a message without parameters needs no look-up."""
        message = _message_of(node, frame)
        if message:
            self.write(f"environment.message{message}")
        else:
            super().visit_Call(node, frame, forward_caller=forward_caller)

    def _output_child_pre(
        self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if not _is_markup(frame):
            super()._output_child_pre(node, frame, finalize)
        elif not _message_of(node, frame):
            self.write("environment.print(")

    def _output_child_post(
        self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if not _is_markup(frame):
            super()._output_child_post(node, frame, finalize)
        elif not _message_of(node, frame):
            self.write(")")


def _is_markup(frame: Frame) -> bool:
    """Whether what is printed there is escaped, as far as that is known before the template runs."""
    return bool(frame.eval_ctx.autoescape and not frame.eval_ctx.volatile)


def _message_of(node: Expr, frame: Frame) -> tuple[str, str] | None:
    """The context and the words of a message of a page without parameters; ``None`` for any other expression."""
    if not (isinstance(node, Call) and isinstance(node.node, Name) and _is_markup(frame)):
        return None
    words = [one.value for one in node.args if isinstance(one, Const)]
    if len(words) != len(node.args) or node.kwargs or node.dyn_args or node.dyn_kwargs:
        return None
    match node.node.name, words:
        case "_" | "gettext", [str(message)]:
            return "", message
        case "pgettext", [str(context), str(message)]:
            return context, message
        case _:
            return None


class PageEnvironment(Environment):
    """An environment with what the code of its templates calls."""

    code_generator_class = ShortCode
    print = staticmethod(say_as_markup)
    message = staticmethod(template_messages.fixed)


@cache
def environment() -> Environment:
    """Escapes by default, refuses undefined names, and reads each template once.

    What a template prints is put into the reader's language if it is a ``Text``, and so are the template's own
    messages: ``{% trans %}``, and the functions named after gettext's.
    """
    made = PageEnvironment(
        loader=FileSystemLoader(templates_folder()),
        autoescape=True,
        extensions=["jinja2.ext.i18n", Unindented],
        finalize=say,
        undefined=StrictUndefined,
        auto_reload=False,
        bytecode_cache=CompiledTemplates(templates_folder() / "__pycache__"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    made.policies["ext.i18n.trimmed"] = True
    made.newstyle_gettext = True  # type: ignore[attr-defined]  # of the extension
    made.globals.update(
        gettext=template_messages.gettext,
        pgettext=template_messages.pgettext,
        ngettext=template_messages.ngettext,
        npgettext=template_messages.npgettext,
        _=template_messages.gettext,
    )
    made.globals["language"] = current_language
    made.globals["offered_languages"] = offered
    made.filters["number"] = number_text
    made.filters["linked"] = linked
    made.filters["sentences"] = lambda texts: sentences(*texts)
    made.globals["capital"] = capital
    made.globals["static_url"] = static_files().url
    made.globals["game_families"] = FAMILIES
    made.globals["cloth_classes"] = cloth_classes
    made.globals["cloth_colors"] = cloth_colors
    made.globals["has_static"] = static_files().__contains__
    made.filters["initials"] = initials
    made.filters["names"] = names_in_words
    made.filters["titles"] = titles_in_words
    made.filters["variant"] = variant
    made.filters["count_of"] = count_of
    return made


def load_all() -> None:
    """Load every template, so that the first request does not wait for it."""
    for name in environment().list_templates(extensions=_EXTENSIONS):
        environment().get_template(name)


def render(template: str, **context: object) -> str:
    """Render a template without a request, such as a part of a page."""
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

    The template sees ``view``, ``look``, ``player``, who may be ``None``, ``origin`` for absolute URLs, the
    ``address``, and the addresses in other languages as ``translated``.
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
        # A page about an error may have been asked for under any host and path.
        address=quote(request.scope["path"]) if status == HTTPStatus.OK else "/",
        translated=addresses(request.scope["path"]) if status == HTTPStatus.OK else (),
    )
    # The page may repeat input with a lone surrogate, which has no UTF-8.
    return HTMLResponse(text.encode(errors="replace"), status, headers)


def see_other(path: str) -> RedirectResponse:
    """The response to a form: the browser goes on to ``path``."""
    return RedirectResponse(path, HTTPStatus.SEE_OTHER)


def leave_page(request: Request, path: str) -> Response:
    """As ``see_other``, also for a form that htmx sent: it would put the next page into this one."""
    if not is_htmx(request):
        return see_other(path)
    address = see_other(path).headers["location"]  # with everything quoted that no header may have
    return Response(status_code=HTTPStatus.NO_CONTENT, headers={"HX-Redirect": address})
