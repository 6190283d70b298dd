from collections.abc import Iterator

import pytest

from app import errors
from app.errors import AppError
from app.http.errors import status_of

CONTRACT = {
    "malformed": {400, 422},
    "not_found": {404},
    "not_your_game": {403},
    "stale_version": {409},
    "game_over": {409},
    "illegal_move": {422},
    "not_started": {425},
    "not_ready": {425},
    "rate_limited": {429},
}


def below(error: type[AppError]) -> Iterator[type[AppError]]:
    for child in error.__subclasses__():
        yield child
        yield from below(child)


@pytest.mark.parametrize("code", CONTRACT)
def test_the_codes_of_the_contract_have_its_statuses(code):
    assert {status_of(error) for error in below(AppError) if error.code == code} == CONTRACT[code]


@pytest.mark.parametrize(
    "error", [error for error in below(AppError) if error.__module__ == errors.__name__]
)
def test_the_tree_at_the_head_of_the_module_shows_every_error(error):
    drawn = [line for line in errors.__doc__.splitlines() if f" {error.__name__} " in f"{line} "]
    assert len(drawn) == 1
    own = {"status", "code"} & set(vars(error))
    if own:
        assert drawn[0].split()[-2:] == [str(status_of(error)), error.code]
