import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import MalformedError
from app.identity.names import ADJECTIVES, ANIMALS, check_claimable, name_key, parse_name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "ANNA"),
        ("Anna", "Ánnà"),
        ("Anna", "Аnnа"),  # noqa: RUF001 - Cyrillic
        ("Paco", "Расо"),  # noqa: RUF001 - all Cyrillic
        ("Nino", "ΝΙΝΟ"),  # noqa: RUF001 - all Greek
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
def test_every_name_that_can_be_has_a_key_that_does_not_change(text):
    try:
        name = parse_name(text)
    except MalformedError:
        return
    assert name_key(name)
    assert name_key(name) == name_key(f"  {name} ") == name_key(name_key(name))


@pytest.mark.parametrize(
    "name",
    ["Admin", "ADMlN", "a.d.m.i.n", "Moderator", "FairDea1 Team", "deleted player", "Guest"],
)
def test_names_of_the_site_are_reserved(name):
    with pytest.raises(MalformedError, match="one of the site's own"):
        check_claimable(name)


@pytest.mark.parametrize("name", ["Admiral", "Guesthouse", "Modena", "Fairy", "Rooted"])
def test_names_that_only_begin_like_them_are_not(name):
    assert check_claimable(name)


def test_names_that_guests_are_given_are_theirs():
    with pytest.raises(MalformedError, match="given to guests"):
        check_claimable(f"{ADJECTIVES[3]} {ANIMALS[5]}")


@pytest.mark.parametrize("name", ["Annа", "Οtto", "Βob"])  # noqa: RUF001 - the point
def test_alphabets_that_look_alike_are_not_mixed(name):
    with pytest.raises(MalformedError, match="look alike"):
        check_claimable(name)


@pytest.mark.parametrize("name", ["Anna 李", "東京タワー", "Zoë", "Ολγα", "Ольга 7"])
def test_others_are(name):
    assert check_claimable(name)
