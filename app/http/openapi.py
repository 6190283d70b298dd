"""The documentation of the JSON API: as OpenAPI, and as a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from fastapi import FastAPI
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.types import ASGIApp

from app.errors import AppError
from app.http.dependencies import ServiceSet, origin_of
from app.http.error_handlers import PROBLEM_TYPE
from app.http.errors import status_of
from app.http.middleware.access_log import AccessLogMiddleware
from app.http.templates import page

OPENAPI_URL = "/api/v1/openapi.json"

Json = dict[str, Any]

_PROBLEM = {
    "title": "Problem",
    "description": "An error (RFC 9457). Check the `code`.",
    "type": "object",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "description": "Where the error is explained."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "A sentence for the user."},
        "code": {"type": "string"},
        "state": {"type": "object", "description": "With `stale_version`: the game now."},
    },
}
_ANY_PROBLEM = {
    "description": "A problem document",
    "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_UNUSED = ("HTTPValidationError", "ValidationError")


class DocumentedApi(FastAPI):
    """FastAPI with problem documents in its OpenAPI description instead of its own errors."""

    services: ServiceSet
    """The services for routes, set when the site has started."""

    def build_middleware_stack(self) -> ASGIApp:
        """The site's own middleware, outermost: the framework's three layers around it would only repeat it.

        They answer faults, report them to a telemetry that is off, and limit bodies.
        """
        stack: Any = super().build_middleware_stack()
        while not isinstance(stack, AccessLogMiddleware):
            stack = stack.app
        outermost: ASGIApp = stack
        return outermost

    def openapi(self) -> Json:
        if self.openapi_schema is None:
            spec = super().openapi()
            schemas = spec.setdefault("components", {}).setdefault("schemas", {})
            for name in _UNUSED:
                schemas.pop(name, None)
            schemas["Problem"] = _PROBLEM
            for _, _, operation in _operations(spec):
                operation["responses"].pop("422", None)
                operation["responses"]["default"] = _ANY_PROBLEM
        return super().openapi()


class Field(NamedTuple):
    """A field of a request or response; ``place`` says where it is and whether it is required."""

    name: str
    place: str
    kind: str
    meaning: Markup


class Operation(NamedTuple):
    """An operation of the API."""

    method: str
    path: str
    summary: str
    description: Markup
    fields: list[Field]
    responses: list[tuple[str, str]]
    """Each success status, and the schema of its response."""


class Shape(NamedTuple):
    """A JSON object in responses."""

    name: str
    description: Markup
    fields: list[Field]


class ErrorKind(NamedTuple):
    """An error code."""

    code: str
    statuses: str
    meaning: str


async def to_docs(request: Request) -> RedirectResponse:
    """The address that people guess leads to the page."""
    return RedirectResponse(request.url_for("docs").path)


async def docs(request: Request) -> HTMLResponse:
    """The OpenAPI description as a page."""
    spec = request.app.openapi()
    view = {
        "title": spec["info"]["title"],
        "description": spec["info"].get("description", ""),
        "openapi_url": OPENAPI_URL,
        "commands": _first_game(f"{origin_of(request)}/api/v1"),
        "operations": [_operation(spec, *found) for found in _operations(spec)],
        "shapes": _shapes(spec),
        "errors": _error_kinds(),
    }
    return page(request, "api/docs.html", view)


def _first_game(api: str) -> list[str]:
    """Commands that play a move: in short lines, so that a phone shows them whole."""
    head = '  -H "Authorization: Bearer $TOKEN" \\\n  -H "Content-Type: application/json" \\\n'
    start, move = '{"ruleset": "bristol"}', '{"version": 0, "move": "deal"}'
    return [
        f"curl -X POST {api}/players",
        f"curl {api}/games \\\n{head}  -d '{start}'",
        f"curl {api}/games/$ID/moves \\\n{head}  -d '{move}'",
    ]


def _operations(spec: Json) -> Iterator[tuple[str, str, Json]]:
    for path, item in spec.get("paths", {}).items():
        for method, operation in item.items():
            yield method.upper(), path, operation


def _operation(spec: Json, method: str, path: str, operation: Json) -> Operation:
    body = _json_schema(operation.get("requestBody", {}))
    parameters = [
        Field(
            parameter["name"],
            parameter["in"],
            _kind(spec, parameter.get("schema", {})),
            _prose(parameter.get("description", "")),
        )
        for parameter in operation.get("parameters", ())
    ]
    return Operation(
        method=method,
        path=path,
        summary=operation.get("summary", ""),
        description=_prose(operation.get("description", "")),
        fields=parameters + _fields(spec, _resolved(spec, body), "body, "),
        responses=[
            (status, _kind(spec, _json_schema(response)))
            for status, response in operation["responses"].items()
            if status != "default"
        ],
    )


def _shapes(spec: Json) -> list[Shape]:
    """The schemas of responses; those of requests are shown with each operation."""
    schemas: Json = spec["components"]["schemas"]
    in_requests = {
        _json_schema(operation.get("requestBody", {})).get("$ref", "").rpartition("/")[2]
        for _, _, operation in _operations(spec)
    }
    return [
        Shape(
            name,
            _prose(schema.get("description", "")),
            _fields(spec, schema, ""),
        )
        for name, schema in schemas.items()
        if name not in in_requests
    ]


def _fields(spec: Json, schema: Json, place: str) -> list[Field]:
    required = schema.get("required", ())
    return [
        Field(
            name,
            f"{place}{'always' if name in required else 'optional'}",
            _kind(spec, field),
            _prose(field.get("description", "")),
        )
        for name, field in schema.get("properties", {}).items()
    ]


def _json_schema(holder: Json) -> Json:
    found: Json = holder.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def _prose(text: str) -> Markup:
    """A description with backticks rendered as code."""
    parts = re.split(r"`{1,2}([^`]+)`{1,2}", " ".join(text.split()))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else part
        for number, part in enumerate(parts)
    )


def _resolved(spec: Json, schema: Json) -> Json:
    reference: str | None = schema.get("$ref")
    if reference is None:
        return schema
    found: Json = spec["components"]["schemas"][reference.rpartition("/")[2]]
    return found


def _kind(spec: Json, schema: Json) -> str:
    """A type in words: ``text``, ``whole number``, ``list of Ruleset``, ``text or null``."""
    if "anyOf" in schema:
        return " or ".join(_kind(spec, option) for option in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(str(value) for value in schema["enum"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    match schema.get("type", "anything"):
        case "array":
            return f"list of {_kind(spec, schema.get('items', {}))}"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"{_kind(spec, schema['additionalProperties'])} by name"
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
