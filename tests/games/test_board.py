"""What a template is given to print: labels, grips, lights, and never a face-down face."""

import re

import pytest

from app.engine.actions import DEAL, parse_action
from app.engine.history import History
from app.engine.phrases import count_word
from app.engine.rules import legal_actions
from app.engine.ruleset import PileId
from app.engine.shuffle import Code, deck_of_code
from app.engine.vocabulary import ChosenBase
from app.games import board, descriptions, pile_names
from app.games.board import Holding, hold, pile_view, redrawn, zones
from app.games.card_markup import render_cards
from app.games.catalog import find_offer, list_offers
from app.games.clicks import Grip
from app.games.mini_drawing import Overlap
from app.games.table_layout import closest_backs, has_deep_reserve, long_steps, reach
from app.rulesets import RULESETS, find_ruleset
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from app.rulesets.bristol import BRISTOL
from app.rulesets.bristol_family import GOTHAM
from app.rulesets.forty_thieves import FORTY_THIEVES
from app.rulesets.klondike import DRAW_THREE, KLONDIKE, THREE_PASSES
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.signora import SIGNORA
from app.rulesets.terrace import TERRACE
from tests.support.games import WITH_DEALS, WITH_HIDDEN_CARDS
from tests.support.table import Table

EMPTY_HANDED = Holding(None, frozenset())


def view(table: Table, pile: str, holding: Holding = EMPTY_HANDED):
    ids = {str(name): name for name in table.rules.layout.ids}
    return pile_view(table.rules, table.position, ids[pile], holding)


def ids(*names: str) -> set[PileId]:
    return {PileId(name) for name in names}


def holding(table: Table, grip: Grip) -> Holding:
    return hold(table.rules, table.position, grip)


@pytest.mark.parametrize(
    ("rules", "text", "pile", "label"),
    [
        (BRISTOL, "t3: KC 9D 8S 7H", "t3", "Column 3, four cards, top seven of hearts"),
        (BRISTOL, "t3: KC", "t3", "Column 3, one card, top king of clubs"),
        (BRISTOL, "", "f2", "Foundation 2, empty"),
        (BRISTOL, "r2: AC", "r2", "Reserve 2, one card, top ace of clubs"),
        (SIGNORA, "r1: AC 2D", "r1", "Reserve, two cards, top two of diamonds"),
        (SIGNORA, "waste: AC", "waste", "Waste, one card, top ace of clubs"),
        (SIGNORA, "stock: [AC 2C]", "stock", "Stock, two cards"),
        (TILL_DAWN, "stock: [AC] 2C", "stock", "Stock, two cards, top two of clubs"),
        (
            ROUGE_ET_NOIR,
            "t1: [AC 2C] 7H",
            "t1",
            "Column 1, three cards, two face down, top seven of hearts",
        ),
    ],
)
def test_a_pile_has_an_accessible_name(rules, text, pile, label):
    assert view(Table.of(rules, text), pile).label == label


@pytest.mark.parametrize("rules", WITH_HIDDEN_CARDS, ids=lambda rules: rules.id)
def test_a_face_down_card_is_a_back_and_nothing_else(rules):
    """Two tables that differ in face-down cards only look the same to the last letter."""
    table = Table.dealt(rules)
    turned = []
    for pile in table.position.piles:
        hidden = pile.cards[: pile.down]
        turned.append(pile._replace(cards=(*reversed(hidden), *pile.cards[pile.down :])))
    other = Table(rules, table.position._replace(piles=tuple(turned)))
    assert table.position != other.position
    assert drawn(table) == drawn(other)


def drawn(table: Table) -> str:
    every = board.some_piles(table.rules, table.position, table.rules.layout.ids)
    labels = [
        pile_names.pile_label(table.rules, view.id, table.position.piles[i])
        for i, view in enumerate(every)
    ]
    return repr(every) + repr(labels) + repr(legal_actions(table.rules, table.position))


def test_only_the_top_card_can_be_taken_where_cards_move_one_by_one():
    cards = view(Table.of(BRISTOL, "t1: 9C 8C 7C"), "t1").cards
    assert [card.grip for card in cards] == ["", "", "t1"]


def test_every_card_of_a_run_can_be_taken_where_runs_move():
    cards = view(Table.of(ROUGE_ET_NOIR, "t1: [2C] KD 9H 8S 7H"), "t1").cards
    assert [card.grip for card in cards] == ["", "t1:3", "t1:2", "t1"]


@pytest.mark.parametrize(
    ("column", "classes"),
    [
        ("TH 9S 8H 7S 6H 5S 4H 3S 2H", "pile strips-8"),
        ("JS TH 9S 8H 7S 6H 5S 4H 3S 2H", "pile strips-9 long-run"),
        ("[2C 3C 4C 5C] 9S", "pile"),
        ("[2C 3C 4C 5C] 9S 8H", "pile strips-2"),
        ("[2C 3C 4C 5C] TH 9S 8H 7S 6H 5S 4H 3S 2H", "pile strips-9"),
        ("[2C 3C 4C 5C 6C] TH 9S 8H 7S 6H 5S 4H 3S 2H", "pile tall"),
        ("[2C 3C 4C 5C] JS TH 9S 8H 7S 6H 5S 4H 3S 2H", "pile long-run tall"),
        (
            "[2C 3C 4C 5C 6C 7C] KH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH",
            "pile long-run tall brimful",
        ),
        (
            "[2C] 9H KH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH",
            "pile long-run tall brimful packed crowded",
        ),
        ("9H KC 3D 7S 5H 9C 2D JS 4H 8C QD 6S TH 3C 7D 5S", "pile tall brimful packed"),
        ("9H KC 3D 7S 5H 9C 2D JS 4H 8C QD 6S TH 3C 7D", "pile tall brimful"),
        ("9H KC 3D 7S 5H 9C 2D JS 4H 8C QD 6S TH 3C 7D 5S AH AD", "pile tall brimful packed squat"),
    ],
)
def test_a_column_that_needs_room_says_so(column, classes):
    assert view(Table.of(KLONDIKE, f"t1: {column}"), "t1").classes == classes


@pytest.mark.parametrize(
    ("cards", "classes"),
    [
        ("KC QD 3S", "pile"),
        ("KC QD 3S 9H", "pile from-4"),
        ("KC QD 3S 9H 2C AD 7S", "pile from-4 from-5 from-6 from-7"),
        (
            "KC QD 3S 9H 2C AD 7S TH 8C 5D JS",
            "pile from-4 from-5 from-6 from-7 from-8 from-9 from-10",
        ),
        (
            "KC QD 3S 9H 2C AD 7S TH 8C 5D JS 4C",
            "pile from-4 from-5 from-6 from-7 from-8 from-9 from-10 from-12",
        ),
    ],
)
def test_a_pile_in_a_reserve_says_how_full_it_is(cards, classes):
    assert view(Table.of(BRISTOL, f"r2: {cards}"), "r2").classes == classes


def test_a_fan_says_how_full_it_is():
    fan = view(Table.of(BRISTOL, "t1: KC QD 3S 9H 2C AD"), "t1")
    assert fan.classes == "pile strips-5 from-4 from-5 from-6"


def test_what_is_held_and_where_it_may_go_show():
    table = Table.of(ROUGE_ET_NOIR, "t1: KC 9H 8S\nt2: TC\nt3: TS\nt4: 9D")
    held = holding(table, Grip(table.rules.layout.ids[table.rules.layout.tableau.start], 2))
    assert [card.held for card in view(table, "t1", held).cards] == [False, True, True]
    assert view(table, "t2", held).classes == view(table, "t3", held).classes == "pile lit"
    assert view(table, "t4", held).classes == "pile"


def test_cards_without_a_target_cannot_be_held():
    table = Table.of(BRISTOL, "t1: 9C\nt2: 5D")
    assert holding(table, Grip(table.rules.layout.ids[-1])) == EMPTY_HANDED


def test_a_squared_pile_shows_its_top_and_the_face_below():
    table = Table.of(SIGNORA, "waste: AC 2D 3H")
    shown = view(table, "waste")
    assert ([card.text for card in shown.cards], shown.under, shown.note) == (
        ["3H"],
        ("2D",),
        "3",
    )


@pytest.mark.parametrize(
    ("waste", "under"),
    [("AC 2D 3H 4S", ("2D", "3H")), ("2D 3H", ("2D",)), ("3H", ()), ("", ())],
)
def test_a_waste_that_gets_three_cards_at_a_time_is_fanned(waste, under):
    shown = view(Table.of(DRAW_THREE, f"waste: {waste}"), "waste")
    assert (shown.under, "fanned" in shown.classes) == (under, True)
    assert "fanned" not in view(Table.of(DRAW_THREE, f"waste: {waste}"), "stock").classes
    assert "fanned" not in view(Table.of(SIGNORA, f"waste: {waste}"), "waste").classes


def test_where_its_row_has_room_the_last_cards_of_a_waste_trail_beside_its_top():
    for rules, under, trails in [
        (KLONDIKE, ("2D", "3H"), True),
        (FORTY_THIEVES, ("3H",), False),
    ]:
        shown = view(Table.of(rules, "waste: AC 2D 3H 4S"), "waste")
        assert (shown.under, "fanned trail" in shown.classes) == (under, trails)
    assert "trail" not in view(Table.of(DRAW_THREE, "waste: AC 2D 3H 4S"), "waste").classes


def test_the_card_below_a_face_up_stock_is_a_back():
    shown = view(Table.of(TILL_DAWN, "stock: [AC 2C] 7H"), "stock")
    assert ([card.text for card in shown.cards], shown.under, shown.down) == (["7H"], (), 1)
    assert not shown.can_deal


@pytest.mark.parametrize(
    ("rules", "text", "pile", "mark"),
    [
        (BRISTOL, "", "f1", "A"),
        (SIGNORA, "", "f1", "any"),
        (SIGNORA, "f3: TD", "f1", "T"),
        (ROUGE_ET_NOIR, "", "f1", "red"),
        (ROUGE_ET_NOIR, "", "f3", "black"),
        (ROUGE_ET_NOIR, "", "f8", "run"),
        (ROUGE_ET_NOIR, "", "t4", "crown"),
        (TERRACE, "", "t4", "none"),
        (BRISTOL, "", "t4", "done"),  # it stays empty
        (SIGNORA, "", "t4", "done"),  # it is empty when nothing is left to fill it
        (BRISTOL, "", "stock", "done"),
        (BRISTOL, "t4: AC", "t4", ""),
    ],
)
def test_an_empty_place_shows_what_belongs_there(rules, text, pile, mark):
    assert view(Table.of(rules, text), pile).empty_mark == mark


@pytest.mark.parametrize(
    ("rules", "pile", "note"),
    [
        (KLONDIKE, "stock", "24"),
        (SIGNORA, "stock", "84"),
        (SIGNORA, "r1", "11"),
        (SIGNORA, "waste", ""),
        (TILL_DAWN, "stock", "84"),
        (ROUGE_ET_NOIR, "stock", "6 deals"),
        (BRISTOL, "stock", "9 deals"),
        (BRISTOL, "r1", ""),
        (BRISTOL, "t1", ""),
    ],
)
def test_counts_stand_beside_the_piles_that_need_them(rules, pile, note):
    """A number is of cards; only deals have a unit. The name of a pile says what is counted."""
    shown = view(Table.dealt(rules), pile)
    assert shown.note == note
    if note.isdecimal():
        assert f"{count_word(int(note))} cards" in shown.label


def test_a_new_base_draws_every_foundation():
    before = Table.dealt(SIGNORA)
    after = before.after("t1-f1")
    piles = redrawn(SIGNORA, before.position, ids("t1", "f1"), after.position, EMPTY_HANDED)
    assert piles == {"t1", *(f"f{n}" for n in range(1, 9))}


def test_piles_that_lose_their_highlight_are_drawn_too():
    table = Table.of(BRISTOL, "t1: KH 4C\nt2: 5D\nt3: 5S")
    held = holding(table, Grip(table.rules.layout.ids[table.rules.layout.tableau.start]))
    assert redrawn(BRISTOL, table.position, (), table.position, held) == {"t1", "t2", "t3"}


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_every_pile_of_a_table_is_drawn_once(rules):
    table = Table.dealt(rules)
    drawn_piles = [pile.id for zone in zones(rules, table.position) for pile in zone]
    shown = rules.layout.ids if rules.has_stock else rules.layout.ids[1:]
    assert sorted(drawn_piles) == sorted(shown)


def test_a_playable_card_is_a_button_and_any_other_a_picture():
    loose, fixed = view(Table.of(BRISTOL, "t1: 9C 8D"), "t1").cards[::-1]
    assert render_cards([loose]).startswith('<button name="clicked" value="t1"')
    assert 'aria-label="eight of diamonds"' in render_cards([loose])
    assert "button" not in render_cards([fixed])
    assert 'role="img" aria-label="nine of clubs"' in render_cards([fixed])


@pytest.mark.parametrize(
    ("rules", "text", "move", "said"),
    [
        (BRISTOL, "t1: 4C\nt2: 5D", "t1-t2", "Four of clubs on the five of diamonds."),
        (
            ROUGE_ET_NOIR,
            "t1: [2C] 9H 8S\nt2: TC",
            "t1-t2:2",
            "Two cards from the nine of hearts on the ten of clubs; two of clubs turned up.",
        ),
        (
            BRISTOL,
            "stock: [2C 3C 4C 5C]",
            "deal",
            "Dealt three cards: the five of clubs, the four of clubs and the three of clubs.",
        ),
        (BRISTOL, "stock: [2C 5H]", "deal", "Dealt the five of hearts and the two of clubs."),
    ],
)
def test_a_move_is_described_in_one_sentence(rules, text, move, said):
    assert tell(Table.of(rules, text), move) == said


def test_an_automatic_fill_is_described_with_the_move():
    piles = "\n".join(f"t{n}: 2H" for n in range(3, 10))
    table = Table.of(SIGNORA, f"stock: [3C]\nwaste: 5H 9D\nf1: 4S\nt1: 7D\nt2: 8C\n{piles}")
    assert (
        tell(table, "t1-t2")
        == "Seven of diamonds on the eight of clubs; nine of diamonds fills the empty column."
    )


@pytest.mark.parametrize(
    ("rules", "redeals", "mark", "label"),
    [
        (KLONDIKE, 0, "any", "Stock, empty: deal to turn the waste over"),
        (THREE_PASSES, 1, "any", "Stock, empty: deal to turn the waste over"),
        (THREE_PASSES, 2, "done", "Stock, empty"),
        (SIGNORA, 0, "done", "Stock, empty"),
    ],
)
def test_an_empty_stock_says_whether_the_waste_can_be_turned_over(rules, redeals, mark, label):
    table = Table.of(rules, "f1: 4S\nwaste: 5C")
    stock = view(Table(rules, table.position._replace(redeals=redeals)), "stock")
    assert (stock.empty_mark, stock.label) == (mark, label)


def test_a_redeal_is_told():
    table = Table.of(KLONDIKE, "waste: 5C 6C")
    assert tell(table, "deal") == "The waste is turned over to make a new stock."


def test_a_single_card_dealt_is_named():
    piles = "\n".join(f"t{n}: 2H" for n in range(1, 10))
    table = Table.of(SIGNORA, f"stock: [3C 4H]\nf1: 4S\n{piles}")
    assert tell(table, "deal") == "Dealt the four of hearts."


def test_many_piles_filled_at_once_are_counted_and_their_cards_named():
    table = Table.dealt(TERRACE)
    after = table.after("t1-f1").position
    said = tell(table, "t1-f1")
    assert " to a foundation; seven columns filled: the " in said
    for pile in ("t1", *(f"t{n}" for n in range(4, 10))):
        assert after.piles[TERRACE.layout.index[PileId(pile)]].cards[-1].words in said


@pytest.mark.parametrize("rules", WITH_DEALS, ids=lambda rules: rules.id)
def test_a_deal_names_the_cards_that_it_turned_up_and_no_other(rules):
    table = Table.dealt(rules)
    if isinstance(rules.base, ChosenBase):
        table = table.after("t1-f1")
    after = table.after("deal").position
    said = tell(table, "deal")
    shown = [
        card.words
        for was, now in zip(table.position.piles, after.piles, strict=True)
        for card in [
            *now.face_up[len(was.face_up) :],
            *(now.face_up[-1:] if rules.stock.face_up else []),
        ]
        if was != now
    ]
    assert shown
    named = re.findall(r"(\w+ of (?:clubs|diamonds|hearts|spades))", said)
    assert sorted(set(named)) == sorted(set(shown))


def test_the_card_that_a_deal_turns_up_on_a_face_up_stock_is_named():
    piles = "\n".join(f"t{n}: 2H" for n in range(1, 10))
    table = Table.of(TILL_DAWN, f"stock: [3C] 4H\nf1: 4S\n{piles}")
    assert tell(table, "deal") == "Dealt the four of hearts; three of clubs turned up."


def tell(table: Table, move: str) -> str:
    after = table.after(move)
    played = parse_action(table.rules.layout, move)
    return descriptions.played(table.rules, table.position, played, after.position)


def test_what_is_held_is_told_with_its_targets():
    table = Table.of(BRISTOL, "f1: 3S\nf2: 3D\nt1: KH 4C\nt2: 5D")
    grip = Grip(table.rules.layout.ids[table.rules.layout.tableau.start])
    lit = hold(BRISTOL, table.position, grip).targets
    said = descriptions.held(BRISTOL, table.position, grip, lit)
    assert said == "Four of clubs: choose a foundation or the five of diamonds."


def test_the_home_page_shows_every_game_without_a_hidden_card():
    offers = list_offers()
    assert [offer.id for offer in offers] == [rules.id for rules in RULESETS]
    columns = [
        [card.name for card in pile.cards]
        for pile in find_offer("rouge-et-noir").opening.piles
        if pile.overlap is Overlap.DOWN
    ]
    assert [column.count("back") for column in columns] == [8, 7, 6, 5, 4, 3, 2, 1, 0, 0]


@pytest.mark.parametrize(
    ("column", "long"),
    [
        ("KS " * 10, 0),
        ("KS " * 12, 1),
        ("KS " * 13, 2),
        ("[" + "KS " * 20 + "] " + "KS " * 15, 4),
        ("KS " * 32, 8),
    ],
)
def test_cards_shrink_only_for_a_column_longer_than_usual(column, long):
    position = Table.of(ROUGE_ET_NOIR, f"t1: KS\nt2: {column.replace(' ]', ']').strip()}").position
    assert reach(ROUGE_ET_NOIR) == 11
    assert long_steps(ROUGE_ET_NOIR, position) == long


@pytest.mark.parametrize(
    ("columns", "backs"),
    [
        ("t1: KS QH", ""),
        ("t1: [2C] 5S", "10"),
        ("t1: [2C] 5S\nt2: [3C 4C] KH", "20"),
        ("t1: [2C 3C 4C] 5S\nt2: [5C] KS QH JS TH 9S 8H", "15"),  # one back, but little room
        ("t1: [2C 3C 4C] 5S\nt2: KS QH JS TH 9S 8H 7S", "30"),  # the longest has no back
        ("t1: [2C] KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS", "19"),
    ],
)
def test_one_column_tells_how_far_the_backs_of_all_close_up(columns, backs):
    assert closest_backs(KLONDIKE, Table.of(KLONDIKE, columns).position) == backs


def test_a_reserve_takes_room_from_the_stock_from_the_third_deal_on():
    history = History.start(BRISTOL, deck_of_code(Code("7KQ4M-2XWTP"), 1))
    found = [has_deep_reserve(BRISTOL, history.position)]
    for _ in range(4):
        history = history.apply(DEAL)
        found.append(has_deep_reserve(BRISTOL, history.position))
    assert found == [False, False, False, True, True]
    left = Table.of(
        BRISTOL, "t1: KS\nr1: 2S"
    ).position  # the stock is dealt, and the reserve played
    assert has_deep_reserve(BRISTOL, left)
    assert not has_deep_reserve(BRISTOL, left, is_open=False)


def test_where_a_player_fills_the_reserve_its_longest_pile_decides():
    for pile, is_deep in (("KS QH 2D", False), ("KS QH 2D 3C", True)):
        position = Table.of(GOTHAM, f"r1: {pile}\nr2: 4S").position
        assert has_deep_reserve(GOTHAM, position) is is_deep


def test_columns_with_the_same_card_on_top_are_told_apart_by_their_numbers():
    rules = find_ruleset("spider")
    assert rules
    others = "\n".join(f"t{n}: 2H" for n in (3, 4, 5, 6, 8, 9))
    table = Table.of(rules, f"t1: QS\nt2: KS\nt7: KS\n{others}\nt10: KD")
    grip = Grip(rules.layout.ids[rules.layout.tableau.start])
    lit = hold(rules, table.position, grip).targets
    said = descriptions.held(rules, table.position, grip, lit)
    assert said == (
        "Queen of spades: choose the king of spades in column 2 or 7 or the king of diamonds."
    )
