"""Rouge et Noir Classic: the deal that most other collections use."""

from dataclasses import replace

from app.engine.rules import Rule
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.rouge_et_noir_classic import CLASSIC
from tests.support.table import Table


def test_columns_of_eight_down_to_one_one_and_none():
    """ "as rouge-et-noir with columns of 8,7,6,5,4,3,2,1,1,0 (37 cards, stock 67 ...)" """
    table = Table.dealt(CLASSIC)
    assert [table[f"t{n}"] for n in range(1, 11)] == [
        "[AC 2C 3C 4C 5C 6C 7C] 8C",
        "[9C TC JC QC KC AD] 2D",
        "[3D 4D 5D 6D 7D] 8D",
        "[9D TD JD QD] KD",
        "[AH 2H 3H] 4H",
        "[5H 6H] 7H",
        "[8H] 9H",
        "TH",
        "JH",
        "-",
    ]
    assert table.size("stock") == 67
    assert table["stock"].endswith(" AS KH QH]")


def test_six_full_deals_and_one_of_seven():
    """ "six full deals and one of seven" """
    table = Table.dealt(CLASSIC)
    sizes = []
    while table.refusal("deal") is None:
        table = table.after("deal")
        sizes.append(table.size("stock"))
    assert sizes == [57, 47, 37, 27, 17, 7, 0]
    # The deal of seven ends at t7: t8 shows the last card of the deal before.
    assert [table[f"t{n}"].split()[-1] for n in (1, 7, 8)] == ["7S", "KS", "4S"]


def test_the_other_rules_are_those_of_rouge_et_noir():
    """ "as rouge-et-noir" """
    words = {
        name: getattr(ROUGE_ET_NOIR, name) for name in ("id", "title", "source", "tagline", "deal")
    }
    assert replace(CLASSIC, **words) == ROUGE_ET_NOIR


def test_kings_and_whole_runs():
    run = "KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC"
    table = Table.of(CLASSIC, f"t1: [5H] {run}\nt2: QS")
    assert {"t1-f5:13", "t1-t10:13", "t1-f3"} <= table.legal()
    assert table.refusal("t2-t10") is Rule.EMPTY_PILE
