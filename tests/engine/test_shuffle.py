"""Deal codes, and the shuffle compared with independent implementations and test vectors."""

import hashlib
import hmac
import re
from collections import Counter
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.cards import Card, fresh_deck
from app.engine.shuffle import (
    CODE_SYMBOLS,
    SEED_BYTES,
    deck_of_code,
    deck_of_seed,
    draw_below,
    new_code,
    new_seed,
    pack_deck,
    parse_code,
    read_deck,
    unpack_deck,
)

PAGE = (Path(__file__).parents[2] / "docs" / "deals.md").read_text()

# A whole deck, which must never change.
ZEROS_1 = (
    "9H JS 7D KC 7S 6D 8S AS AD 2D 6S TH KS 5H 3H 9S 5D 2S 3C 8H 8C 6H 4H 9C 2C QD TC JH AH 5S JC "
    "7C QC JD 3S AC 3D 8D 7H 6C TS 4D KD 4S QS TD 4C KH 9D QH 5C 2H"
)


def reference_shuffle(seed: bytes, decks: int) -> list[str]:
    """The shuffle as the documentation describes it, in the simplest way."""
    deck = [rank + suit for _ in range(decks) for suit in "CDHS" for rank in "A23456789TJQK"]
    stream: list[int] = []
    blocks = count()

    def take() -> int:
        if not stream:
            text = f"fairdeal/deck/1/{decks}/{next(blocks)}"
            block = hmac.new(seed, text.encode(), hashlib.sha256).hexdigest()
            stream.extend(int(block[n : n + 8], 16) for n in range(0, 64, 8))
        return stream.pop(0)

    for last in range(len(deck) - 1, 0, -1):
        choices = last + 1
        number = take()
        while number >= (2**32 // choices) * choices:
            number = take()
        chosen = number % choices
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return deck


def seed_of(code: str) -> bytes:
    return hashlib.sha256(f"fairdeal/open/1/{code.replace('-', '')}".encode()).digest()


codes = st.text(CODE_SYMBOLS, min_size=10, max_size=10).map(parse_code)


@given(codes, st.sampled_from([1, 2]))
def test_a_code_gives_the_documented_deck(code, decks):
    deck = deck_of_code(code, decks)
    assert [card.text for card in deck] == reference_shuffle(seed_of(code), decks)
    assert Counter(deck) == Counter(fresh_deck(decks))


@given(st.binary(min_size=32, max_size=32), st.sampled_from([1, 2]))
def test_a_seed_gives_the_documented_deck(seed, decks):
    assert [card.text for card in deck_of_seed(seed, decks)] == reference_shuffle(seed, decks)


def documented_program() -> dict[str, object]:
    program = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert program
    names: dict[str, object] = {}
    exec(program[1], names)
    return names


VECTORS = re.findall(
    r"^\| `([^`]+)` \| ([12]) \| (.+?) \.\.\. (.+?) \| `(\w{16})` \|$", PAGE, re.MULTILINE
)


def test_the_page_has_vectors_of_codes_and_seeds():
    assert len(VECTORS) == 12
    assert sum(len(name) == 64 for name, *_ in VECTORS) == 6


@pytest.mark.parametrize(("name", "decks", "first", "last", "digest"), VECTORS)
def test_pinned_vectors(name, decks, first, last, digest):
    sealed, many = len(name) == 64, int(decks)
    seed = bytes.fromhex(name) if sealed else b""
    deck = deck_of_seed(seed, many) if sealed else deck_of_code(parse_code(name), many)
    texts = [card.text for card in deck]
    assert " ".join(texts[:10]) == first
    assert " ".join(texts[-3:]) == last
    assert hashlib.sha256(" ".join(texts).encode()).hexdigest()[:16] == digest
    program = documented_program()["shuffled" if sealed else "deck"]
    assert callable(program)
    assert program(seed or name, many) == texts


def test_one_whole_deck_written_out():
    deck = deck_of_code(parse_code("00000-00000"), 1)
    assert " ".join(card.text for card in deck) == ZEROS_1


def test_one_deck_is_not_the_start_of_two():
    code = parse_code("00000-00000")
    assert deck_of_code(code, 2)[:52] != deck_of_code(code, 1)


def test_numbers_that_would_bias_the_shuffle_are_rejected():
    # 2**32 = 52 * 82595524 + 48: the last 48 numbers would favor 0 to 47.
    fair = 2**32 - 48
    assert draw_below(52, iter([2**32 - 1, fair, fair - 1])) == 51
    assert draw_below(52, iter([53, 7])) == 1
    assert draw_below(64, iter([2**32 - 1])) == 63


@given(codes)
def test_parse_and_print_of_a_code_are_inverses(code):
    assert parse_code(code) == code
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}", code)


@pytest.mark.parametrize(
    "text",
    ["7kq4m-2xwtp", "7KQ4M2XWTP", " 7KQ4M 2XWTP ", "7-K-Q-4-M-2-X-W-T-P", "7kq4m--2xwtp\n"],
)
def test_case_spaces_and_hyphens_do_not_matter(text):
    assert parse_code(text) == "7KQ4M-2XWTP"


def test_lookalike_letters_are_read_as_digits():
    assert parse_code("oO0iI-1lL00") == "00011-11100"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "-",
            "7KQ4M",
            "7KQ4M-2XWT",
            "7KQ4M-2XWTPP",
            "7KQ4M-2XWTU",
            "7KQ4M_2XWTP",
            "7KQ4M/2XWTP",
        ),
        *(
            "\u0131\u013100000000",
            "\uff17KQ4M2XWTP",
            "7KQ4M\u20132XWTP",
            "7KQ4M-2XWT\0",
            "0" * 5000,
        ),
    ],
    ids=lambda text: ascii(text)[:20],
)
def test_other_text_is_not_a_code(text):
    with pytest.raises(
        ValueError, match=r"^“.*” isn't a deal code\. They look like 7KQ4M-2XWTP\."
    ) as caught:
        parse_code(text)
    assert len(str(caught.value)) < 300


def test_new_codes_and_seeds_are_fresh_and_readable():
    made = {new_code() for _ in range(50)}
    assert len(made) == 50
    assert all(parse_code(code) == code for code in made)
    assert set("".join(made)) - {"-"} <= set(CODE_SYMBOLS)
    assert len({new_seed() for _ in range(50)}) == 50
    assert len(new_seed()) == 32


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_has_32_bytes(size):
    with pytest.raises(ValueError, match=f"A seed has 32 bytes, not {size}"):
        deck_of_seed(bytes(size), 1)


def test_a_deck_is_read_from_names():
    for decks in (1, 2):
        cards = fresh_deck(decks)[::-1]
        assert read_deck([card.text for card in cards], decks) == cards


def test_an_incomplete_deck_says_what_is_wrong():
    names: list[object] = [card.text for card in fresh_deck(1)]
    with pytest.raises(ValueError, match=r"has 52 cards; too many: AC; missing: KS\."):
        read_deck([*names[:-1], "AC"], 1)
    with pytest.raises(ValueError, match=r"has 52 cards; missing: KS\."):
        read_deck(names[:-1], 1)
    with pytest.raises(ValueError, match=r"has 104 cards; missing: .*KS"):
        read_deck(names, 2)
    with pytest.raises(ValueError, match="is not a card"):
        read_deck([*names[:-1], "10D"], 1)
    with pytest.raises(ValueError, match="7 is not a card name"):
        read_deck([7, *names], 1)
    with pytest.raises(ValueError, match="None is not a card name"):
        read_deck([None], 1)


any_deck = st.integers(1, 2).flatmap(lambda count: st.permutations(fresh_deck(count)))


@given(any_deck)
def test_a_packed_deck_unpacks_to_the_same_order(deck: list[Card]) -> None:
    assert unpack_deck(pack_deck(deck)) == tuple(deck)


@given(any_deck)
def test_a_packed_deck_is_never_as_long_as_a_seed(deck: list[Card]) -> None:
    assert len(pack_deck(deck)) == len(deck) != SEED_BYTES
