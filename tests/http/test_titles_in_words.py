"""Lists of games: a comma in a title doesn't look like the next game."""

from app.http.templates import titles_in_words


def test_a_title_by_itself_is_as_everywhere():
    assert titles_in_words(["Spider, One Suit"]) == "<i>Spider, One Suit</i>"


def test_a_variant_in_a_list_is_in_brackets():
    assert titles_in_words(["Klondike", "Klondike, Draw Three"]) == (
        "<i>Klondike</i> and <i>Klondike (Draw Three)</i>"
    )
