"""Lists of games: a comma in a title doesn't look like the next game."""

from app.http.templates import titles_in_words


def test_a_variant_is_in_brackets():
    assert titles_in_words(["Klondike", "Klondike, Draw Three"]) == (
        "<i>Klondike</i> and <i>Klondike (Draw Three)</i>"
    )
