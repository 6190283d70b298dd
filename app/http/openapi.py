"""The JSON API described: as OpenAPI for programs, and as a page of ours for people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from fastapi import APIRouter, FastAPI
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.errors import AppError
from app.http.error_handlers import PROBLEM_TYPE
from app.http.errors import status_of
from app.http.templates import page

OPENAPI_URL = "/api/v1/openapi.json"

Json = dict[str, Any]

_PROBLEM = {
    "title": "Problem",
    "description": "An error (RFC 9457). Programs go by `code`.",
    "type": "object",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "description": "Where the error is explained."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "A sentence for whoever asked."},
        "code": {"type": "string"},
        "state": {"type": "object", "description": "With `stale_version`: the table as it is."},
    },
}
_ANY_PROBLEM = {
    "description": "A problem document",
    "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_NOT_OURS = ("HTTPValidationError", "ValidationError")

router = APIRouter(include_in_schema=False)


class Documented(FastAPI):
    """FastAPI whose description tells of our problem documents, and not of FastAPI's own errors."""

    def openapi(self) -> Json:
        if self.openapi_schema is None:
            described = super().openapi()
            schemas = described.setdefault("components", {}).setdefault("schemas", {})
            for name in _NOT_OURS:
                schemas.pop(name, None)
            schemas["Problem"] = _PROBLEM
            for _, _, operation in _operations(described):
                operation["responses"].pop("422", None)
                operation["responses"]["default"] = _ANY_PROBLEM
        return super().openapi()


class Field(NamedTuple):
    """One value that goes in or comes out: ``place`` says where, or that it may be left out."""

    name: str
    place: str
    kind: str
    meaning: Markup


class Operation(NamedTuple):
    """One thing that a program may ask."""

    method: str
    path: str
    summary: str
    description: Markup
    fields: list[Field]
    answers: list[tuple[str, str]]
    """Each status of success, and the shape of what comes with it."""


class Shape(NamedTuple):
    """A JSON object that comes back."""

    name: str
    description: Markup
    fields: list[Field]


class ErrorKind(NamedTuple):
    """A code that a problem document may carry."""

    code: str
    statuses: str
    meaning: str


@router.get("/api/docs")
async def docs(request: Request) -> HTMLResponse:
    """The API for people: the same description that programs read, laid out."""
    described = request.app.openapi()
    view = {
        "title": described["info"]["title"],
        "description": described["info"].get("description", ""),
        "openapi_url": OPENAPI_URL,
        "origin": f"{request.url.scheme}://{request.url.netloc}",
        "operations": [_operation(described, *found) for found in _operations(described)],
        "shapes": _shapes(described),
        "errors": _error_kinds(),
    }
    return page(request, "api/docs.html", view)


def _operations(described: Json) -> Iterator[tuple[str, str, Json]]:
    for path, item in described.get("paths", {}).items():
        for method, operation in item.items():
            yield method.upper(), path, operation


def _operation(described: Json, method: str, path: str, operation: Json) -> Operation:
    body = _json_schema(operation.get("requestBody", {}))
    parameters = [
        Field(
            parameter["name"],
            parameter["in"],
            _kind(described, parameter.get("schema", {})),
            _prose(parameter.get("description", "")),
        )
        for parameter in operation.get("parameters", ())
    ]
    return Operation(
        method=method,
        path=path,
        summary=operation.get("summary", ""),
        description=_prose(operation.get("description", "")),
        fields=parameters + _fields(described, _resolved(described, body), "body, "),
        answers=[
            (status, _kind(described, _json_schema(response)))
            for status, response in operation["responses"].items()
            if status != "default"
        ],
    )


def _shapes(described: Json) -> list[Shape]:
    """What answers are made of; what goes in is shown with each operation."""
    schemas: Json = described["components"]["schemas"]
    going_in = {
        _json_schema(operation.get("requestBody", {})).get("$ref", "").rpartition("/")[2]
        for _, _, operation in _operations(described)
    }
    return [
        Shape(
            name,
            _prose(schema.get("description", "")),
            _fields(described, schema, ""),
        )
        for name, schema in schemas.items()
        if name not in going_in
    ]


def _fields(described: Json, schema: Json, place: str) -> list[Field]:
    required = schema.get("required", ())
    return [
        Field(
            name,
            f"{place}{'always' if name in required else 'may be left out'}",
            _kind(described, field),
            _prose(field.get("description", "")),
        )
        for name, field in schema.get("properties", {}).items()
    ]


def _json_schema(holder: Json) -> Json:
    found: Json = holder.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def _prose(text: str) -> Markup:
    """A description with what stands between backticks set as code."""
    parts = re.split(r"`{1,2}([^`]+)`{1,2}", " ".join(text.split()))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else part
        for number, part in enumerate(parts)
    )


def _resolved(described: Json, schema: Json) -> Json:
    reference: str | None = schema.get("$ref")
    if reference is None:
        return schema
    found: Json = described["components"]["schemas"][reference.rpartition("/")[2]]
    return found


def _kind(described: Json, schema: Json) -> str:
    """A type in a few words: ``text``, ``whole number``, ``list of Ruleset``, ``text or null``."""
    if "anyOf" in schema:
        return " or ".join(_kind(described, option) for option in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(str(value) for value in schema["enum"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    match schema.get("type", "anything"):
        case "array":
            return f"list of {_kind(described, schema.get('items', {}))}"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"{_kind(described, schema['additionalProperties'])} by name"
        case kind:
            return {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(
                kind, str(kind)
            )


def _error_kinds() -> list[ErrorKind]:
    statuses: dict[str, set[int]] = {}
    meanings: dict[str, str] = {}
    for error in _descendants(AppError):
        statuses.setdefault(error.code, set()).add(status_of(error))
        meanings.setdefault(error.code, (error.__doc__ or "").partition("\n")[0])
    return [
        ErrorKind(code, "/".join(map(str, sorted(statuses[code]))), meanings[code])
        for code in sorted(statuses, key=lambda code: (min(statuses[code]), code))
    ]


def _descendants(error: type[AppError]) -> Iterator[type[AppError]]:
    for child in error.__subclasses__():
        yield child
        yield from _descendants(child)
