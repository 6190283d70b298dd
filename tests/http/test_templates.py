"""What templates say in the same way everywhere."""

from __future__ import annotations

import pytest

from app.http.template_filters import initials


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Quiet Heron", "QH"),
        ("anna", "A"),
        ("Ada Byron King", "AB"),
        ("Sage Salmon", "S"),
        ("Hardy Hare", "H"),
    ],
)
def test_initials_are_of_two_words_and_never_what_plates_of_cars_may_not_say(
    name: str, letters: str
) -> None:
    assert initials(name) == letters
