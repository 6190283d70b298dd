"""What is wrong with a field of a form or of a JSON body, in a sentence: Pydantic says it in English only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic_core import ErrorDetails

from app.text import gettext


def field_fault(field: str, error: ErrorDetails) -> str:
    """A sentence about a field; Pydantic's own words for kinds of errors that are not in the table."""
    say = _SENTENCES.get(error["type"])
    if say is not None:
        return say(repr(field), error.get("ctx", {}))
    message = str(error["msg"]).removeprefix("Value error, ").rstrip(".")
    return f"{field!r}: {message[:1].lower()}{message[1:]}."


def _whole_number(field: str, _limits: Mapping[str, Any]) -> str:
    return gettext("%(field)s must be a whole number.", field=field)


def _text(field: str, _limits: Mapping[str, Any]) -> str:
    return gettext("%(field)s must be a text.", field=field)


def _truth(field: str, _limits: Mapping[str, Any]) -> str:
    return gettext("%(field)s must be true or false.", field=field)


def _list(field: str, _limits: Mapping[str, Any]) -> str:
    return gettext("%(field)s must be a list.", field=field)


def _object(field: str, _limits: Mapping[str, Any]) -> str:
    return gettext("%(field)s must be an object.", field=field)


def _too_long(field: str, limits: Mapping[str, Any]) -> str:
    return gettext(
        "%(field)s is too long: the limit is %(most)s.", field=field, most=limits["max_length"]
    )


def _too_short(field: str, limits: Mapping[str, Any]) -> str:
    return gettext(
        "%(field)s is too short: it needs at least %(least)s.",
        field=field,
        least=limits["min_length"],
    )


def _too_small(field: str, limits: Mapping[str, Any]) -> str:
    return gettext("%(field)s can't be less than %(least)s.", field=field, least=limits["ge"])


def _too_large(field: str, limits: Mapping[str, Any]) -> str:
    return gettext("%(field)s can't be more than %(most)s.", field=field, most=limits["le"])


def _wrong_form(field: str, _limits: Mapping[str, Any]) -> str:
    return gettext("%(field)s doesn't have the right form.", field=field)


def _choice(field: str, limits: Mapping[str, Any]) -> str:
    choices = str(limits["expected"]).replace(" or ", ", ")
    return gettext("%(field)s must be one of these: %(choices)s.", field=field, choices=choices)


def _unknown(field: str, _limits: Mapping[str, Any]) -> str:
    return gettext("%(field)s is not a field of this request.", field=field)


_SENTENCES: Final[Mapping[str, Callable[[str, Mapping[str, Any]], str]]] = {
    "int_type": _whole_number,
    "int_parsing": _whole_number,
    "int_parsing_size": _whole_number,
    "int_from_float": _whole_number,
    "string_type": _text,
    "string_too_long": _too_long,
    "string_too_short": _too_short,
    "string_pattern_mismatch": _wrong_form,
    "bool_type": _truth,
    "bool_parsing": _truth,
    "list_type": _list,
    "too_long": _too_long,
    "too_short": _too_short,
    "dict_type": _object,
    "model_type": _object,
    "model_attributes_type": _object,
    "greater_than_equal": _too_small,
    "less_than_equal": _too_large,
    "literal_error": _choice,
    "enum": _choice,
    "extra_forbidden": _unknown,
}
