"""The committed pictures are what the generator draws, and contain every symbol that the table uses."""

import gzip
import re
from xml.etree import ElementTree as ET

import pytest
from babel.messages.pofile import read_po

from tools.cards.courts import COURT_LEFT, COURT_SCALE, COURT_TOP, FIGURES, PANEL_BOX
from tools.cards.faces import PIPS, corners, pips
from tools.cards.glyphs import LETTERS, RANKS, SUITS
from tools.cards.path import ARITY, place, shifted
from tools.make_cards import IMAGES, pictures, sprite

LOCALE = IMAGES.parent.parent / "locale"
SVG = "{http://www.w3.org/2000/svg}"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
_SIGNS = ("red", "black", "run", "crown", "any", "cell", "done")
MARKS = [f"mark-{name}" for name in (*RANKS, *SUITS, *_SIGNS)]


@pytest.fixture(scope="module")
def symbols() -> dict[str, ET.Element]:
    root = ET.fromstring(sprite())
    return {symbol.attrib["id"]: symbol for symbol in root.iter(f"{SVG}symbol")}


@pytest.mark.parametrize("name", ["cards.svg", "back.svg", "favicon.svg", "scenes.svg"])
def test_the_committed_file_is_what_the_generator_draws(name: str) -> None:
    assert (IMAGES / name).read_text(encoding="utf-8") == pictures()[name]


def test_every_symbol_occurs_once(symbols: dict[str, ET.Element]) -> None:
    expected = {
        *DECK,
        *(f"s{suit}" for suit in SUITS),
        *MARKS,
        "back",
        "logo",
        "wordmark",
    }
    assert set(symbols) == expected
    assert sprite().count("<symbol ") == len(expected)


def test_no_two_symbols_look_the_same(symbols: dict[str, ET.Element]) -> None:
    pictures = {ET.tostring(symbol).split(b">", 1)[1] for symbol in symbols.values()}
    assert len(pictures) == len(symbols)


def test_faces_and_places_share_one_shape(symbols: dict[str, ET.Element]) -> None:
    for name in (*DECK, *MARKS, "back"):
        assert symbols[name].attrib["viewBox"] == "0 0 100 140"


def test_every_card_uses_only_the_color_of_its_suit(
    symbols: dict[str, ET.Element],
) -> None:
    for card in DECK:
        text = ET.tostring(symbols[card], encoding="unicode")
        assert set(re.findall(r"--card-(?:ink|tint)-(.)", text)) == {card[1]}


def test_every_card_has_four_forms_and_shows_the_full_one_by_default(
    symbols: dict[str, ET.Element],
) -> None:
    for card in DECK:
        forms = [group.attrib["display"] for group in symbols[card].findall(f"{SVG}g")]
        assert forms == [
            "var(--card-full, inline)",
            "var(--card-compact, none)",
            "var(--card-narrow, none)",
            "var(--card-low, none)",
        ]


MIDDLE_FIGURE = f"{SVG}g/{SVG}g/{SVG}path"


def test_the_middle_of_a_face_is_a_part_of_its_own(symbols: dict[str, ET.Element]) -> None:
    """Of a card that is covered from below, the page shows no more than the index."""
    for card in DECK:
        whole, compact, _, low = symbols[card].findall(f"{SVG}g")
        for face in (whole, compact, low):
            shown = [part.attrib.get("display", "") for part in face.findall(f"{SVG}g")]
            assert shown.count("var(--card-middle, inline)") == 1
            assert any(part.tag == f"{SVG}path" for part in face), "the index is not a part of it"


def test_a_small_court_shows_the_figure_of_the_large_one(symbols: dict[str, ET.Element]) -> None:
    for card in DECK:
        whole, compact, narrow, low = symbols[card].findall(f"{SVG}g")
        figure = [path.attrib["d"] for path in compact.findall(MIDDLE_FIGURE)]
        assert bool(figure) == (card[0] in "JQK")
        assert figure == [path.attrib["d"] for path in low.findall(MIDDLE_FIGURE)]
        assert figure == [path.attrib["d"] for path in whole.findall(MIDDLE_FIGURE)]
        assert not narrow.findall(f"{SVG}g")  # covered from the side, it would be cut in halves


def test_a_court_has_a_letter_for_each_language_and_shows_the_english_one_by_default(
    symbols: dict[str, ET.Element],
) -> None:
    for name in ("QH", "mark-Q"):
        text = ET.tostring(symbols[name], encoding="unicode")
        assert set(re.findall(r"var\(--letter-(\w, \w+)\)", text)) == {"Q, inline", "D, none"}
    assert "--letter-" not in ET.tostring(symbols["7H"], encoding="unicode")


def test_the_letters_of_courts_are_those_of_their_names() -> None:
    sheet = (IMAGES.parent / "css" / "cards.css").read_text(encoding="utf-8")
    for language in sorted(path.parent.name for path in LOCALE.glob("*/LC_MESSAGES")):
        rule = re.search(rf":root:lang\({language}\) {{(.*?)}}", sheet)
        shown = dict(re.findall(r"--letter-(\w): (\w+)", rule[1] if rule else ""))
        assert set(shown) <= {letter for letters in LETTERS.values() for letter in letters}
        for rank, word in (("J", "jack"), ("Q", "queen"), ("K", "king")):
            letters = [
                letter
                for letter in LETTERS.get(rank, rank)
                if shown.get(letter, "inline" if letter == rank else "none") == "inline"
            ]
            assert len(letters) == 1
            if rule:
                assert name_of(word, language).upper().startswith(letters[0])


def name_of(word: str, language: str) -> str:
    """A court as a subject without an article, such as ``Dame``."""
    with (LOCALE / language / "LC_MESSAGES" / "fairdeal.po").open("rb") as file:
        message = read_po(file).get(f"{word} of hearts", context="card")
    assert message
    return str(message.string).removeprefix("Herz-")


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize("rank", RANKS)
def test_rank_and_suit_show_together_in_the_strip_of_a_fan(rank: str, suit: str) -> None:
    suits, *letters = re.findall(r' d="([^"]+)"', corners(rank, suit))
    for path in (suits, *letters):
        starts = re.findall(r"M(-?[\d.]+) ?(-?[\d.]+)", path)
        assert any(float(x) < 40 and float(y) < 26 for x, y in starts)


def test_it_needs_no_style_sheet_font_or_other_file() -> None:
    text = sprite()
    for forbidden in ("<style", "style=", "class=", "<text", "href", "url(", "<script"):
        assert forbidden not in text


def test_it_is_small_when_compressed() -> None:
    assert len(gzip.compress(sprite().encode(), mtime=0)) < 20_000


def test_a_shape_turned_by_half_a_circle_keeps_its_sweep() -> None:
    arc = "M-2 0A2 2 0 1 1 2 0H4V-3Z"
    assert place(arc, 10, 20) == "M8 20a2 2 0 1 1 4 0h2v-3z"
    assert place(arc, 10, 20, turn=True) == "M12 20a2 2 0 1 1 -4 0h-2v3z"


def test_a_shifted_shape_lands_where_a_placed_one_does() -> None:
    shape = "M-2 0A2 2 0 1 1 2 0C3 1 4 1 5 2H4V-3Q1 1 0 0L-1 -1Z"
    assert place(shifted(shape, 7, 9, 2)) == place(shape, 7, 9, 2)


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize("rank", [*PIPS, *FIGURES])
def test_the_picture_of_a_face_keeps_a_distance_from_its_index(rank: str, suit: str) -> None:
    """Also in cards of 80 pixels. Crowns may come closer than pips, which look like the suit of the index."""
    index, *_ = re.findall(r' d="([^"]+)"', corners(rank, suit))
    upper = [(x, y) for x, y in points(index) if y < 70]
    (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*upper, strict=True))
    if rank in PIPS:
        picture, least = [pips(rank, suit)], 5.0
    else:
        shapes = [
            place(layer.shape, COURT_LEFT, COURT_TOP, COURT_SCALE) for layer in FIGURES[rank](suit)
        ]
        picture, least = [place(PANEL_BOX), *shapes], 2.5
    for x, y in (point for path in picture for point in points(path)):
        beside = max(left - x, 0, x - right)
        below = max(top - y, 0, y - bottom)
        assert (beside**2 + below**2) ** 0.5 >= least


def points(path: str) -> list[tuple[float, float]]:
    """Points of what was placed that no part of it goes beyond: its own, and the top and the bottom of its circles."""
    found, x, y, start = list[tuple[float, float]](), 0.0, 0.0, (0.0, 0.0)
    for command, text in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        values = [float(value) for value in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", text)]
        count = ARITY[command.upper()]
        if command == "M":
            x, y = 0.0, 0.0  # all else is relative
        for at in range(0, max(len(values), 1), max(count, 1)):
            numbers = values[at : at + count]
            match command:
                case "z":
                    x, y = start
                case "h":
                    x += numbers[0]
                case "v":
                    y += numbers[0]
                case "a":
                    half = x + numbers[5] / 2
                    found += [(half, y - numbers[1]), (half, y + numbers[1])]
                    x, y = x + numbers[5], y + numbers[6]
                case _:
                    found += [
                        (x + dx, y + dy) for dx, dy in zip(numbers[::2], numbers[1::2], strict=True)
                    ]
                    x, y = found[-1]
            found.append((x, y))
        if command in "Mm":
            start = x, y
    return found
