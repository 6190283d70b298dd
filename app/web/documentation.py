"""The JSON API described: as OpenAPI for programs, and as a page of ours for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.web.errors import AppError
from app.web.handlers import PROBLEM_TYPE
from app.web.templating import page

OPENAPI_URL = "/api/v1/openapi.json"

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

    def openapi(self) -> dict[str, Any]:
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


class Operation(NamedTuple):
    """One thing that a program may ask."""

    method: str
    path: str
    summary: str
    description: str
    parameters: list[tuple[str, str, str]]
    """Name, place and kind of each."""
    fields: list[tuple[str, str, bool]]
    """Name and kind of each field of the body, and whether it must be there."""
    answers: list[tuple[str, str]]


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
        "operations": [_operation(described, *found) for found in _operations(described)],
        "errors": _error_kinds(),
    }
    return page(request, "api/docs.html", view)


def _operations(described: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in described.get("paths", {}).items():
        for method, operation in item.items():
            yield method.upper(), path, operation


def _operation(
    described: dict[str, Any], method: str, path: str, operation: dict[str, Any]
) -> Operation:
    body = (
        operation.get("requestBody", {})
        .get("content", {})
        .get("application/json", {})
        .get("schema", {})
    )
    model = _resolved(described, body)
    required = model.get("required", ())
    return Operation(
        method=method,
        path=path,
        summary=operation.get("summary", ""),
        description=operation.get("description", ""),
        parameters=[
            (parameter["name"], parameter["in"], _kind(described, parameter.get("schema", {})))
            for parameter in operation.get("parameters", ())
        ],
        fields=[
            (name, _kind(described, schema), name in required)
            for name, schema in model.get("properties", {}).items()
        ],
        answers=[
            (status, response.get("description", ""))
            for status, response in operation["responses"].items()
            if status != "default"
        ],
    )


def _resolved(described: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference: str | None = schema.get("$ref")
    if reference is None:
        return schema
    found: dict[str, Any] = described["components"]["schemas"][reference.rpartition("/")[2]]
    return found


def _kind(described: dict[str, Any], schema: dict[str, Any]) -> str:
    """A type in a word or two: ``text``, ``whole number``, ``text or null``."""
    if "anyOf" in schema:
        return " or ".join(_kind(described, option) for option in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(str(value) for value in schema["enum"])
    kind = str(_resolved(described, schema).get("type", "anything"))
    return {"string": "text", "integer": "whole number", "array": "list"}.get(kind, kind)


def _error_kinds() -> list[ErrorKind]:
    statuses: dict[str, set[int]] = {}
    meanings: dict[str, str] = {}
    for error in _descendants(AppError):
        statuses.setdefault(error.code, set()).add(error.status)
        meanings.setdefault(error.code, (error.__doc__ or "").partition("\n")[0])
    return [
        ErrorKind(code, "/".join(map(str, sorted(statuses[code]))), meanings[code])
        for code in sorted(statuses, key=lambda code: (min(statuses[code]), code))
    ]


def _descendants(error: type[AppError]) -> Iterator[type[AppError]]:
    for child in error.__subclasses__():
        yield child
        yield from _descendants(child)
