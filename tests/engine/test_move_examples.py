"""The examples of moves on the rules pages: found for every rule set, and true."""

from collections import Counter

import pytest

from app.engine.actions import DEAL
from app.engine.move_captions import caption, shown_piles
from app.engine.move_examples import move_examples
from app.engine.rules import refusal
from app.engine.rules_page import describe
from app.engine.transition import IllegalActionError, apply
from app.engine.vocabulary import Match
from app.rulesets import RULESETS, find_ruleset

EVERY = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)


@EVERY
def test_each_example_is_judged_by_the_rules(rules):
    for example in move_examples(rules):
        assert refusal(rules, example.position, example.action) == example.refused
        if example.refused:
            with pytest.raises(IllegalActionError):
                apply(rules, example.position, example.action)
        else:
            apply(rules, example.position, example.action)


@EVERY
def test_no_picture_is_missing(rules):
    examples = move_examples(rules)
    sections = [section.title for section in describe(rules)]
    shown = {example.section for example in examples}
    text_only = {"Goal", "The deal", "The end", "Where these rules come from"}
    assert shown == set(sections) - text_only
    for section in {"The base", "Foundations", "Columns"} & set(sections):
        verdicts = {not example.refused for example in examples if example.section == section}
        assert verdicts == {True, False}, section
    assert rules.can_deal == any(example.action == DEAL for example in examples)
    # In the order of the page.
    order = [sections.index(example.section) for example in examples]
    assert order == sorted(order)


@EVERY
def test_a_caption_says_whether_the_move_is_possible_and_why_not(rules):
    for example in move_examples(rules):
        text = caption(rules, example)
        assert text.endswith(".")
        assert text[0].isupper()
        assert ("can't" in text.split(". ")[0]) == bool(example.refused)
        if example.refused:
            assert text.endswith(example.refused.sentence)
        assert len(shown_piles(rules, example)) >= 2


@EVERY
def test_the_refused_card_shows_what_the_build_asks_for(rules):
    """Where color matters, the example that is refused has the right rank and the wrong color."""
    legal, illegal = [e for e in move_examples(rules) if e.section == "Columns"][:2]
    source, _target = shown_piles(rules, legal)
    good, bad = (example.position.piles[source].cards[-1] for example in (legal, illegal))
    matters = rules.tableau.build.match is not Match.ANY
    assert (good.rank is bad.rank) == matters


CAPTIONS = [
    ("bristol", "Only an eight can go on the nine of clubs."),
    ("bristol", "An empty column can't be refilled."),
    ("bristol", "A deal puts one card on each of the three reserve piles."),
    ("signora", "from the waste fills the empty column."),
    ("signora", "Choose the base first: move the top card of a column or the reserve"),
    ("blondes-and-brunettes", "Once the stock and the waste are empty, you can move"),
    ("terrace", "Fill the empty column first, from the stock or the waste."),
    ("terrace", "You can move the king of diamonds to the ace of clubs."),
    ("rouge-et-noir", "You can move the king of clubs and the twelve cards on it to an empty"),
    ("rouge-et-noir", "You can move the king of clubs to an empty column."),
]


@pytest.mark.parametrize(("ruleset", "sentence"), CAPTIONS)
def test_a_caption_follows_from_the_rules(ruleset, sentence):
    rules = find_ruleset(ruleset)
    assert rules
    assert sentence in " ".join(caption(rules, example) for example in move_examples(rules))


@EVERY
def test_each_picture_shows_only_cards_that_the_deck_has(rules):
    deck = Counter(rules.deck)
    for example in move_examples(rules):
        positions = [example.position]
        if not example.refused:
            positions.append(apply(rules, example.position, example.action))
        shown = shown_piles(rules, example)
        for position in positions:
            cards = Counter(card for pile in shown for card in position.piles[pile].cards)
            assert cards <= deck, caption(rules, example)
