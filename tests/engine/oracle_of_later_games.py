"""The games that came after the first eight, written a second time as plain code, straight from how books tell them.

Nothing here reads a rule set or asks the engine: piles are lists of cards under the names that actions use, and
each game says by itself what may be done. A test compares the two move by move.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field

RED = "DH"
RANKS = "A23456789TJQK"


@dataclass
class Cards:
    """All piles, bottom first; ``hidden`` is how many cards of a pile lie face down."""

    piles: dict[str, list[str]]
    hidden: dict[str, int]
    turned: int = 0  # how often the waste was turned over
    base: str = "A"
    kinds: dict[str, list[str]] = field(default_factory=dict)

    def names(self, kind: str) -> list[str]:
        """The piles whose names begin with a letter and a figure: ``t`` for t1, t2, ..."""
        if kind not in self.kinds:
            self.kinds[kind] = [n for n in self.piles if n[0] == kind and n[1:].isdigit()]
        return self.kinds[kind]

    def top(self, name: str) -> str | None:
        """The last card of a pile."""
        return self.piles[name][-1] if self.piles.get(name) else None

    def open_cards(self, name: str) -> list[str]:
        """The cards of a pile that lie face up."""
        return self.piles[name][self.hidden.get(name, 0) :]

    def empty(self, kind: str) -> list[str]:
        """The piles of a kind without a card."""
        return [name for name in self.names(kind) if not self.piles[name]]

    def carry(self, source: str, target: str, count: int = 1) -> None:
        """Move cards, and turn up what they covered."""
        self.piles[target] += self.piles[source][-count:]
        del self.piles[source][-count:]
        left = len(self.piles[source])
        if source != "stock" and self.hidden.get(source, 0) >= left:
            self.hidden[source] = max(left - 1, 0)


def one_lower(card: str, below: str, *, around: bool = False) -> bool:
    """Whether a card is one rank lower than the card below it."""
    step = RANKS.index(below[0]) - RANKS.index(card[0])
    return step == 1 or (around and step == -12)


def other_color(card: str, below: str) -> bool:
    """Red on black or black on red."""
    return (card[1] in RED) != (below[1] in RED)


def same_suit(card: str, below: str) -> bool:
    """Cards of one suit."""
    return card[1] == below[1]


def any_suit(card: str, below: str) -> bool:
    """Suits do not matter."""
    return True


class Game:
    """What most of these games have in common; each says what is different."""

    match = staticmethod(other_color)
    home_match = staticmethod(same_suit)
    to_empty_columns = RANKS  # which ranks, from other columns and from beside them
    around = False
    home_in_runs = False
    stock_shown = 0  # cards of the stock that lie face up

    def may_lie(self, card: str, below: str) -> bool:
        """Whether a card may be built on another in a column."""
        return one_lower(card, below, around=self.around) and self.match(card, below)

    def liftable(self, cards: Cards, column: str) -> Iterator[int]:
        """How many cards on top of a column may be lifted together: here only one."""
        if cards.piles[column]:
            yield 1

    def goes_home(self, cards: Cards, card: str, place: str) -> bool:
        """Whether a card may go to a foundation."""
        there = cards.top(place)
        if there is None:
            return card[0] == cards.base
        return (
            len(cards.piles[place]) < 13
            and self.home_match(card, there)
            and one_lower(there, card, around=self.around)
        )

    def beside(self, cards: Cards) -> list[str]:
        """The piles beside the columns whose top card may be played."""
        return [name for name in ("waste",) if name in cards.piles]

    def fits(self, cards: Cards, source: str, lead: str, column: str) -> bool:  # noqa: ARG002 - Canfield asks
        """Whether cards that begin with ``lead`` may go to a column."""
        below = cards.top(column)
        if below is None:
            return lead[0] in self.to_empty_columns
        return self.may_lie(lead, below)

    def moves(self, cards: Cards) -> set[str]:
        """All that may be done."""
        found = {"deal"} if self.may_deal(cards) else set()
        for source in (*self.beside(cards), *cards.names("t")):
            if not cards.piles[source]:
                continue
            column = source[0] == "t" and source[1:].isdigit()
            for count in self.liftable(cards, source) if column else (1,):
                lead = cards.piles[source][-count]
                for target in cards.names("t"):
                    if (
                        target != source
                        and self.fits(cards, source, lead, target)
                        and self.enough_room(cards, target, count)
                    ):
                        found.add(named(source, target, count))
            if not self.home_in_runs:
                card = cards.piles[source][-1]
                found |= {
                    f"{source}-{home}"
                    for home in cards.names("f")
                    if self.goes_home(cards, card, home)
                }
            elif self.is_whole_run(cards.open_cards(source)[-13:]):
                found |= {f"{source}-{home}:13" for home in cards.empty("f")}
        return found | self.more_moves(cards)

    def is_whole_run(self, run: list[str]) -> bool:
        """From king to ace in one suit."""
        return "".join(card[0] for card in run) == RANKS[::-1] and len({c[1] for c in run}) == 1

    def enough_room(self, _cards: Cards, _target: str, _count: int) -> bool:
        """Whether a run of this length can be carried there."""
        return True

    def more_moves(self, _cards: Cards) -> set[str]:
        """Moves of this game alone."""
        return set()

    def may_deal(self, cards: Cards) -> bool:
        """Whether cards may be dealt."""
        return bool(cards.piles["stock"])

    def deal(self, cards: Cards) -> None:
        """Deal once: here one card to the waste."""
        cards.carry("stock", "waste")

    def after(self, cards: Cards, action: str) -> Cards:
        """The cards after an action."""
        cards = deepcopy(cards)
        if action == "deal":
            self.deal(cards)
        else:
            move, _, count = action.partition(":")
            source, target = move.split("-")
            cards.carry(source, target, int(count or 1))
        self.tidy(cards)
        cards.hidden["stock"] = max(len(cards.piles["stock"]) - self.stock_shown, 0)
        return cards

    def tidy(self, cards: Cards) -> None:
        """What happens by itself after an action."""


def named(source: str, target: str, count: int) -> str:
    """A move as it is written."""
    return f"{source}-{target}" + (f":{count}" if count > 1 else "")


class Runs(Game):
    """Games in which cards in order move together."""

    def in_order(self, card: str, below: str) -> bool:
        """Whether two neighbors move together."""
        return self.may_lie(card, below)

    def liftable(self, cards: Cards, column: str) -> Iterator[int]:
        faces = cards.open_cards(column)
        for count in range(1, len(faces) + 1):
            if count > 1 and not self.in_order(faces[1 - count], faces[-count]):
                return
            yield count


class Klondike(Runs):
    """Draws one or three; ``passes`` through the stock, or without end. Cards may come back from the foundations."""

    to_empty_columns = "K"

    def __init__(self, draws: int, passes: int | None) -> None:
        self.draws = draws
        self.passes = passes

    def may_deal(self, cards: Cards) -> bool:
        if cards.piles["stock"]:
            return True
        return bool(cards.piles["waste"]) and (
            self.passes is None or cards.turned < self.passes - 1
        )

    def deal(self, cards: Cards) -> None:
        if not cards.piles["stock"]:
            cards.piles["stock"] = cards.piles["waste"][::-1]
            cards.piles["waste"] = []
            cards.turned += 1
            return
        for _ in range(min(self.draws, len(cards.piles["stock"]))):
            cards.carry("stock", "waste")

    def more_moves(self, cards: Cards) -> set[str]:
        return back_from_home(self, cards)


def back_from_home(game: Game, cards: Cards) -> set[str]:
    """Moves of cards from the foundations to columns."""
    return {
        f"{home}-{column}"
        for home in cards.names("f")
        for column in cards.names("t")
        if (card := cards.top(home)) and game.fits(cards, home, card, column)
    }


class FreeCell(Runs):
    """Cells for one card each; longer runs only as single cards could carry them."""

    def beside(self, cards: Cards) -> list[str]:
        return cards.names("c")

    def may_deal(self, _cards: Cards) -> bool:
        return False

    def enough_room(self, cards: Cards, target: str, count: int) -> bool:
        room = len(cards.empty("c")) + 1
        if len(self.to_empty_columns) > 1:
            room *= 2 ** len([name for name in cards.empty("t") if name != target])
        return count <= room

    def more_moves(self, cards: Cards) -> set[str]:
        return {
            f"{column}-{cell}"
            for column in cards.names("t")
            if cards.piles[column]
            for cell in cards.empty("c")
        }


class BakersGame(FreeCell):
    """FreeCell, built in suit."""

    match = staticmethod(same_suit)


class EightOff(BakersGame):
    """Eight cells; only kings go to empty columns."""

    to_empty_columns = "K"


class Spider(Runs):
    """Columns in any suit, moved in one suit; a deal covers every column, and needs a card in each."""

    match = staticmethod(any_suit)
    home_in_runs = True

    def in_order(self, card: str, below: str) -> bool:
        return self.may_lie(card, below) and same_suit(card, below)

    def may_deal(self, cards: Cards) -> bool:
        return bool(cards.piles["stock"]) and not cards.empty("t")

    def deal(self, cards: Cards) -> None:
        for column in cards.names("t"):
            if cards.piles["stock"]:
                cards.carry("stock", column)


class Yukon(Game):
    """Any face-up card moves with all that lies on it; kings go to empty columns."""

    to_empty_columns = "K"

    def liftable(self, cards: Cards, column: str) -> Iterator[int]:
        yield from range(1, len(cards.open_cards(column)) + 1)

    def may_deal(self, _cards: Cards) -> bool:
        return False


class Russian(Yukon):
    """Yukon in suit."""

    match = staticmethod(same_suit)


class Scorpion(Russian):
    """Runs go home whole; the last three cards are dealt to the first three columns."""

    home_in_runs = True

    def may_deal(self, cards: Cards) -> bool:
        return bool(cards.piles["stock"])

    def deal(self, cards: Cards) -> None:
        for column in cards.names("t"):
            if cards.piles["stock"]:
                cards.carry("stock", column)


class Canfield(Runs):
    """A reserve fills empty columns at once; ranks go around the corner; three cards a draw, without end."""

    around = True

    def beside(self, _cards: Cards) -> list[str]:
        return ["waste", "r1"]

    def may_deal(self, cards: Cards) -> bool:
        return bool(cards.piles["stock"] or cards.piles["waste"])

    deal = Klondike.deal
    draws = 3

    def fits(self, cards: Cards, source: str, lead: str, column: str) -> bool:
        if cards.piles[column]:
            return self.may_lie(lead, cards.piles[column][-1])
        return source[0] == "t" or source == "waste"

    def tidy(self, cards: Cards) -> None:
        for column in cards.empty("t"):
            if cards.piles["r1"]:
                cards.carry("r1", column)


class FortyThieves(Game):
    """One card at a time, in suit, and once through the stock."""

    match = staticmethod(same_suit)


class BeleagueredCastle(Game):
    """One card at a time, in any suit, and nothing else."""

    match = staticmethod(any_suit)

    def may_deal(self, _cards: Cards) -> bool:
        return False


class SimpleSimon(Spider):
    """Spider without a stock."""

    def may_deal(self, _cards: Cards) -> bool:
        return False


class ThreeReserves(Runs):
    """A deal gives a card to each of three reserves, first to those that are empty."""

    to_empty_columns = ""

    def beside(self, cards: Cards) -> list[str]:
        return cards.names("r")

    def deal(self, cards: Cards) -> None:
        empty = cards.empty("r")
        for reserve in [*empty, *(name for name in cards.names("r") if name not in empty)]:
            if cards.piles["stock"]:
                cards.carry("stock", reserve)


class Belvedere(ThreeReserves):
    """Everything by rank alone, one card at a time; an empty column stays empty."""

    match = staticmethod(any_suit)
    home_match = staticmethod(any_suit)
    liftable = Game.liftable


class Vincent(ThreeReserves):
    """In suit, by runs; kings go to empty columns."""

    match = staticmethod(same_suit)
    to_empty_columns = "K"


class Dover(ThreeReserves):
    """Columns by rank alone, one card at a time; only the reserves fill empty ones."""

    match = staticmethod(any_suit)
    liftable = Game.liftable

    def fits(self, cards: Cards, source: str, lead: str, column: str) -> bool:
        if not cards.piles[column]:
            return source[0] == "r"
        return self.may_lie(lead, cards.piles[column][-1])


class Spike(ThreeReserves):
    """The columns of Klondike; cards come back from the foundations, too."""

    to_empty_columns = "K"

    def more_moves(self, cards: Cards) -> set[str]:
        return back_from_home(self, cards)


class NewYork(Dover):
    """The open card of the stock goes where the player likes; ranks go around the corner."""

    match = staticmethod(other_color)
    around = True
    stock_shown = 1

    def beside(self, cards: Cards) -> list[str]:
        return ["stock", *cards.names("r")]

    def may_deal(self, _cards: Cards) -> bool:
        return False

    def fits(self, cards: Cards, source: str, lead: str, column: str) -> bool:
        if not cards.piles[column]:
            return source == "stock" or source[0] == "r"
        return self.may_lie(lead, cards.piles[column][-1])

    def more_moves(self, cards: Cards) -> set[str]:
        return {f"stock-{place}" for place in cards.names("r") if cards.piles["stock"]}


class Gotham(NewYork):
    """New York by rank alone, and by runs."""

    match = staticmethod(any_suit)
    liftable = Runs.liftable


class OpenReserve(Game):
    """A reserve that only goes home, beside a stock that is turned card by card."""

    to_empty_columns = RANKS

    def beside(self, _cards: Cards) -> list[str]:
        return ["waste", "r1"]

    def fits(self, cards: Cards, source: str, lead: str, column: str) -> bool:
        return source != "r1" and super().fits(cards, source, lead, column)


class ChosenBase(OpenReserve):
    """The first card on a foundation, from a column, says with which rank all begin. Then the columns are filled up."""

    around = True

    def moves(self, cards: Cards) -> set[str]:
        if cards.base:
            return super().moves(cards)
        columns = (name for name in cards.names("t") if cards.piles[name])
        return {f"{column}-{home}" for column in columns for home in cards.names("f")}

    def after(self, cards: Cards, action: str) -> Cards:
        cards = super().after(cards, action)
        if not cards.base:
            cards.base = next(
                cards.piles[home][0][0] for home in cards.names("f") if cards.piles[home]
            )
            for column in cards.empty("t"):
                cards.carry("stock", column)
            cards.hidden["stock"] = len(cards.piles["stock"])
        return cards


class GeneralsPatience(ChosenBase):
    """Waste and stock fill an empty column at once; when both have run out, the player does."""

    def fits(self, cards: Cards, source: str, lead: str, column: str) -> bool:
        return super().fits(cards, source, lead, column) and (
            bool(cards.piles[column]) or source[0] == "t"
        )

    def tidy(self, cards: Cards) -> None:
        for column in cards.empty("t") if cards.base else ():
            for source in ("waste", "stock"):
                if cards.piles[source] and not cards.piles[column]:
                    cards.carry(source, column)


class QueenOfItaly(ChosenBase):
    """Colors alternate on the foundations, too."""

    home_match = staticmethod(other_color)


GAMES = {
    "klondike": Klondike(1, None),
    "klondike-draw-three": Klondike(3, None),
    "klondike-one-pass": Klondike(1, 1),
    "klondike-three-passes": Klondike(3, 3),
    "freecell": FreeCell(),
    "bakers-game": BakersGame(),
    "eight-off": EightOff(),
    "spider": Spider(),
    "spider-two-suits": Spider(),
    "spider-one-suit": Spider(),
    "yukon": Yukon(),
    "russian-solitaire": Russian(),
    "scorpion": Scorpion(),
    "canfield": Canfield(),
    "forty-thieves": FortyThieves(),
    "beleaguered-castle": BeleagueredCastle(),
    "simple-simon": SimpleSimon(),
    "belvedere": Belvedere(),
    "vincent": Vincent(),
    "dover": Dover(),
    "spike": Spike(),
    "new-york": NewYork(),
    "gotham": Gotham(),
    "generals-patience": GeneralsPatience(),
    "queen-of-italy": QueenOfItaly(),
    "mamy-susan": OpenReserve(),
}
