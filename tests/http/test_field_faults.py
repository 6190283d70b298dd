"""What is wrong with a field, in the reader's language; codes are the same in each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts
from httpx import AsyncClient
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from app.http.field_faults import field_fault
from app.i18n.languages import DECLARED
from app.i18n.wording import language_of
from app.main import create_app
from app.settings import Settings
from app.text import Text, gettext

pytestmark = pytest.mark.anyio


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")

    minutes: Annotated[int, Field(ge=1, le=60)] = 1
    name: Annotated[str, Field(min_length=2, max_length=4, pattern="^[a-z]+$")] = "anna"
    kind: Literal["open", "daily"] = "open"
    games: Annotated[list[str], Field(max_length=1)] = []
    is_private: bool = False
    share: Annotated[float, Field(gt=0)] = 0.5
    day: date | None = None
    title: str = "bristol"

    @field_validator("title")
    @classmethod
    def check_title(cls, title: str) -> str:
        if title == "chess":
            raise ValueError(gettext("Choose at least one game."))
        return title


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"minutes": "x"}, "'minutes' must be a whole number."),
        ({"minutes": 1.5}, "'minutes' must be a whole number."),
        ({"minutes": 0}, "'minutes' can't be less than 1."),
        ({"minutes": 61}, "'minutes' can't be more than 60."),
        ({"name": 3}, "'name' must be text."),
        ({"name": "a"}, "'name' is too short: it needs at least 2."),
        ({"name": "annabel"}, "'name' is too long: the limit is 4."),
        ({"name": "A!"}, "'name' doesn't have the right form."),
        ({"kind": "race"}, "'kind' must be one of these: 'open', 'daily'."),
        ({"games": "a"}, "'games' must be a list."),
        ({"games": ["a", "b"]}, "'games' is too long: the limit is 1."),
        ({"is_private": "perhaps"}, "'is_private' must be true or false."),
        ({"other": 1}, "'other' is not a field of this request."),
        ({"share": 0}, "'share' doesn't have the right form."),
        ({"day": "soon"}, "'day' doesn't have the right form."),
        ({"title": "chess"}, "'title': choose at least one game."),
    ],
)
def test_sentences(body: dict[str, Any], sentence: str):
    with pytest.raises(ValidationError) as refused:
        Body(**body)
    (error,) = refused.value.errors()
    said = field_fault(str(error["loc"][0]), error)
    assert isinstance(said, Text)
    assert said == sentence


def test_a_validators_own_sentence_can_be_said_in_another_language():
    with pytest.raises(ValidationError) as refused:
        Body(title="chess")
    (error,) = refused.value.errors()
    german = language_of(next(info for info in DECLARED if info.tag == "de"))
    said = field_fault("title", error)
    assert isinstance(said, Text)
    assert said.in_language(german) == "'title': Wähle mindestens ein Spiel."


# The types of fields, and their limits, whose faults have a sentence of their own.
TYPES: Final = {"bool", "enum", "int", "list", "literal", "str"}
LIMITS: Final = {"ge", "le", "max_length", "min_length"}
ALL_LIMITS: Final = {*LIMITS, "gt", "lt", "multiple_of", "pattern"}
STRUCTURE: Final = {"default", "model", "model-field", "model-fields", "nullable"}


def fields_of(dependant: Dependant) -> Iterator[Any]:
    yield from dependant.path_params
    yield from dependant.query_params
    yield from dependant.header_params
    yield from dependant.cookie_params
    yield from dependant.body_params
    for needed in dependant.dependencies:
        yield from fields_of(needed)


def kinds_in(schema: object) -> Iterator[str]:
    """The types and limits in a schema of Pydantic's core."""
    if isinstance(schema, dict):
        if isinstance(schema.get("type"), str):
            yield schema["type"]
        yield from ALL_LIMITS & schema.keys()
        for key, part in schema.items():
            if key not in {"metadata", "serialization"}:
                yield from kinds_in(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from kinds_in(part)


def test_every_kind_of_field_has_its_sentences(tmp_path: Path):
    """Whoever adds another kind says in ``field_faults`` what can be wrong with it, and adds it above."""
    found: dict[str, str] = {}
    seen = 0
    site = create_app(Settings(data_dir=tmp_path))
    for context in iter_route_contexts(site.router.routes):
        route = context.original_route
        if not isinstance(route, APIRoute):
            continue
        seen += 1
        for field in fields_of(route.dependant):
            about = field.field_info
            annotation: Any = Annotated[about.annotation, about]
            schema = TypeAdapter(annotation).core_schema
            found |= dict.fromkeys(kinds_in(schema), route.path)
    assert seen > 200
    known = TYPES | LIMITS | STRUCTURE
    assert {kind: path for kind, path in found.items() if kind not in known} == {}
    assert found.keys() >= TYPES | LIMITS


async def test_a_reader_of_german_gets_it_in_german(visitor: AsyncClient):
    body = {"ruleset": "bristol", "minutes": "x"}
    german = await visitor.post("/api/v1/races", json=body, headers={"Accept-Language": "de"})
    english = await visitor.post("/api/v1/races", json=body)
    assert german.json()["detail"] == "'minutes' muss eine ganze Zahl sein."
    assert english.json()["detail"] == "'minutes' must be a whole number."
    assert german.json()["code"] == english.json()["code"]
