"""The rules page of every game says what is so, says it once, and says nothing that is not."""

import pytest

from app.engine.describe import describe
from app.rulesets import RULESETS, find_ruleset

DAWN = {"blondes-and-brunettes-till-dawn", "terrace", "falling-star"}
ROUGE = {"rouge-et-noir", "rouge-et-noir-classic"}
CHOSEN = {"signora", "terrace"}
DEALT = {"blondes-and-brunettes", "blondes-and-brunettes-till-dawn", "falling-star"}
TERRACE_KIN = CHOSEN | DEALT
ALL = {rules.id for rules in RULESETS}

# A sentence, and exactly the games whose page has it.
SENTENCES = [
    ("Goal", "Bring all 52 cards (one deck) home to the foundations.", {"bristol"}),
    ("Goal", "Bring all 104 cards (two decks) home to the foundations.", TERRACE_KIN),
    ("Goal", ": 52 of them card by card, 52 as four runs.", ROUGE),
    ("The opening", "Eight tableau piles get three cards each, face up.", {"bristol"}),
    ("The opening", "In each pile the kings sink to the bottom.", {"bristol"}),
    ("The opening", "One card goes face up to each of three reserve piles.", {"bristol"}),
    ("The opening", "The other 25 cards are the stock, face down.", {"bristol"}),
    (
        "The opening",
        "The other 84 cards are the stock, face down.",
        {"signora", "blondes-and-brunettes"},
    ),
    (
        "The opening",
        "The other 84 cards are the stock, face up and squared",
        {"blondes-and-brunettes-till-dawn", "falling-star"},
    ),
    ("The opening", "The other 90 cards are the stock, face up and squared", {"terrace"}),
    ("The opening", "The other 59 cards are the stock, face down.", {"rouge-et-noir"}),
    ("The opening", "The other 67 cards are the stock, face down.", {"rouge-et-noir-classic"}),
    (
        "The opening",
        "Ten cards go face up to the reserve",
        {"blondes-and-brunettes", "blondes-and-brunettes-till-dawn"},
    ),
    (
        "The opening",
        "Eleven cards go face up to the reserve",
        {"signora", "terrace", "falling-star"},
    ),
    ("The opening", "One card goes to the first foundation.", DEALT),
    (
        "The opening",
        "Nine tableau piles get one card each, face up.",
        {"signora", "blondes-and-brunettes", "blondes-and-brunettes-till-dawn"},
    ),
    ("The opening", "Eight tableau piles get one card each, face up.", {"falling-star"}),
    ("The opening", "the first three get a card, face up.", {"terrace"}),
    (
        "The opening",
        "get nine, eight, seven, six, five, four, three, two, one and no cards",
        {"rouge-et-noir"},
    ),
    (
        "The opening",
        "get eight, seven, six, five, four, three, two, one, one and no cards",
        {"rouge-et-noir-classic"},
    ),
    ("The opening", "only the top of each lies face up", ROUGE),
    ("The base", "starts with an ace", {"bristol"} | ROUGE),
    ("The base", "The first foundation's card names the base", DEALT),
    ("The base", "takes a top card of the tableau or reserve to a foundation", {"signora"}),
    ("The base", "takes a top card of the tableau to a foundation", {"terrace"}),
    ("The base", "Nothing else is allowed before it.", CHOSEN),
    ("The base", "the stock gives one card to each empty tableau pile", {"terrace"}),
    ("Foundations", "Four foundations build up regardless of suit", {"bristol"}),
    ("Foundations", "Eight foundations build up in alternating colors", TERRACE_KIN),
    ("Foundations", "an ace follows a king", TERRACE_KIN),
    ("Foundations", "Two foundations are for red cards and build up in one color", ROUGE),
    ("Foundations", "Two foundations are for black cards and build up in one color", ROUGE),
    ("Foundations", "Four foundations take complete runs only: the last 13 cards", ROUGE),
    ("Foundations", "When to move a run there is up to you.", ROUGE),
    ("Foundations", "Cards never leave a foundation.", ALL),
    ("Foundations", "full with 13 cards", ALL),
    ("Tableau", "Tableau piles build down regardless of suit.", {"bristol"}),
    ("Tableau", "Tableau piles build down in alternating colors", TERRACE_KIN | ROUGE),
    ("Tableau", "a king may lie on an ace", TERRACE_KIN),
    ("Tableau", "Nothing goes on an ace.", {"bristol"} | ROUGE),
    ("Tableau", "Cards move one at a time", {"bristol"} | TERRACE_KIN),
    ("Tableau", "moves as a unit, all of it or its upper part", ROUGE),
    ("Tableau", "turns face up at once", ROUGE),
    ("Empty piles", "An empty tableau pile stays empty for good.", {"bristol"}),
    ("Empty piles", "from the waste, and when that is empty from the stock.", {"signora"}),
    (
        "Empty piles",
        "from the stock, and when that is empty from the waste.",
        {"blondes-and-brunettes"},
    ),
    ("Empty piles", "one undo takes back both", {"signora", "blondes-and-brunettes"}),
    (
        "Empty piles",
        "With the waste and the stock gone, an empty pile stays empty for good.",
        {"signora"},
    ),
    ("Empty piles", "you may move the top card of another tableau pile", {"blondes-and-brunettes"}),
    ("Empty piles", "You fill an empty tableau pile yourself", DAWN),
    ("Empty piles", "there is no deal, no other tableau move and no move from the reserve", DAWN),
    ("Empty piles", "A shortcut is allowed", DAWN),
    (
        "Empty piles",
        "With the stock and the waste gone, an empty pile stays empty for good.",
        DAWN,
    ),
    ("Empty piles", "Only a king, or a run that starts with one", ROUGE),
    ("Reserve", "may go to a foundation only. Nothing is ever moved to the reserve.", TERRACE_KIN),
    ("Reserve", "may go to the tableau or to a foundation.", {"bristol"}),
    ("Reserve", "It is never refilled.", TERRACE_KIN),
    ("Reserve", "Only a deal brings new cards to it.", {"bristol"}),
    ("Stock", "one card on each reserve pile: empty piles come first", {"bristol"}),
    ("Stock", "25 cards make eight full deals and a last one of one card", {"bristol"}),
    ("Stock", "one card face up on each tableau pile, left to right, empty piles too", ROUGE),
    ("Stock", "59 cards make five full deals and a last one of nine cards", {"rouge-et-noir"}),
    ("Stock", "67 cards make six full deals and a last one of seven", {"rouge-et-noir-classic"}),
    ("Stock and waste", "A deal turns one card from the stock to the waste.", TERRACE_KIN),
    ("Stock and waste", "The top card of the waste may go to the tableau or to a", TERRACE_KIN),
    ("Stock and waste", "The top card of the stock may also be played straight", DAWN),
    ("Stock and waste", "You may deal at any time once the base is chosen.", {"signora"}),
    ("Stock and waste", "You may deal at any time. ", {"blondes-and-brunettes"}),
    ("Stock and waste", "You may deal whenever no tableau pile is empty.", DAWN),
    ("Stock", "You may deal at any time. ", {"bristol"} | ROUGE),
    ("The end", "Won: all 52 cards are on foundations.", {"bristol"}),
    ("The end", "Won: all 104 cards are on foundations.", ALL - {"bristol"}),
    ("The end", "Lost: the stock is empty, cards are still out, and no move is allowed.", ALL),
    ("The end", "Going round in circles", ALL),
    ("Where these rules come from", "Also known as Wood.", {"blondes-and-brunettes"}),
    ("Where these rules come from", "fsolitaire.com/bristol", {"bristol"}),
]


def page(ruleset: str) -> dict[str, str]:
    rules = find_ruleset(ruleset)
    assert rules is not None
    return {section.title: " ".join(section.paragraphs) for section in describe(rules)}


@pytest.mark.parametrize(("title", "sentence", "games"), SENTENCES)
def test_what_is_said_and_of_which_games(title, sentence, games):
    assert {ruleset for ruleset in ALL if sentence in page(ruleset).get(title, "")} == games


@pytest.mark.parametrize("ruleset", sorted(ALL))
def test_a_page_is_sections_of_whole_sentences(ruleset):
    sections = page(ruleset)
    assert next(iter(sections)) == "Goal"
    for text in sections.values():
        assert text[0].isupper()
        assert text.endswith(".")
        assert "  " not in text
        assert "None" not in text
        assert not {"talon", "row", "slot", "card cards", "a ace", "a eight"} & set(text.split())


@pytest.mark.parametrize("ruleset", sorted(ALL))
def test_only_games_with_a_reserve_or_a_waste_speak_of_it(ruleset):
    rules = find_ruleset(ruleset)
    assert rules is not None
    text = " ".join(page(ruleset).values())
    assert ("reserve" in text) == bool(rules.reserve)
    assert ("waste" in text) == bool(rules.waste)


def test_no_two_games_read_alike():
    pages = {str(page(ruleset)) for ruleset in ALL}
    assert len(pages) == len(ALL)
