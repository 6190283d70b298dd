from __future__ import annotations

import string
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.deal import opening
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import CODE_SYMBOLS, Code, deck_of_code, parse_code
from app.games.game_actions import WORDS
from app.games.model import Status
from app.rulesets import RULESETS, find_ruleset
from app.sharing.record_headers import RecordError, printable
from app.sharing.text_record import Record, parse_record, print_record

HEBREW = "\u05e9\u05dc\u05d5\u05dd"
TURN = "\u202e"  # right-to-left override

SHORT = """\
Game: Bristol
Revision: 1
Deal: 7KQ4M-2XWTP
Player: Merry Otter
Date: 2026-11-21
Result: playing after 3 actions
Time: 0:01:05

1. deal
2. undo
3. redo
"""


def complaint(text: str) -> RecordError | None:
    try:
        parse_record(text)
    except RecordError as error:
        return error
    return None


def codes() -> st.SearchStrategy[Code]:
    return st.text(CODE_SYMBOLS, min_size=10, max_size=10).map(parse_code)


def action_texts(rules: Ruleset) -> list[str]:
    position = opening(rules, rules.deck)
    moves = [str(action) for action in legal_actions(rules, position)]
    return [*moves, "deal", "t2-t3:4", *sorted(WORDS)]


@st.composite
def records(draw: st.DrawFn) -> Record:
    rules = draw(st.sampled_from(RULESETS))
    decks = st.permutations(rules.deck).map(tuple)
    return Record(
        rules=rules,
        deal=draw(st.none() | codes() | decks),
        player=draw(st.none() | st.text().map(printable).map(lambda name: name or None)),
        day=draw(st.none() | st.dates()),
        result=draw(st.none() | st.sampled_from(Status)),
        seconds=draw(st.none() | st.integers(0, 10**9)),
        actions=tuple(draw(st.lists(st.sampled_from(action_texts(rules)), max_size=30))),
    )


@given(records(), st.lists(st.text(string.printable.replace("\n", "").replace("\r", ""))))
def test_reading_is_the_inverse_of_printing(record: Record, notes: list[str]) -> None:
    assert parse_record(print_record(record)).record == record
    assert parse_record(print_record(record, notes)).record == record


@given(st.text() | st.text(SHORT + TURN + HEBREW + "\r\x00\u2028"))
def test_any_text_is_a_record_or_has_a_bad_line(text: str) -> None:
    error = complaint(text)
    if error:
        assert 1 <= error.line <= len(text.splitlines()) + 1
        assert str(error).startswith(f"Line {error.line}: ")
        assert str(error).isprintable()


@given(st.integers(0, len(SHORT) - 1), st.characters())
def test_a_record_with_one_wrong_character_never_crashes_the_parser(at: int, wrong: str) -> None:
    error = complaint(SHORT[:at] + wrong + SHORT[at + 1 :])
    assert error is None or 1 <= error.line <= 12


def test_a_record_is_easy_to_read() -> None:
    bristol = find_ruleset("bristol")
    assert bristol
    record = Record(
        rules=bristol,
        deal=parse_code("7kq4m2xwtp"),
        player="Merry Otter",
        day=date(2026, 11, 21),
        result=Status.PLAYING,
        seconds=65,
        actions=("deal", "undo", "redo"),
    )
    assert print_record(record) == SHORT
    with_notes = print_record(record, ("AH 2C 3D", "", ""))
    assert "1. deal          ; AH 2C 3D\n2. undo\n" in with_notes


@pytest.mark.parametrize(
    "text",
    [
        SHORT.replace("\n", "\r\n"),
        SHORT.replace("\n", "\r"),
        "\ufeff" + SHORT,
        SHORT.replace("Game: Bristol", "# mine\n; and yours\ngame :  BRISTOL "),
        SHORT.replace("Revision: 1\n", ""),
        SHORT.replace("7KQ4M-2XWTP", " 7kq4m 2xwtp"),
        SHORT.replace("1. deal", "\t1.deal;fine"),
        SHORT.replace("Deal:", "Site: nowhere\nDeal:"),
        SHORT.replace(" ", "\t"),
        SHORT.replace(" ", "\u00a0").replace("\n", "\u2003\n"),
    ],
)
def test_what_people_and_editors_do_to_a_text_does_no_harm(text: str) -> None:
    assert parse_record(text).record == parse_record(SHORT).record


@pytest.mark.parametrize(
    ("wrong", "right", "line", "reason"),
    [
        ("Game: Bristol", "Game: Whist", 1, "Unknown game “Whist”."),
        (
            "Game: Bristol",
            "",
            9,
            "The text must begin with lines such as “Game: Bristol” and “Deal: 7KQ4M-2XWTP”.",
        ),
        ("Revision: 1", "Revision: 7", 2, "Bristol has no revision “7”."),
        ("7KQ4M-2XWTP", "7KQ4M", 3, "“7KQ4M” isn't a deal code"),
        ("Player:", "Deal: 7KQ4M-2XWTP\nPlayer:", 4, "Deal is given twice."),
        ("Player:", "Deck: AC\nPlayer:", 4, "A record has a deal or a deck, not both."),
        ("Deal: 7KQ4M-2XWTP", "Deck: AC KD", 3, "Bristol needs 52 cards, not 2."),
        ("2026-11-21", "yesterday", 5, "“yesterday” is not a date. Dates look like 2026-11-21."),
        ("playing", "glorious", 6, "“glorious after 3 actions” is not a result"),
        ("0:01:05", "1:65", 7, "“1:65” is not a time. Times look like 0:09:12."),
        ("1. deal", "deal", 9, "“deal” is not a header or a move. Moves look like 1. t3-f1."),
        ("2. undo", "3. undo", 10, "Expected move 2, not move 3."),
        ("2. undo", "2. t9-f1", 10, "This game has no pile t9."),
        ("2. undo", "Time: 0:00:01", 10, "“Time: 0:00:01” is not a header or a move"),
        ("2. undo", "2. t1-t2 t3", 10, "“2. t1-t2 t3” is not a header or a move"),
    ],
)
def test_a_bad_line_is_named_with_the_reason(
    wrong: str, right: str, line: int, reason: str
) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(SHORT.replace(wrong, right, 1))
    assert caught.value.line == line
    assert str(caught.value).startswith(f"Line {line}: {reason}")


@pytest.mark.parametrize("wrong", ["Bristol", "1", "7KQ4M-2XWTP", "0:01:05", "2. undo", "undo"])
def test_an_error_quotes_little_of_the_input_and_escapes_it(wrong: str) -> None:
    hostile = f"<b>{TURN}\x07" + "a" * 100_000
    with pytest.raises(RecordError) as caught:
        parse_record(SHORT.replace(wrong, hostile, 1))
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


def test_a_deck_with_monstrous_names_is_answered_briefly() -> None:
    deck = " ".join(["A" * 1000] * 52)
    with pytest.raises(RecordError) as caught:
        parse_record(SHORT.replace("Deal: 7KQ4M-2XWTP", f"Deck: {deck}"))
    assert caught.value.line == 3
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        (f"{TURN}Anna", "Anna"),
        ("Anna\nResult: won", "Anna Result: won"),
        (HEBREW, HEBREW),
        ("  a\tb  ", "a b"),
        ("\ud800", ""),
    ],
)
def test_a_name_cannot_break_lines_or_change_text_direction(name: str, kept: str) -> None:
    assert printable(name) == kept


def test_a_deck_is_named_card_by_card() -> None:
    bristol = find_ruleset("bristol")
    assert bristol
    deck = deck_of_code(parse_code("7KQ4M-2XWTP"), 1)
    lines = [" ".join(card.text for card in deck[start : start + 26]) for start in (0, 26)]
    text = SHORT.replace("Deal: 7KQ4M-2XWTP", f"Deck: {lines[0]}\nDeck: {lines[1]}")
    assert parse_record(text).record.deal == deck
    assert print_record(parse_record(text).record) == text


@pytest.mark.parametrize(
    ("place", "card", "reason"),
    [
        (30, "1X", "“1X” is not a card. Cards look like 7H."),
        (30, "6S", "Bristol has 6S only once."),
        (51, "", "Bristol needs 52 cards, not 51."),
    ],
)
def test_an_error_in_a_deck_of_several_lines_names_the_line_of_the_wrong_card(
    place: int, card: str, reason: str
) -> None:
    names = [card.text for card in deck_of_code(parse_code("7KQ4M-2XWTP"), 1)]
    names[place] = card
    lines = "\n".join(f"Deck: {' '.join(names[start : start + 13])}" for start in range(0, 52, 13))
    at_fault = 3 + place // 13
    with pytest.raises(RecordError) as caught:
        parse_record(SHORT.replace("Deal: 7KQ4M-2XWTP", lines))
    assert str(caught.value) == f"Line {at_fault}: {reason}"
    assert caught.value.line == at_fault


@pytest.mark.parametrize(
    "name", ["Spider (One Suit)", "Spider, One Suit", "spider one suit", "spider-one-suit"]
)
def test_a_variant_is_known_in_every_spelling(name: str) -> None:
    assert parse_record(SHORT.replace("Bristol", name)).record.rules.id == "spider-one-suit"


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ("AS AH", "Spider (One Suit) has no AH."),
        ("AS " * 9, "Spider (One Suit) has AS only 8 times."),
    ],
)
def test_a_deck_of_one_suit_has_more_of_each_card(names: str, reason: str) -> None:
    text = SHORT.replace("Bristol", "Spider (One Suit)").replace(
        "Deal: 7KQ4M-2XWTP", f"Deck: {names}"
    )
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert str(caught.value) == f"Line 3: {reason}"
