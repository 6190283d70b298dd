"""What a click means, position by position."""

import random

import pytest

from app.engine.actions import DEAL, Move, parse_action
from app.engine.deal import opening
from app.engine.rules import legal_actions
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply
from app.games.clicks import (
    Grip,
    Nothing,
    Release,
    Select,
    parse_grip,
    read_click,
    targets,
)
from app.rulesets import RULESETS
from app.rulesets.blondes_and_brunettes import BLONDES_AND_BRUNETTES
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from app.rulesets.bristol import BRISTOL
from app.rulesets.freecell import FREECELL
from app.rulesets.klondike import KLONDIKE
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.signora import SIGNORA
from app.rulesets.spider import SPIDER
from app.rulesets.terrace import TERRACE
from tests.support.table import Table

GAINS_NOTHING = "That move gains nothing. To make it anyway, choose where the card goes."


def click(table: Table, clicked: str, held: str = ""):
    layout = table.rules.layout
    grip = parse_grip(layout, held) if held else None
    return read_click(table.rules, table.position, parse_grip(layout, clicked), grip)


def grip(text: str) -> Grip:
    return parse_grip(ROUGE_ET_NOIR.layout, text)


def action(table: Table, text: str):
    return parse_action(table.rules.layout, text)


def bristol(text: str) -> Table:
    return Table.of(BRISTOL, text)


def test_a_card_goes_to_a_foundation_before_anywhere_else():
    table = bristol("f1: AH\nt1: 2C\nt2: 3D")
    assert click(table, "t1") == action(table, "t1-f1")


def test_foundations_that_take_the_same_card_are_as_good_as_each_other():
    table = bristol("t1: AC")
    assert click(table, "t1") == action(table, "t1-f1")


def test_a_card_with_one_build_to_go_to_goes_there():
    table = bristol("t1: KH 4C\nt2: 5D\nt3: 9S")
    assert click(table, "t1") == action(table, "t1-t2")


@pytest.mark.parametrize(
    ("piles", "meaning"),
    [
        ("t1: 9S 4C\nt2: KH", "t1-c1"),  # cells are all alike
        ("t1: 9S 4C\nt2: KH\nc1: 2D", "t1-c2"),
        ("t1: 9S 4C\nt2: KH\nc1: 2D\nc2: 2H\nc3: 3C", "t1-c4"),
        ("t1: 9S 4C\nt2: 5H", "t1-t2"),
    ],
)
def test_a_card_with_nowhere_else_to_go_waits_in_a_cell(piles, meaning):
    others = "".join(f"\nt{n}: KS" for n in range(3, 9))
    table = Table.of(FREECELL, piles + others)
    assert click(table, "t1") == action(table, meaning)


@pytest.mark.parametrize(
    ("piles", "meaning"),
    [
        ("t1: 9S 4C\nt2: KH", "hold"),
        ("t1: 9S 4C\nt2: KH\nc1: 2D\nc2: 2H\nc3: 3C", "hold"),  # one cell is left
        ("t1: 9S 4C", "hold"),  # an empty column would take it, too
        ("t1: 9S 4C\nc1: 2D\nc2: 2H\nc3: 3C\nc4: 3S", "t1-t2"),
        ("t1: 9S 4C\nt2: 5H", "t1-t2"),
        ("t1: 9S AC\nt2: KH", "t1-f1"),
    ],
)
def test_where_moves_are_compared_no_card_waits_in_a_cell_unasked(piles, meaning):
    others = "".join(f"\nt{n}: KS" for n in range(3, 9))
    table = Table.of(FREECELL, piles + others)
    card = parse_grip(FREECELL.layout, "t1")
    clicked = read_click(table.rules, table.position, card, None, is_compared=True)
    assert clicked == (Select(card) if meaning == "hold" else action(table, meaning))


def test_a_second_click_puts_a_card_in_the_first_free_cell_if_it_can_go_nowhere_else():
    others = "".join(f"\nt{n}: KS" for n in range(3, 9))
    table = Table.of(FREECELL, f"t1: 9S 4C\nt2: KH\nc1: 2D{others}")
    assert click(table, "t1", held="t1") == action(table, "t1-c2")
    table = Table.of(FREECELL, f"t1: 9S 4C{others}")  # or to an empty column
    assert click(table, "t1", held="t1") == Release()


def test_when_cells_are_full_a_card_says_what_would_take_it():
    others = "".join(f"\nt{n}: KS" for n in range(3, 9))
    table = Table.of(FREECELL, f"t1: 9S 4C\nt2: KH\nc1: 2D\nc2: 2H\nc3: 3C\nc4: 3S{others}")
    assert click(table, "t1") == Nothing(
        "The four of clubs has nowhere to go right now. A red five would take it."
    )


def test_a_card_that_lies_on_one_that_fits_can_stay_there():
    others = "".join(f"\nt{n}: KS" for n in range(2, 9))
    full = "\nc1: 2D\nc2: 2H\nc3: 3C\nc4: 3S"
    table = Table.of(FREECELL, f"t1: 5H 4C{full}{others}")
    assert click(table, "t1") == Nothing(
        "The four of clubs already lies on the five of hearts. It has nowhere else to go right now."
    )


def test_a_card_in_a_cell_says_what_would_take_it():
    columns = "".join(f"\nt{n}: 2S" for n in range(1, 9))
    table = Table.of(FREECELL, f"c1: KC\nc2: 4C{columns}")
    assert click(table, "c1") == Nothing(
        "The king of clubs has nowhere to go right now. It needs an empty column."
    )
    assert click(table, "c2") == Nothing(
        "The four of clubs has nowhere to go right now. A red five would take it."
    )


def test_a_card_with_two_builds_to_go_to_is_taken_hold_of():
    table = bristol("t1: KH 4C\nt2: 5D\nt3: 5S")
    assert click(table, "t1") == Select(grip("t1"))
    assert targets(table.rules, table.position, grip("t1")) == ["t2", "t3"]


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_a_card_with_one_place_goes_there_unless_that_gains_nothing(rules):
    chance = random.Random(f"clicks {rules.id}")
    position = opening(rules, deck_of_seed(chance.randbytes(32), rules.decks))
    for _ in range(40):
        legal = legal_actions(rules, position)
        if not legal:
            break
        moves = [each for each in legal if isinstance(each, Move)]
        for move in moves:
            clicked = Grip(move.source, move.count)
            if [(each.source, each.count) for each in moves].count(clicked) == 1:
                meaning = read_click(rules, position, clicked, None, legal)
                leaves_foundation = rules.layout.index[move.source] in rules.layout.foundations
                assert (
                    meaning == move
                    or leaves_foundation
                    or (isinstance(meaning, Select) and meaning.because == GAINS_NOTHING)
                )
        position = apply(rules, position, chance.choice(legal))


def test_a_card_goes_from_one_build_to_its_one_equal():
    table = bristol("t1: 5H 4C\nt2: 5D")
    assert click(table, "t1") == action(table, "t1-t2")


def test_a_card_leaves_its_run_for_a_worse_place_only_with_a_second_click():
    empty_columns = "".join(f"\nt{n}: KS" for n in range(3, 11))
    table = Table.of(SPIDER, f"t1: 5C 4C\nt2: 5D{empty_columns}")
    assert click(table, "t1") == Select(grip("t1"), GAINS_NOTHING)
    assert click(table, "t2", held="t1") == action(table, "t1-t2")
    table = Table.of(SPIDER, f"t1: 5D 4C\nt2: 5C{empty_columns}")
    assert click(table, "t1") == action(table, "t1-t2")


def test_a_card_with_nowhere_to_go_says_so():
    table = bristol("t1: 9C\nt2: 5D")
    assert click(table, "t1") == Nothing(
        "The nine of clubs has nowhere to go right now. A ten would take it."
    )


@pytest.mark.parametrize(
    ("rules", "home", "sentence"),
    [
        (
            KLONDIKE,
            "AD 2D 3D 4D",
            "A black seven would take it. On a foundation, the five of diamonds comes first.",
        ),
        (KLONDIKE, "AD 2D 3D", "A black seven would take it."),  # two are missing
        (KLONDIKE, "AC 2C 3C 4C", "A black seven would take it."),
        (BRISTOL, "AC 2D 3S 4H", "A seven would take it. On a foundation, a five comes first."),
    ],
)
def test_a_card_that_only_lacks_one_before_it_on_a_foundation_says_which(rules, home, sentence):
    blocked = "".join(f"\nt{n}: KS" for n in range(2, len(rules.layout.tableau) + 1))
    table = Table.of(rules, f"f1: {home}\nt1: 9C 6D{blocked}")
    assert click(table, "t1") == Nothing(
        f"The six of diamonds has nowhere to go right now. {sentence}"
    )


@pytest.mark.parametrize(
    ("rules", "card", "sentence"),
    [
        (
            KLONDIKE,
            "KH",
            "The king of hearts has nowhere to go right now. It needs an empty column.",
        ),
        (
            KLONDIKE,
            "QH",
            "The queen of hearts has nowhere to go right now. A black king would take it.",
        ),
        (SPIDER, "KH", "The king of hearts has nowhere to go right now. It needs an empty column."),
        # There an empty column stays empty.
        (BRISTOL, "KH", "The king of hearts has nowhere to go right now."),
    ],
)
def test_a_card_that_no_other_takes_needs_an_empty_column_if_that_takes_it(rules, card, sentence):
    blocked = "".join(f"\nt{n}: 5S" for n in range(2, len(rules.layout.tableau) + 1))
    assert click(Table.of(rules, f"t1: 9C {card}{blocked}"), "t1") == Nothing(sentence)


def test_the_second_click_chooses():
    table = bristol("t1: KH 4C\nt2: 5D\nt3: 5S")
    assert click(table, "t3", held="t1") == action(table, "t1-t3")


def test_a_second_click_on_the_held_card_lets_go():
    table = bristol("t1: KH 4C\nt2: 5D\nt3: 5S")
    assert click(table, "t1", held="t1") == Release()


def test_a_click_on_another_playable_card_selects_it_and_refuses_nothing():
    table = bristol("t1: KH 4C\nt2: 5D\nt3: 5S\nt4: 8C\nt5: 9D\nt6: 9C")
    taken = click(table, "t4", held="t1")
    assert taken == Select(grip("t4"))


def test_a_click_on_another_card_with_one_place_plays_it_unless_each_move_counts():
    """There it may as well be meant as a place for the cards that are held."""
    table = bristol("t1: KH 4C\nt2: 5D\nt3: 5S\nt4: 8C\nt5: 9D")
    assert click(table, "t4", held="t1") == click(table, "t4") == action(table, "t4-t5")
    compared = read_click(table.rules, table.position, grip("t4"), grip("t1"), is_compared=True)
    assert compared == Select(grip("t4"))


def test_a_click_on_an_illegal_target_is_refused_with_a_reason():
    table = bristol("t1: KH 4C\nt2: 5D\nt3: 5S\nt4: JC")
    assert click(table, "t4", held="t1") == action(table, "t1-t4")
    assert click(table, "f2", held="t1") == action(table, "t1-f2")


def test_what_is_held_but_lies_there_no_more_is_forgotten():
    table = bristol("t1: 4C\nt2: 5D")
    assert click(table, "t1", held="t7") == action(table, "t1-t2")


@pytest.mark.parametrize("rules", [BRISTOL, SIGNORA, BLONDES_AND_BRUNETTES, ROUGE_ET_NOIR])
def test_a_click_on_a_face_down_stock_always_deals(rules):
    table = Table.dealt(rules)
    assert click(table, "stock") == DEAL
    assert click(table, "stock", held="t1") == DEAL


def test_the_top_of_a_stock_that_lies_face_up_is_a_card_to_play():
    piles = "\n".join(f"t{n}: 2H" for n in range(2, 10))
    table = Table.of(TILL_DAWN, f"stock: [2C] 6H\nf1: 9S\nt1: 7S\n{piles}")
    assert click(table, "stock") == action(table, "stock-t1")


def test_the_top_of_a_face_up_stock_that_fits_nowhere_is_dealt():
    piles = "\n".join(f"t{n}: 2H" for n in range(1, 10))
    table = Table.of(TILL_DAWN, f"stock: [2C] 6H\nf1: 9S\n{piles}")
    assert click(table, "stock") == DEAL
    assert click(table, "stock", held="t1") == DEAL


def test_the_top_of_a_face_up_stock_is_not_dealt_before_the_base_is_chosen():
    assert isinstance(click(Table.dealt(TERRACE), "stock"), Nothing)


def test_the_top_of_a_stock_that_is_held_may_be_put_on_the_waste():
    piles = "\n".join(f"t{n}: 7S" for n in range(1, 10))
    table = Table.of(TILL_DAWN, f"stock: [2C] 6H\nf1: 9S\n{piles}")
    assert click(table, "stock") == Select(grip("stock"))
    assert targets(table.rules, table.position, grip("stock"))[0] == "waste"
    assert click(table, "waste", held="stock") == DEAL


def test_the_top_of_a_stock_goes_to_no_waste_while_a_pile_is_empty():
    piles = "\n".join(f"t{n}: 7S" for n in range(2, 10))
    table = Table.of(TILL_DAWN, f"stock: [2C] 6H\nf1: 9S\n{piles}")
    assert "waste" not in targets(table.rules, table.position, grip("stock"))
    assert click(table, "waste", held="stock") == action(table, "stock-waste")


def test_a_space_that_must_be_filled_is_offered_beside_a_build():
    piles = "\n".join(f"t{n}: 2H" for n in range(2, 9))
    table = Table.of(TILL_DAWN, f"stock: [2C] 6H\nf1: 9S\n{piles}\nt9: 7S")
    assert click(table, "stock") == Select(grip("stock"))
    assert click(table, "t1", held="stock") == action(table, "stock-t1")


def test_other_cards_say_that_the_space_comes_first():
    piles = "\n".join(f"t{n}: 2H" for n in range(2, 9))
    table = Table.of(TILL_DAWN, f"stock: [2C] 6H\nf1: 9S\n{piles}\nt9: 7S")
    assert click(table, "t2") == Nothing(
        "Fill the empty column first, from the stock or the waste."
    )


def test_a_click_on_a_stuck_reserve_card_names_its_targets():
    table = Table.of(SIGNORA, "r1: 4C 9H\nf1: 5S\nt1: TS")
    assert click(table, "r1") == Nothing("Cards in the reserve can only go to the foundations.")


def test_before_the_base_is_chosen_only_a_choice_is_made():
    table = Table.dealt(SIGNORA)
    assert click(table, "t1") == action(table, "t1-f1")
    assert click(table, "f1") == Nothing(
        "The first card you put on a foundation sets the base for all of them."
    )


def test_a_run_is_moved_by_the_card_that_is_clicked():
    table = Table.of(ROUGE_ET_NOIR, "t1: KC 9H 8S 7H\nt2: TC\nt3: 9D")
    assert click(table, "t1:3") == action(table, "t1-t2:3")
    assert click(table, "t1:2") == action(table, "t1-t3:2")


def test_a_card_that_cannot_move_alone_takes_the_longer_run():
    table = Table.of(ROUGE_ET_NOIR, "t1: KC 9H 8S 7H\nt2: TC")
    assert click(table, "t1") == action(table, "t1-t2:3")


def test_the_target_settles_how_much_of_a_held_run_goes():
    table = Table.of(ROUGE_ET_NOIR, "t1: KC 9H 8S 7H\nt2: TC\nt3: 9D")
    assert click(table, "t2", held="t1:2") == action(table, "t1-t2:3")


def test_another_part_of_the_held_run_is_taken_instead():
    table = Table.of(ROUGE_ET_NOIR, "t1: KC 9H 8S 7H\nt2: TC\nt3: 9D\nt4: TS")
    assert click(table, "t1:3", held="t1:2") == Select(grip("t1:3"))


def test_cards_that_are_not_a_run_are_refused_with_the_definition_of_a_run():
    table = Table.of(ROUGE_ET_NOIR, "t1: KC 9H 8S 2H\nt2: TC")
    assert click(table, "t1:3") == Nothing(
        "Those cards aren't a run: runs build down in alternating colors."
    )


def test_a_king_goes_to_an_empty_column_but_not_from_one_to_another():
    others = "".join(f"\nt{n}: 2H" for n in range(4, 11))
    table = Table.of(ROUGE_ET_NOIR, f"t1: 4H KC QH\nt3: KD{others}")
    assert click(table, "t1:2") == action(table, "t1-t2:2")
    assert click(table, "t3") == Select(grip("t3"), GAINS_NOTHING)
    table = Table.of(ROUGE_ET_NOIR, "t1: 4H KC QH\nt3: KD")
    assert click(table, "t3") == Select(grip("t3"))  # it has several places


@pytest.mark.parametrize(
    ("rules", "pile", "sentence"),
    [
        (BRISTOL, "t1", "An empty column can't be refilled."),
        (BRISTOL, "r2", "This reserve pile is empty."),
        (BRISTOL, "f1", "An empty foundation starts with an ace."),
        (
            ROUGE_ET_NOIR,
            "f5",
            "That foundation only takes a complete run from king to ace, in one move.",
        ),
        (SIGNORA, "waste", "The waste is empty: the next deal puts a card here."),
        (TILL_DAWN, "stock", "The stock is empty, and there is no redeal."),
    ],
)
def test_an_empty_place_explains_its_purpose(rules, pile, sentence):
    table = Table.of(rules, "")
    assert click(table, pile) == Nothing(sentence)


def test_cards_never_leave_a_foundation():
    assert click(bristol("f1: AC"), "f1") == Nothing("Cards never leave a foundation.")


def test_a_card_leaves_a_foundation_only_with_a_second_click():
    table = Table.of(KLONDIKE, "f1: AS 2S\nt1: 3H")
    assert click(table, "f1") == Select(parse_grip(KLONDIKE.layout, "f1"))
    assert click(Table.of(KLONDIKE, "f1: AS 2S\nt1: 3C"), "f1") == Nothing(
        "The two of spades has nowhere to go right now. A red three would take it."
    )


@pytest.mark.parametrize("text", ["t3", "t3:4", "stock", "f8", "r1:11"])
def test_parse_grip_is_the_inverse_of_str(text):
    assert str(parse_grip(SIGNORA.layout, text)) == text


@pytest.mark.parametrize(
    "text", ["", "t0", "t10", "t3:0", "t3x2", "t3:1000", "T3", "t3 ", "x" * 99]
)
def test_a_grip_that_names_no_place_is_refused_with_a_sentence(text):
    with pytest.raises(ValueError, match=r"This game has no pile|is not a pile"):
        parse_grip(SIGNORA.layout, text)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_every_place_of_an_opening_can_be_clicked(rules):
    table = Table.dealt(rules)
    for pile in rules.layout.ids:
        meaning = click(table, pile)
        assert not isinstance(meaning, Nothing) or meaning.because.endswith(".")
