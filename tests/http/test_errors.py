from collections.abc import Iterator
from types import ModuleType

import pytest

from app import errors
from app.errors import AppError
from app.http import errors as http_errors
from app.http.errors import STATUSES, status_of

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


def own_row(module: ModuleType, error: type[AppError]) -> list[str]:
    """The row of an error in the tree of a module's docstring, without its name."""
    lines = (module.__doc__ or "").splitlines()
    (row,) = [line for line in lines if f" {error.__name__} " in f"{line} "]
    return row.split(error.__name__)[1].split()


@pytest.mark.parametrize("error", [e for e in below(AppError) if e.__module__ == errors.__name__])
def test_the_tree_of_errors_shows_every_error_with_its_code(error):
    row = own_row(errors, error)
    if row or "code" in vars(error):
        assert row == [error.code]


@pytest.mark.parametrize("error", list(STATUSES))
def test_the_tree_of_http_shows_every_status(error):
    assert own_row(http_errors, error)[0] == str(status_of(error))


@pytest.mark.parametrize(
    "error", [e for e in below(AppError) if e.__module__ == http_errors.__name__]
)
def test_the_tree_of_http_shows_its_own_errors_with_their_codes(error):
    assert own_row(http_errors, error) == [str(status_of(error)), error.code]
