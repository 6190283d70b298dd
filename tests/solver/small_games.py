"""Small games under the full rules, and an exhaustive search of them by the rules engine.

Cards on a foundation never come back, so a position with most cards home is a game of fewer ranks. With
the six highest cards of two suits still out, a real rule set becomes a game of two suits and six ranks,
and the engine itself decides what is legal. One deck and fewer piles are a matter of data.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import chain

from app.engine.cards import Card, Color, Rank, Suit
from app.engine.position import EMPTY, Pile, Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.engine.vocabulary import DealCells, DealColumns, DealReserve, DealTo, Match, Zone
from app.solver.rule_tables import rule_tables
from app.solver.solve import SearchOutcome

RANKS = list(Rank)
COLUMNS = 3


def small(rules: Ruleset, decks: int = 1) -> Ruleset:
    """The rule set with ``decks`` decks, foundations for them, three tableau piles and one cell."""
    foundations = tuple(
        replace(group, count=group.count * decks // rules.decks) for group in rules.foundations
    )
    deal = tuple(
        DealColumns.face_up((1,) * COLUMNS) if isinstance(step, DealColumns) else step
        for step in rules.deal
        if not isinstance(step, (DealReserve, DealCells))
    )
    cells = rules.cells and replace(rules.cells, count=1)
    reserve = rules.reserve and replace(rules.reserve, count=min(2, rules.reserve.count))
    tableau = replace(rules.tableau, count=COLUMNS)
    return replace(
        rules,
        decks=decks,
        foundations=foundations,
        deal=deal,
        reserve=reserve,
        cells=cells,
        tableau=tableau,
    )


def ending(rules: Ruleset, rng: random.Random, ranks: int = 6) -> Position:
    """A random position of a small game: all home but the last ``ranks`` ranks of two foundations."""
    layout = rules.layout
    if rule_tables(rules).lifts_runs:
        home, out = _runs_home(rules, rng)
    elif rules.has_only_whole_runs:
        home, out = _suits_home(rules, rng)
    else:
        home, out = _home(rules, rng, ranks)
    home = [[rules.shown(card) for card in cards] for cards in home]
    out = [rules.shown(card) for card in out]
    out = _mixed(rules, out, rng)
    piles = [EMPTY] * len(layout.ids)
    for index, cards in zip(layout.foundations, home, strict=True):
        piles[index] = Pile(tuple(cards), 0)
    if not rules.has_stock:
        _scatter(layout.tableau, out, piles, rng)
    elif rules.stock.deals_to is DealTo.WASTE:
        _columns(rules, out, piles, rng)
        for zone, most in ((Zone.RESERVE, 6), (Zone.WASTE, 3)):
            for index in layout.ranges[zone]:
                count = min(len(out), rng.randint(0, most))
                piles[index] = Pile(tuple(out.pop() for _ in range(count)), 0)
    else:
        # Where cards come back, little is lost as long as most cards are in the stock.
        crowded = bool(rules.foundations[0].plays_to)
        zones = (layout.tableau, layout.reserves) if crowded else (layout.reserves, layout.tableau)
        for index in chain(*zones):
            most = 3 if index in layout.tableau else 1
            count = min(len(out), rng.randint(1, most + 2) if crowded else rng.randint(0, most))
            dealt = tuple(out.pop() for _ in range(count))
            if _covers(rules) and index in layout.tableau:
                piles[index] = Pile(dealt, max(0, count - 1))
            else:
                piles[index] = Pile(dealt, 0)
    face_up = 1 if rules.stock.face_up and out else 0
    piles[layout.stock] = Pile(tuple(out), len(out) - face_up)
    return Position(tuple(piles))


def _columns(rules: Ruleset, out: list[Card], piles: list[Pile], rng: random.Random) -> None:
    most = 4 if rules.foundations[0].build.match is Match.SAME_SUIT else 1
    for index in rules.layout.tableau:
        count = rng.randint(1, most)
        column = tuple(out.pop() for _ in range(count))
        piles[index] = Pile(column, count - 1 if _covers(rules) else 0)


def _mixed(rules: Ruleset, out: list[Card], rng: random.Random) -> list[Card]:
    """Shuffled; a whole run without a stock in short pieces, since cards in any order would lie fast at once."""
    if not rules.has_only_whole_runs or rules.has_stock:
        rng.shuffle(out)
        return out
    pieces = []
    while out:
        size = rng.randint(1, 3)
        pieces.append(out[:size])
        out = out[size:]
    rng.shuffle(pieces)
    return [card for piece in pieces for card in piece]


def _scatter(where: range, out: list[Card], piles: list[Pile], rng: random.Random) -> None:
    while out:
        index = rng.choice(where)
        piles[index] = Pile((*piles[index].cards, out.pop()), 0)


def dealt(rules: Ruleset, rng: random.Random) -> Position:
    """A random Bristol position like ``ending``, but with many cards in the stock."""
    layout = rules.layout
    home, out = _home(rules, rng, rng.choice((4, 5, 6)))
    rng.shuffle(out)
    piles = [EMPTY] * len(layout.ids)
    for index, cards in zip(layout.foundations, home, strict=True):
        piles[index] = Pile(tuple(cards), 0)
    for index in [*layout.tableau, *layout.reserves]:
        count = min(len(out), rng.randint(0, 2))
        piles[index] = Pile(tuple(out.pop() for _ in range(count)), 0)
    piles[layout.stock] = Pile(tuple(out), len(out))
    return Position(tuple(piles))


def _home(rules: Ruleset, rng: random.Random, ranks: int) -> tuple[list[list[Card]], list[Card]]:
    """Foundations in the pattern of the game, two of them ``ranks`` cards short, and the other cards."""
    first = 0 if rules.base.__class__.__name__ == "FixedBase" else rng.randrange(13)
    order = RANKS[first:] + RANKS[:first]
    clubs, diamonds, hearts, spades = Suit
    pairs = ((spades, hearts), (hearts, spades), (clubs, diamonds), (diamonds, clubs))
    if rules.foundations[0].build.match is Match.SAME_SUIT:
        pairs = ((spades, spades), (hearts, hearts), (clubs, clubs), (diamonds, diamonds))
    home = [
        [Card.parse(rank.letter + pair[i % 2].value) for i, rank in enumerate(order)]
        for pair in pairs * rules.decks
    ]
    one = rng.randrange(4)
    short = (one, one + 4) if rules.decks > 1 else rng.sample(range(4), 2)
    out = []
    for index in short:
        out += home[index][13 - ranks :]
        home[index] = home[index][: 13 - ranks]
    return home, out


def _covers(rules: Ruleset) -> bool:
    """Whether the deal lays cards face down in the tableau."""
    return any(isinstance(step, DealColumns) and any(step.down) for step in rules.deal)


def _suits_home(rules: Ruleset, rng: random.Random) -> tuple[list[list[Card]], list[Card]]:
    """Whole runs on all foundations but one, which waits for its suit."""
    runs = [[Card.parse(rank.letter + suit.value) for rank in RANKS[::-1]] for suit in Suit]
    home = runs * rules.decks
    out = home.pop(rng.randrange(len(home)))
    return [*home, []], out


def _runs_home(rules: Ruleset, rng: random.Random) -> tuple[list[list[Card]], list[Card]]:
    """A foundation of each color and two runs, with the last cards of three of them still out."""
    clubs, diamonds, hearts, spades = Suit

    def cards(pattern: tuple[Suit, Suit], ranks: list[Rank]) -> list[Card]:
        return [Card.parse(r.letter + pattern[i % 2].value) for i, r in enumerate(ranks)]

    red = cards((diamonds, diamonds), RANKS)
    black = cards((clubs, clubs), RANKS)
    runs = [cards(pair, RANKS[::-1]) for pair in ((spades, hearts), (hearts, spades))]
    assert [group.color for group in rules.foundations] == [Color.RED, Color.BLACK, None]
    if rules.decks > 1:  # two of a color wait for the same cards, and there are four runs
        if rng.random() < 0.5:
            out = [*runs[1], red[12], red[12], black[12]]
            return [red[:12], red[:12], black[:12], black, runs[0], *runs, []], out
        at = [rng.randint(9, 11) for _ in range(4)]
        home = [suit[:n] for suit, n in zip((red, red, black, black), at, strict=True)]
        out = [
            card for suit, n in zip((red, red, black, black), at, strict=True) for card in suit[n:]
        ]
        return [*home, *runs, *runs], out
    if rng.random() < 0.5:  # a whole run is out, and little else
        out = [*runs[1], *red[12:], *black[12:]]
        return [red[:12], black[:12], runs[0], []], out
    reds, blacks = rng.randint(6, 10), rng.randint(6, 10)
    return [red[:reds], black[:blacks], *runs], red[reds:] + black[blacks:]


def exhaustive(rules: Ruleset, position: Position, most: int) -> SearchOutcome:
    """Search everything reachable in play, with the engine alone and without symmetries."""
    seen = {position}
    waiting = [position]
    while waiting:
        here = waiting.pop()
        if is_won(rules, here):
            return SearchOutcome.WON
        for action in legal_actions(rules, here):
            there = apply(rules, here, action)
            if there not in seen:
                seen.add(there)
                waiting.append(there)
        if len(seen) > most:
            return SearchOutcome.UNDECIDED
    return SearchOutcome.UNWINNABLE
