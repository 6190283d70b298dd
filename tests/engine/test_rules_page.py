"""The rules page of each game has the sentences that apply to it, and no others."""

import pytest

from app.engine.rules_page import describe
from app.rulesets import HOUSE_RULESETS, RULESETS, find_ruleset

DAWN = {"blondes-and-brunettes-till-dawn", "terrace", "falling-star"}
ROUGE = {"rouge-et-noir", "rouge-et-noir-classic"}
CHOSEN = {"signora", "terrace"}
DEALT = {"blondes-and-brunettes", "blondes-and-brunettes-till-dawn", "falling-star"}
TERRACE_FAMILY = CHOSEN | DEALT
ALL = {rules.id for rules in RULESETS}
FIRST = {
    rules.id for rules in HOUSE_RULESETS
}  # those whose pages are compared sentence by sentence

# A section, a sentence in it, and exactly the games whose page has it.
SENTENCES = [
    ("Goal", "Move all 52 cards (one deck) to the foundations.", {"bristol"}),
    ("Goal", "Move all 104 cards (two decks) to the foundations.", TERRACE_FAMILY),
    ("Goal", ": 52 of them one by one and 52 as four runs.", ROUGE),
    ("The deal", "Eight columns get three cards each, face up.", {"bristol"}),
    (
        "The deal",
        "Kings are moved to the bottom of each column, in the order they were dealt.",
        {"bristol"},
    ),
    ("The deal", "One card is dealt face up to each of the three reserve piles.", {"bristol"}),
    ("The deal", "The other 25 cards form the stock, face down.", {"bristol"}),
    (
        "The deal",
        "The other 84 cards form the stock, face down.",
        {"signora", "blondes-and-brunettes"},
    ),
    (
        "The deal",
        "The other 84 cards form the stock, face up, with only the top card showing",
        {"blondes-and-brunettes-till-dawn", "falling-star"},
    ),
    (
        "The deal",
        "The other 90 cards form the stock, face up, with only the top card showing",
        {"terrace"},
    ),
    ("The deal", "The other 59 cards form the stock, face down.", {"rouge-et-noir"}),
    ("The deal", "The other 67 cards form the stock, face down.", {"rouge-et-noir-classic"}),
    (
        "The deal",
        "Ten cards are dealt face up to the reserve",
        {"blondes-and-brunettes", "blondes-and-brunettes-till-dawn"},
    ),
    (
        "The deal",
        "Eleven cards are dealt face up to the reserve",
        {"signora", "terrace", "falling-star"},
    ),
    ("The deal", "One card is dealt to the first foundation.", DEALT),
    (
        "The deal",
        "Nine columns get one card each, face up.",
        {"signora", "blondes-and-brunettes", "blondes-and-brunettes-till-dawn"},
    ),
    ("The deal", "Eight columns get one card each, face up.", {"falling-star"}),
    ("The deal", "The first three get one card each, face up.", {"terrace"}),
    (
        "The deal",
        "get nine, eight, seven, six, five, four, three, two, one and no cards",
        {"rouge-et-noir"},
    ),
    (
        "The deal",
        "get eight, seven, six, five, four, three, two, one, one and no cards",
        {"rouge-et-noir-classic"},
    ),
    ("The deal", "Only the top card of each is face up", ROUGE),
    ("Foundations", "starting with an ace", {"bristol"} | ROUGE),
    ("The base", "The card on the first foundation sets the base", DEALT),
    ("The base", "take the top card of a column or the reserve to a foundation", {"signora"}),
    ("The base", "take the top card of a column to a foundation", {"terrace"}),
    ("The base", "No other first move is allowed.", CHOSEN),
    ("The base", "One card is then dealt from the stock to each empty column", {"terrace"}),
    ("Foundations", "Four foundations build up regardless of suit", {"bristol"}),
    ("Foundations", "Eight foundations build up in alternating colors", TERRACE_FAMILY),
    ("Foundations", "an ace goes on a king", TERRACE_FAMILY),
    ("Foundations", "Two foundations are for red cards and build up in one color", ROUGE),
    ("Foundations", "Two foundations are for black cards and build up in one color", ROUGE),
    ("Foundations", "Four foundations take complete runs only: the top 13 cards", ROUGE),
    ("Foundations", "You decide when to move a run there.", ROUGE),
    ("Foundations", "Cards never leave a foundation.", ALL),
    ("Foundations", "holds 13 cards", ALL),
    ("Columns", "Columns build down regardless of suit.", {"bristol"}),
    ("Columns", "Columns build down in alternating colors", TERRACE_FAMILY | ROUGE),
    ("Columns", "a king can go on an ace", TERRACE_FAMILY),
    ("Columns", "Nothing can go on an ace.", {"bristol"} | ROUGE),
    ("Columns", "Cards move one at a time", {"bristol"} | TERRACE_FAMILY),
    ("Columns", "together: all of it, or any number of cards from its top", ROUGE),
    ("Columns", "it turns face up", ROUGE),
    ("Empty columns", "An empty column can't be refilled.", {"bristol"}),
    ("Empty columns", "from the waste or, when that is empty, from the stock.", {"signora"}),
    (
        "Empty columns",
        "from the stock or, when that is empty, from the waste.",
        {"blondes-and-brunettes"},
    ),
    ("Empty columns", "one undo takes back both", {"signora", "blondes-and-brunettes"}),
    (
        "Empty columns",
        "Once the waste and the stock are empty, an empty column can't be refilled.",
        {"signora"},
    ),
    ("Empty columns", "you can move the top card of another column", {"blondes-and-brunettes"}),
    (
        "Empty columns",
        "You must fill an empty column with the top card of the stock or the waste",
        DAWN,
    ),
    ("Empty columns", "you can't deal, move a card from a column or play from the reserve", DAWN),
    ("Empty columns", "There is a shortcut", DAWN),
    (
        "Empty columns",
        "Once the stock and the waste are empty, an empty column can't be refilled.",
        DAWN,
    ),
    ("Empty columns", "Only a king, or a run that starts with one", ROUGE),
    (
        "Reserve",
        "can only go to a foundation. You can't move cards to the reserve.",
        TERRACE_FAMILY,
    ),
    ("Reserve", "can go to a column or to a foundation.", {"bristol"}),
    ("Reserve", "It is never refilled.", TERRACE_FAMILY),
    ("Reserve", "Only a deal adds cards to it.", {"bristol"}),
    ("Stock", "one card on each reserve pile: first the empty piles", {"bristol"}),
    ("Stock", "25 cards make eight full deals and a last deal of one card", {"bristol"}),
    ("Stock", "one card face up on each column, left to right, including empty columns", ROUGE),
    ("Stock", "59 cards make five full deals and a last deal of nine cards", {"rouge-et-noir"}),
    ("Stock", "67 cards make six full deals and a last deal of seven", {"rouge-et-noir-classic"}),
    (
        "Stock and waste",
        "A deal moves one card from the stock to the waste, face up.",
        TERRACE_FAMILY,
    ),
    ("Stock and waste", "The top card of the waste can go to a column or to a", TERRACE_FAMILY),
    (
        "Stock and waste",
        "Instead of dealing the top card of the stock, you can move it to a column or to a foundation.",
        DAWN,
    ),
    ("Stock and waste", "You can deal at any time once the base is chosen.", {"signora"}),
    ("Stock and waste", "You can deal at any time. ", {"blondes-and-brunettes"}),
    ("Stock and waste", "You can deal whenever no column is empty.", DAWN),
    ("Stock", "You can deal at any time. ", {"bristol"} | ROUGE),
    ("The end", "You win when all 52 cards are on the foundations.", {"bristol"}),
    ("The end", "You win when all 104 cards are on the foundations.", ALL - {"bristol"}),
    ("The end", "You lose when the stock is empty and no legal move is left.", ALL),
    ("The end", "You are going in circles", ALL),
    ("Where these rules come from", "fsolitaire.com/bristol", {"bristol"}),
]


def page(ruleset: str) -> dict[str, str]:
    rules = find_ruleset(ruleset)
    assert rules is not None
    return {section.title: " ".join(section.paragraphs) for section in describe(rules)}


@pytest.mark.parametrize(("title", "sentence", "games"), SENTENCES)
def test_a_sentence_is_on_the_pages_of_exactly_these_games(title, sentence, games):
    assert {
        ruleset for ruleset in FIRST if sentence in page(ruleset).get(title, "")
    } == games & FIRST


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
def test_only_games_with_a_reserve_or_a_waste_mention_it(ruleset):
    rules = find_ruleset(ruleset)
    assert rules is not None
    text = " ".join(page(ruleset).values())
    assert ("reserve" in text) == bool(rules.reserve)
    assert ("waste" in text) == bool(rules.waste)


def test_face_down_cards_are_told_column_by_column():
    down = "From left to right, the columns have no, one, two, three, four, five and six face-down"
    assert down in page("yukon")["The deal"]


def test_a_stock_smaller_than_a_deal_says_which_columns_it_reaches():
    assert (
        "The stock has three cards, for one deal to the first three columns."
        in page("scorpion")["Stock"]
    )


def test_no_two_games_read_alike():
    pages = {str(page(ruleset)) for ruleset in ALL}
    assert len(pages) == len(ALL)
