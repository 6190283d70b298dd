"""Rouge et Noir, sentence by sentence. The lines in quotes are the rules."""

import pytest

from app.engine.rules import Rule
from app.engine.transition import is_lost, is_won
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from tests.support.table import Table

RUN = "KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC"


def test_columns_of_nine_down_to_one_and_an_empty_tenth():
    """ "Deal, column by column: t1 nine cards, t2 eight ... t9 one, t10 none; only the top card of
    each face up. Stock 59 face down."
    """
    table = Table.dealt(ROUGE_ET_NOIR)
    assert [table[f"t{n}"] for n in range(1, 11)] == [
        "[AC 2C 3C 4C 5C 6C 7C 8C] 9C",
        "[TC JC QC KC AD 2D 3D] 4D",
        "[5D 6D 7D 8D 9D TD] JD",
        "[QD KD AH 2H 3H] 4H",
        "[5H 6H 7H 8H] 9H",
        "[TH JH QH] KH",
        "[AS 2S] 3S",
        "[4S] 5S",
        "6S",
        "-",
    ]
    assert table.size("stock") == 59
    assert table["stock"].startswith("[KS QS ")
    assert table["stock"].endswith(" 9S 8S 7S]")
    assert [table[f"f{n}"] for n in range(1, 9)] == ["-"] * 8
    assert not {"waste", "r1", "f9", "t11"} & set(ROUGE_ET_NOIR.layout.index)


def test_two_foundations_build_red_and_two_black_from_ace_to_king_by_color():
    """ "Foundations f1, f2 build red A to K by colour, f3, f4 black A to K by colour" """
    table = Table.of(ROUGE_ET_NOIR, "f1: AH\nt1: AD\nt2: AC\nt3: 2D\nt4: 2S\nt5: 2H\nf3: AS")
    home = {move for move in table.legal() if "-f" in move}
    assert home == {"t1-f2", "t2-f4", "t3-f1", "t5-f1", "t4-f3"}
    assert table.refusal("t1-f4") is Rule.FOUNDATION_COLOR
    assert table.refusal("t2-f2") is Rule.FOUNDATION_COLOR
    assert table.refusal("t4-f1") is Rule.FOUNDATION_COLOR
    assert table.refusal("t3-f2") is Rule.FOUNDATION_BASE
    assert table.refusal("t1-f1") is Rule.BUILD


def test_there_is_no_third_red_foundation():
    table = Table.of(ROUGE_ET_NOIR, "f1: AH\nf2: AD 2D\nt1: AH\nt2: KC")
    assert not {move for move in table.legal() if "-f" in move}


def test_single_top_cards_only():
    """ "single top cards only" """
    table = Table.of(ROUGE_ET_NOIR, "f1: AH\nt1: 3C 2D")
    assert table.refusal("t1-f1:2") is Rule.ONE_CARD
    assert table.refusal("t1-f1") is None


def test_a_color_foundation_is_not_circular():
    full = "AH 2D 3H 4D 5H 6D 7H 8D 9H TD JH QD KH"
    table = Table.of(ROUGE_ET_NOIR, f"f1: {full}\nt1: AD\nt2: KD")
    assert table.refusal("t1-f1") is Rule.FOUNDATION_FULL
    assert table.refusal("t2-f2") is Rule.FOUNDATION_BASE
    assert table.refusal("t1-f2") is None


@pytest.mark.parametrize("below", ["", "3D ", "[5C] ", "[KH QC] KD QC JD "])
@pytest.mark.parametrize("run", [RUN, "KH QS JD TC 9H 8S 7D 6C 5H 4S 3D 2C AD"])
def test_a_complete_run_goes_to_a_run_foundation(below, run):
    """ "f5..f8 take a complete King-to-Ace run in alternating colours, the last 13 cards of a column,
    one run a pile"
    """
    table = Table.of(ROUGE_ET_NOIR, f"t1: {below}{run}\nf5: {RUN}")
    assert table.refusal("t1-f5:13") is Rule.FOUNDATION_FULL
    for pile in ("f6", "f7", "f8"):
        assert table.after(f"t1-{pile}:13")[pile] == run
    assert "t1-f1:13" not in table.legal()


def test_by_the_players_move_never_forced():
    """ "by the player's move (never forced)" """
    table = Table.of(
        ROUGE_ET_NOIR, f"t1: KS {RUN.removeprefix('KC ')[:-3]}\nt2: AS\nt3: 2H\nt5: 6S"
    )
    table = table.after("t2-t1")
    assert table.size("t1") == 13
    assert {"t1-f5:13", "t1-f3", "t1-t3"} <= table.legal()


@pytest.mark.parametrize(
    ("column", "count"),
    [
        ("QD JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC", 12),
        (RUN, 12),
        (RUN, 1),
        (RUN.removesuffix(" AC"), 12),
        (f"{RUN} KD", 1),
        ("KC QC JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC", 11),
    ],
)
def test_nothing_but_a_complete_run_goes_there(column, count):
    table = Table.of(ROUGE_ET_NOIR, f"t1: {column}")
    assert table.refusal(f"t1-f5:{count}") is Rule.WHOLE_RUN


def test_thirteen_cards_that_are_no_run_stay():
    table = Table.of(ROUGE_ET_NOIR, f"t1: {RUN.replace('QD', 'QC')}\nt2: [KC] {RUN[3:]}")
    assert table.refusal("t1-f5:13") is Rule.NOT_A_RUN
    assert table.refusal("t2-f5:13") is Rule.FACE_DOWN


def test_the_tableau_builds_down_in_alternating_colors_not_in_a_circle():
    """ "Tableau: down, alternating colours, not circular" """
    table = Table.of(ROUGE_ET_NOIR, "t1: 9C\nt2: 8D\nt3: 8S\nt4: AC\nt5: KD\nt6: 2H\nt7: 9H")
    moves = {move for move in table.legal() if "-t" in move}
    # The king may go to the empty t8, t9 and t10.
    assert moves == {"t2-t1", "t3-t7", "t4-t6", "t5-t8", "t5-t9", "t5-t10"}
    assert table.refusal("t5-t4") is Rule.BUILD


def test_any_ordered_face_up_run_or_its_upper_part_moves_as_a_unit():
    """ "any correctly ordered face-up run, or the upper part of one, moves as a unit" """
    table = Table.of(ROUGE_ET_NOIR, "t1: [2S] TD 9C 8D 7C\nt2: JS\nt3: 9S\nt4: 8H\nt5: TH")
    moves = {move for move in table.legal() if move.startswith("t1") and "-t" in move}
    assert moves == {"t1-t2:4", "t1-t5:3", "t1-t3:2", "t1-t4"}
    table = table.after("t1-t3:2")
    assert [table["t1"], table["t3"]] == ["[2S] TD 9C", "9S 8D 7C"]
    table = table.after("t1-t2:2")
    assert [table["t1"], table["t2"]] == ["2S", "JS TD 9C"]


def test_cards_out_of_order_do_not_move_together():
    table = Table.of(ROUGE_ET_NOIR, "t1: TD 9D 8C\nt2: JS\nt3: 9H\nt4: TC")
    assert table.refusal("t1-t2:3") is Rule.NOT_A_RUN
    assert table.refusal("t1-t4:2") is None
    assert table.refusal("t1-t3") is None


def test_face_down_cards_do_not_move():
    table = Table.of(ROUGE_ET_NOIR, "t1: [TD] 9C\nt2: JS")
    assert table.refusal("t1-t2:2") is Rule.FACE_DOWN


def test_only_a_king_or_a_run_that_starts_with_one_goes_to_an_empty_column():
    """ "Only a King, or a run that starts with a King, may go to an empty column." """
    table = Table.of(ROUGE_ET_NOIR, "t1: [5C] KC QD JC\nt2: KH\nt3: QS")
    assert table.refusal("t1-t4:3") is None
    assert table.refusal("t1-t4:2") is Rule.EMPTY_PILE
    assert table.refusal("t1-t4") is Rule.EMPTY_PILE
    assert table.refusal("t2-t4") is None
    assert table.refusal("t3-t4") is Rule.EMPTY_PILE
    after = table.after("t1-t10:3")
    assert [after["t1"], after["t10"]] == ["5C", "KC QD JC"]


def test_an_uncovered_card_turns_face_up_at_once():
    """ "An uncovered card turns face up at once." """
    table = Table.of(ROUGE_ET_NOIR, f"t1: [9H 3D] 4S\nt2: 5H\nt3: [2C 3C] {RUN}\nt4: [JH] AD")
    assert table.after("t1-t2")["t1"] == "[9H] 3D"
    assert table.after("t3-f6:13")["t3"] == "[2C] 3C"
    assert table.after("t4-f1")["t4"] == "JH"


def test_a_face_up_card_below_is_left_as_it_is():
    table = Table.of(ROUGE_ET_NOIR, "t1: [9H 3D] 7S 4S\nt2: 5H")
    assert table.after("t1-t2")["t1"] == "[9H 3D] 7S"


def test_a_deal_gives_one_card_face_up_to_each_column_empty_ones_too():
    """ "Deal move: one card face up to each column, left to right, empty columns too" """
    table = Table.dealt(ROUGE_ET_NOIR).after("deal")
    assert [table[f"t{n}"].split()[-1] for n in range(1, 11)] == (
        ["7S", "8S", "9S", "TS", "JS", "QS", "KS", "AC", "2C", "3C"]
    )
    assert table["t1"] == "[AC 2C 3C 4C 5C 6C 7C 8C] 9C 7S"
    assert table["t10"] == "3C"
    assert table.size("stock") == 49


def test_the_last_deal_reaches_the_first_nine_columns():
    """ "the last deal (nine cards) reaches t1..t9" """
    table = Table.dealt(ROUGE_ET_NOIR).after(*["deal"] * 5)
    assert table.size("stock") == 9
    before = [table.size(f"t{n}") for n in range(1, 11)]
    table = table.after("deal")
    after = [table.size(f"t{n}") for n in range(1, 11)]
    assert [now - was for now, was in zip(after, before, strict=True)] == [1] * 9 + [0]
    assert [table[f"t{n}"].split()[-1] for n in (1, 9, 10)] == ["5S", "KS", "4S"]
    assert table["stock"] == "-"
    assert table.refusal("deal") is Rule.STOCK_EMPTY


RED = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
BLACK = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
LAST_RUN = "KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS"


def test_won_with_52_by_color_and_four_runs():
    """ "Won: all 104 on foundations, 52 by colour and four runs." """
    home = f"f1: {RED}\nf2: {RED}\nf3: {BLACK}\nf4: {BLACK}\nf5: {RUN}\nf6: {RUN}\nf7: {RUN}\n"
    table = Table.of(ROUGE_ET_NOIR, f"{home}t4: {LAST_RUN}")
    assert not is_won(table.rules, table.position)
    assert not is_lost(table.rules, table.position)
    table = table.after("t4-f8:13")
    assert is_won(table.rules, table.position)
    assert not is_lost(table.rules, table.position)
    assert table.legal() == set()


def test_four_full_color_foundations_alone_are_no_win():
    """ "(The seed's 'either ... or' cannot hold: four ace piles hold 52 cards.)" """
    home = f"f1: {RED}\nf2: {RED}\nf3: {BLACK}\nf4: {BLACK}"
    table = Table.of(ROUGE_ET_NOIR, f"{home}\nt1: {RUN}\nt2: 5C")
    assert not is_won(table.rules, table.position)
    runs = "\n".join(f"f{n}: {RUN}" for n in range(5, 9))
    table = Table.of(ROUGE_ET_NOIR, f"{runs}\nt1: AH")
    assert not is_won(table.rules, table.position)
