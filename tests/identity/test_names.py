# ruff: noqa: RUF001 - letters that look alike are meant here

import itertools
import unicodedata
from typing import Literal

import pytest
from confusable_homoglyphs.confusables import confusables_data
from hypothesis import given
from hypothesis import strategies as st

from app.errors import MalformedError
from app.identity.name_keys import keys_of, mixes_scripts, name_key, name_shape
from app.identity.names import (
    ADJECTIVES,
    ANIMALS,
    MAX_LENGTH,
    check_claimable,
    guest_name,
    parse_name,
)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Anna", "Anna"),
        ("  Anna ", "Anna"),
        ("Anna  Lena", "Anna Lena"),
        ("Ａｎｎａ", "Anna"),
        ("Ⅻ Kings", "XII Kings"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("Seán O'Casey", "Seán O'Casey"),
        ("J.-P. 2", "J.-P. 2"),
        ("Ольга", "Ольга"),
        ("李小龍", "李小龍"),
        ("مريم", "مريم"),
        ("नेहा", "नेहा"),
        ("x" * MAX_LENGTH, "x" * MAX_LENGTH),
    ],
)
def test_names_of_any_script_are_kept(typed, kept):
    assert parse_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Choose a name"),
        ("   ", "Choose a name"),
        ("42", "needs at least one letter"),
        ("...", "needs at least one letter"),
        ("Jo", "at least 3 characters; this one has 2"),
        ("a b", "at least 3 characters; this one has 2"),
        ("½ Anna", "fraction slash"),
        ("x" * (MAX_LENGTH + 1), "at most 24 characters; this one has 25"),
        ("<b>Anna</b>", "'<'"),
        ("Anna & Ben", "'&'"),
        ('Anna"', "'\"'"),
        ("{{ 7 }}x", "'{'"),
        ("Anna\u202egnol", "right-to-left override (U+202E)"),
        ("\u2067Anna", "right-to-left isolate (U+2067)"),
        ("An\u200bna", "zero width space (U+200B)"),
        ("An\u200dna", "zero width joiner (U+200D)"),
        ("\ufeffAnna", "zero width no-break space (U+FEFF)"),
        ("An\u00adna", "soft hyphen (U+00AD)"),
        ("Anna\u00a0Ben", "no-break space (U+00A0)"),
        ("Anna\u3164", "hangul filler (U+3164)"),
        ("Anna\ufe0f", "variation selector-16 (U+FE0F)"),
        ("Anna\nBen", "U+000A"),
        ("Anna\tBen", "U+0009"),
        ("Anna\x00", "U+0000"),
        ("Anna\ud800", "U+D800"),
        ("Anna\ue000", "U+E000"),
        ("Anna 🂡", "playing card ace of spades"),
        ("Z" + "\u0300\u0301\u0302" + "algo", "that many accents on one letter"),
    ],
)
def test_deceptive_and_harmful_characters_are_refused(typed, said):
    with pytest.raises(MalformedError) as refused:
        parse_name(typed)
    assert said in refused.value.detail
    assert refused.value.detail.isprintable()


@given(st.text())
def test_a_kept_name_is_visible_and_is_kept_again(text):
    try:
        name = parse_name(text)
    except MalformedError:
        return
    assert name.isprintable()
    assert parse_name(name) == name
    assert not set(name) & set('<>&"/\\{}[]`\u115f\u1160\u3164\uffa0')
    assert not any(unicodedata.bidirectional(character) in {"RLO", "RLE"} for character in name)


def test_every_generated_name_is_valid():
    for name in itertools.starmap("{} {}".format, itertools.product(ADJECTIVES, ANIMALS)):
        assert parse_name(name) == name


def test_there_are_enough_generated_names_and_no_duplicates():
    assert len(set(ADJECTIVES)) == len(ADJECTIVES)
    assert len(set(ANIMALS)) == len(ANIMALS)
    assert len(ADJECTIVES) * len(ANIMALS) > 5000
    assert len({guest_name() for _ in range(50)}) > 25


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "ANNA"),
        ("Anna", "Ánnà"),
        ("Anna", "Аnnа"),
        ("Paco", "Расо"),
        ("Nino", "ΝΙΝΟ"),
        ("Bill", "BilI"),
        ("Bill", "Bi11"),
        ("Otto", "0tt0"),
        ("Anna", "A.n-n_a"),
        ("Anna Lena", "AnnaLena"),
        ("Straße", "STRASSE"),
        ("Æsop", "AEsop"),
        ("Ⅻ kings", "XII Kings"),
        ("Søren", "Soren"),
    ],
)
def test_names_that_look_alike_are_one_name(one, other):
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "Anne"), ("Anna", "Anna 2"), ("李小龍", "李小龙"), ("नेहा", "नहा"), ("Ольга", "Олег")],
)
def test_names_that_look_different_are_two(one, other):
    assert name_key(one) != name_key(other)


@given(st.text())
def test_every_valid_name_has_a_stable_key(text):
    try:
        name = parse_name(text)
    except MalformedError:
        return
    assert name_key(name)
    assert name_key(name) == name_key(f"  {name} ") == name_key(name_key(name))


@pytest.mark.parametrize(
    "name",
    [
        "Admin",
        "ADMlN",
        "a.d.m.i.n",
        "Moderator",
        "FairDea1 Team",
        "deleted player",
        "Guest",
        "Hidden",
    ],
)
def test_names_of_the_site_are_reserved(name):
    with pytest.raises(MalformedError, match="one of the site's own"):
        check_claimable(name)


@pytest.mark.parametrize("name", ["Admiral", "Guesthouse", "Modena", "Fairy", "Rooted"])
def test_names_that_only_begin_like_them_are_not(name):
    assert check_claimable(name)


def test_names_given_to_guests_cannot_be_claimed():
    with pytest.raises(MalformedError, match="given to guests"):
        check_claimable(f"{ADJECTIVES[3]} {ANIMALS[5]}")


@pytest.mark.parametrize(
    "name", ["Annа", "Οtto", "Βob", "Annaв", "Anna ا", "Ольга مريم", "नेहा Ольга", "Anna 김Ω"]
)
def test_alphabets_that_are_not_written_together_are_not_mixed(name):
    with pytest.raises(MalformedError, match="look-alike"):
        check_claimable(name)


@pytest.mark.parametrize("name", ["Anna 李", "東京タワー", "Zoë", "Ολγα", "Ольга 7"])
def test_other_alphabets_can_be_mixed(name):
    assert check_claimable(name)


SEEN_ALIKE = [
    ("admin", "ɑdmin"),
    ("moderator", "mᴏderator"),
    ("admin", "Ꭺdmin"),
    ("anna", "ɑnna"),
    ("anna", "ᴀnna"),
    ("anna", "Ꭺɴɴꭺ"),
    ("Maria", "Rnaria"),
    ("Søren", "Soren"),
    ("Ɗaniel", "Daniel"),
    ("Paco", "Расо"),
    ("ANNA", "ΑΝΝΑ"),
    ("Kim", "Κіm"),
]


@pytest.mark.parametrize(("one", "other"), SEEN_ALIKE)
def test_names_that_are_seen_alike_have_one_shape(one, other):
    assert name_shape(one) == name_shape(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Anna", "Anne"), ("Anna", "Hanna"), ("Nina", "Vina"), ("Ольга", "Олег")),
        *(("李小龍", "李小龙"), ("नेहा", "नहा"), ("Cora", "Dora"), ("Leo", "Lea")),
    ],
)
def test_names_that_are_seen_differently_have_two(one, other):
    assert name_shape(one) != name_shape(other)


@pytest.mark.parametrize(
    "name", ["ɑdmin", "mᴏderator", "Ꭺdmin", "ᴍoderator", "ꓮdmin", "fɑir deɑl", "gᴜest", "Аdmіn"]
)
def test_nothing_that_looks_like_a_name_of_the_site_can_be_claimed(name):
    with pytest.raises(MalformedError):
        check_claimable(name)


def test_names_given_to_guests_cannot_be_imitated():
    with pytest.raises(MalformedError, match="given to guests"):
        check_claimable(f"{ADJECTIVES[3]} {ANIMALS[5]}".replace("a", "ɑ"))


def look_alikes(letter: str) -> list[str]:
    """The letters that Unicode lists as confusable with one, as far as names can have them."""
    listed = [other["c"] for other in confusables_data.get(letter, [])]
    return [
        other
        for other in listed
        if other.isalpha() and unicodedata.normalize("NFKC", other) == other and len(other) == 1
    ]


@given(st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=3), st.data())
def test_replacing_letters_by_look_alikes_changes_no_shape(text, data):
    drawn = "".join(data.draw(st.sampled_from([letter, *look_alikes(letter)])) for letter in text)
    assert name_shape(drawn) == name_shape(text)


@given(st.text())
def test_every_valid_name_has_a_shape_that_is_the_same_in_any_case_of_its_key(text):
    try:
        name = parse_name(text)
    except MalformedError:
        return
    assert keys_of(name) == keys_of(f"  {name} ")
    assert name_shape(name)


def test_only_alphabets_that_are_not_written_together_count_as_mixed():
    assert not any(
        map(mixes_scripts, ["Anna", "Anna 7", "東京タワー", "Anna 李", "김 Anna", "Zoë"])
    )
    assert all(map(mixes_scripts, ["Аnna", "Ωnna", "ひらがな한글"]))


def test_a_text_of_any_length_is_not_normalized(monkeypatch: pytest.MonkeyPatch):
    """To sort 30,000 marks takes a second, during which nobody else is served; leagues and rooms have names, too."""
    lengths: list[int] = []
    normalize = unicodedata.normalize

    def noting(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
        lengths.append(len(text))
        return normalize(form, text)

    monkeypatch.setattr("app.identity.names.unicodedata.normalize", noting)
    assert parse_name(" " * 150 + "Zoe\u0308") == "Zo\u00eb"
    for text in ("Zoe" + "\u0345\u0301" * 16_000, " " * 60_000 + "Zoe"):
        with pytest.raises(MalformedError, match=r"at most 24 characters; this one has [36]"):
            parse_name(text)
    assert max(lengths) < 1000
