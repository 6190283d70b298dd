"""Ids in links and on command lines."""

import re

from app.db.ids import new_id, new_link


def test_an_id_is_letters_and_digits_only():
    found = {new_id() for _ in range(5000)}
    assert len(found) == 5000
    assert all(re.fullmatch("[A-Za-z0-9]{16}", name) for name in found)
    assert {name[0] for name in found} == {
        name[-1] for name in found
    }  # every symbol occurs in every place
    assert re.fullmatch("[A-Za-z0-9]{22}", new_link())
