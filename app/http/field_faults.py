"""Sentences about faulty fields of forms and JSON bodies: Pydantic has them in English only.

The kinds that the models of this site can have are listed; ``tests/http/test_field_faults.py`` finds it out when a
model can have another one.
"""

from __future__ import annotations

from pydantic_core import ErrorDetails

from app.text import after_colon, gettext, sentence_of


def field_fault(name: str, error: ErrorDetails) -> str:
    """A sentence about a field; a validator's own, if it was a validator that refused it."""
    field = repr(name)
    match error["type"]:
        case "int_type" | "int_parsing" | "int_parsing_size" | "int_from_float" | "finite_number":
            return gettext("%(field)s must be a whole number.", field=field)
        case "string_type":
            return gettext("%(field)s must be text.", field=field)
        case "bool_type" | "bool_parsing":
            return gettext("%(field)s must be true or false.", field=field)
        case "list_type":
            return gettext("%(field)s must be a list.", field=field)
        case "dict_type" | "model_type" | "model_attributes_type":
            return gettext("%(field)s must be an object.", field=field)
        case "literal_error" | "enum":
            choices = str(error["ctx"]["expected"]).replace(" or ", ", ")
            return gettext(
                "%(field)s must be one of these: %(choices)s.", field=field, choices=choices
            )
        case "extra_forbidden":
            return gettext("%(field)s is not a field of this request.", field=field)
        case "value_error" | "assertion_error":
            fault = after_colon(sentence_of(error["ctx"]["error"]))
            return gettext("%(field)s: %(fault)s", field=field, fault=fault)
        case _:
            return _limit_fault(field, error) or gettext(
                "%(field)s doesn't have the right form.", field=field
            )


def _limit_fault(field: str, error: ErrorDetails) -> str | None:
    """A sentence about a value beyond a limit; ``None`` for other kinds of errors."""
    limits = error.get("ctx", {})
    match error["type"]:
        case "string_too_long" | "too_long":
            most = limits["max_length"]
            return gettext("%(field)s is too long: the limit is %(most)s.", field=field, most=most)
        case "string_too_short" | "too_short":
            least = limits["min_length"]
            return gettext(
                "%(field)s is too short: it needs at least %(least)s.", field=field, least=least
            )
        case "greater_than_equal":
            least = limits["ge"]
            return gettext("%(field)s can't be less than %(least)s.", field=field, least=least)
        case "less_than_equal":
            most = limits["le"]
            return gettext("%(field)s can't be more than %(most)s.", field=field, most=most)
        case _:
            return None
