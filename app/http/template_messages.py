"""The messages of templates in the reader's language: ``{% trans %}``, and the functions named after gettext's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from jinja2 import pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape

from app.i18n.speaking import ReadersLanguage, current_language
from app.text import put

_Message = tuple[str, str, str, int]


def _translated(escaping: EvalContext, found: _Message, values: Mapping[str, object]) -> str:
    """A template's own message in the reader's language. It may have markup; its parameters are escaped.

    Without parameters, placeholders such as ``%(name)s`` stay: a script fills them (see ``static/js/words.js``).
    """
    language = current_language()
    if not values:
        return _fixed(language, found, is_markup=escaping.autoescape)
    if values.keys() == {"n"} and type(values["n"]) is int:
        return _counted(language, found, values["n"], is_markup=escaping.autoescape)
    message = language.message(*found)
    if not escaping.autoescape:
        return message % {name: put(value, language) for name, value in values.items()}
    # As the operator of ``Markup`` does it, in half the time.
    said = {name: escape(put(value, language)) for name, value in values.items()}
    return Markup(message % said)  # noqa: S704 - a message of a template


@lru_cache(maxsize=1 << 14)  # the templates have some thousand, in each language
def _fixed(language: ReadersLanguage, found: _Message, *, is_markup: bool) -> str:
    """A message without parameters: every move prints some, so they are looked up once."""
    message = language.message(*found).replace("%%", "%")
    return Markup(message) if is_markup else message  # noqa: S704 - a message of a template


@lru_cache(maxsize=1 << 12)
def _counted(language: ReadersLanguage, found: _Message, number: int, *, is_markup: bool) -> str:
    """A message with a number: every move says how many there were, and most numbers are small."""
    message, said = language.message(*found), language.number(number)
    if not is_markup:
        return message % {"n": said}
    return Markup(message % {"n": escape(said)})  # noqa: S704 - a message of a template


@pass_eval_context
def gettext(escaping: EvalContext, message: str, /, **values: object) -> str:
    return _translated(escaping, ("", message, "", 0), values)


@pass_eval_context
def pgettext(escaping: EvalContext, context: str, message: str, /, **values: object) -> str:
    return _translated(escaping, (context, message, "", 0), values)


@pass_eval_context
def ngettext(
    escaping: EvalContext, singular: str, plural: str, number: int, /, **values: object
) -> str:
    found = ("", singular, plural, number)
    return _translated(escaping, found, {**values, "n": number})


@pass_eval_context
def npgettext(
    escaping: EvalContext,
    context: str,
    singular: str,
    plural: str,
    number: int,
    /,
    **values: object,
) -> str:
    found = (context, singular, plural, number)
    return _translated(escaping, found, {**values, "n": number})


def fixed(context: str, message: str) -> str:
    """A message of a page without parameters."""
    return _fixed(current_language(), (context, message, "", 0), is_markup=True)
