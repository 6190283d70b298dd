"""Everything but the card faces: the back, the suit glyphs and the marks of empty piles."""

from tools.cards.glyphs import RANKS, SUIT_SHAPES, SUITS, lettered, rank_at
from tools.cards.path import circle, place, polygon
from tools.cards.svg import ACCENT, BACK, BACK_LINE, INKS, MARK, fill, line, panel, sheet, symbol

CROWN = polygon((-13, -7), (-6, 0), (0, -10), (6, 0), (13, -7), (10, 9), (-10, 9))
ARROW = "M50 61V79M43.5 73L50 79.5L56.5 73"

# The lattice on the back: its field and how many meshes it has each way.
LEFT, TOP, FIELD_WIDTH, FIELD_HEIGHT = 9.5, 9.5, 81, 121
ACROSS, DOWN = 6, 9


def back() -> str:
    """Crossing lines that end exactly at the frame, with a jewel in every mesh."""
    lattice = "".join(diagonals(start) for start in range(1 - DOWN, ACROSS))
    jewel = polygon((0, -2), (1.5, 0), (0, 2), (-1.5, 0))
    jewels = "".join(
        place(jewel, *mesh(column, row))
        for column in range(1, ACROSS)
        for row in range(DOWN)
        if column or row
    )
    jewels += "".join(
        place(jewel, *mesh(column + 0.5, row - 0.5))
        for column in range(ACROSS)
        for row in range(1, DOWN)
    )
    lines = line(BACK_LINE, lattice, 0.9)
    return sheet() + panel(BACK, BACK_LINE, 6.5, 3.5) + lines + fill(ACCENT, jewels)


def mesh(column: float, row: float) -> tuple[float, float]:
    """The middle of a mesh of the lattice."""
    x = LEFT + column * FIELD_WIDTH / ACROSS
    y = TOP + (row + 0.5) * FIELD_HEIGHT / DOWN
    return round(x, 2), round(y, 2)


def diagonals(start: int) -> str:
    """The line that enters the field `start` meshes from its left edge and falls, and its mirror image."""
    first, last = max(0, start), min(ACROSS, start + DOWN)
    x1, y1 = mesh(first, first - start - 0.5)
    x2, y2 = mesh(last, last - start - 0.5)
    return place(f"M{x1} {y1}L{x2} {y2}M{100 - x1:.2f} {y1}L{100 - x2:.2f} {y2}")


def marks() -> str:
    """Marks for empty piles, in one faint color that the page chooses."""
    suits = [suit_mark(f"mark-{suit}", (suit, 50, 70, 3.0)) for suit in SUITS]
    pairs = [
        suit_mark("mark-red", ("H", 33, 48, 2.0), ("D", 67, 92, 2.0)),
        suit_mark("mark-black", ("S", 33, 48, 2.0), ("C", 67, 92, 2.0)),
    ]
    ranks = [
        symbol(
            f"mark-{rank}",
            lettered(rank, lambda letter: line(MARK, rank_at(letter, 50, 70, 2.6), 6)),
        )
        for rank in RANKS
    ]
    run = rank_at("K", 50, 34, 1.6) + place(ARROW) + rank_at("A", 50, 106, 1.6)
    others = [
        symbol("mark-run", line(MARK, run, 4.2)),
        symbol("mark-crown", line(MARK, place(CROWN, 50, 70, 2.3), 4.5)),
        symbol("mark-any", line(MARK, place(circle(50, 70, 18)), 4.5)),
        symbol("mark-cell", line(MARK, place("M34 66V92H66V66M50 44V76M42 68L50 76L58 68"), 4.5)),
        symbol("mark-done", line(MARK, place("M34 54L66 86M66 54L34 86"), 4.5)),
    ]
    return "\n".join([*suits, *pairs, *ranks, *others])


def suit_mark(name: str, *suits: tuple[str, float, float, float]) -> str:
    """One mark made of whole suits, each given with its place and scale."""
    return symbol(
        name,
        fill(MARK, "".join(place(SUIT_SHAPES[suit], x, y, scale) for suit, x, y, scale in suits)),
    )


def suit_glyphs() -> str:
    """The suits alone, for sentences and buttons."""
    return "\n".join(
        symbol(f"s{suit}", fill(INKS[suit], place(SUIT_SHAPES[suit], 12, 12, 1.05)), 24, 24)
        for suit in SUITS
    )
