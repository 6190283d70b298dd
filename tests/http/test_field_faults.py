"""What is wrong with a field, in the reader's language; codes are the same in each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from httpx import AsyncClient
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.http.field_faults import field_fault

pytestmark = pytest.mark.anyio


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")

    minutes: Annotated[int, Field(ge=1, le=60)] = 1
    name: Annotated[str, Field(min_length=2, max_length=4, pattern="^[a-z]+$")] = "anna"
    kind: Literal["open", "daily"] = "open"
    games: Annotated[list[str], Field(max_length=1)] = []
    is_private: bool = False


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"minutes": "x"}, "'minutes' must be a whole number."),
        ({"minutes": 1.5}, "'minutes' must be a whole number."),
        ({"minutes": 0}, "'minutes' can't be less than 1."),
        ({"minutes": 61}, "'minutes' can't be more than 60."),
        ({"name": 3}, "'name' must be a text."),
        ({"name": "a"}, "'name' is too short: it needs at least 2."),
        ({"name": "annabel"}, "'name' is too long: the limit is 4."),
        ({"name": "A!"}, "'name' doesn't have the right form."),
        ({"kind": "race"}, "'kind' must be one of these: 'open', 'daily'."),
        ({"games": "a"}, "'games' must be a list."),
        ({"games": ["a", "b"]}, "'games' is too long: the limit is 1."),
        ({"is_private": "perhaps"}, "'is_private' must be true or false."),
        ({"other": 1}, "'other' is not a field of this request."),
    ],
)
def test_sentences(body: dict[str, Any], sentence: str):
    with pytest.raises(ValidationError) as refused:
        Body(**body)
    (error,) = refused.value.errors()
    assert field_fault(str(error["loc"][0]), error) == sentence


async def test_a_reader_of_german_gets_it_in_german(visitor: AsyncClient):
    body = {"ruleset": "bristol", "minutes": "x"}
    german = await visitor.post("/api/v1/races", json=body, headers={"Accept-Language": "de"})
    english = await visitor.post("/api/v1/races", json=body)
    assert german.json()["detail"] == "'minutes' muss eine ganze Zahl sein."
    assert english.json()["detail"] == "'minutes' must be a whole number."
    assert german.json()["code"] == english.json()["code"]
