"""Recognizes a text that was stored in English by the form that the site wrote it in.

So it can be read in another language, with the values that it contains.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

Values = Mapping[str, str]
"""What a text has in the placeholders of its form."""


def values_of(stored: str, form: str) -> Values | None:
    """The values in the placeholders of the form; ``None`` for a text of another form.

    >>> values_of("Anna is Ben now. She asked.", "{old} is {new} now. {note}")
    {'old': 'Anna', 'new': 'Ben', 'note': 'She asked.'}
    """
    values: dict[str, str] = {}
    place, rest = None, stored
    for fixed, next_place, _, _ in Formatter().parse(form):
        # A form that begins with a placeholder has nothing fixed before it.
        before, found, rest = rest.partition(fixed) if fixed else ("", "", rest)
        if found != fixed or (before and not place):
            return None
        if place:
            values[place] = before
        place = next_place
    if place:
        values[place] = rest
    return values if place or not rest else None
