"""What lies on the table besides faces: the back, the suit glyphs and the signs on empty places."""

from tools.cards.glyphs import RANK_HEIGHT, RANK_LINES, RANK_WIDTHS, RANKS, SUIT_SHAPES, SUITS
from tools.cards.path import circle, place, polygon
from tools.cards.svg import ACCENT, BACK, BACK_LINE, INKS, MARK, fill, line, panel, sheet, symbol

CROWN = polygon((-11, -7), (-5, -1), (0, -9), (5, -1), (11, -7), (8.6, 7), (-8.6, 7))


def back() -> str:
    """A lattice of lozenges whose lines end exactly at the frame, a jewel at every crossing."""
    left, top, columns, lines_ = 9, 9, 7, 10
    step_x, step_y = 82 / columns, 122 / lines_
    lattice, jewels = "", ""
    for start in range(-lines_, columns + 1):
        lattice += _diagonal(start, columns, lines_, left, top, step_x, step_y)
    for i in range(columns):
        for j in range(lines_):
            if (i + j) % 2 == 0:
                jewels += place(
                    circle(0, 0, 1.5),
                    round(left + (i + 0.5) * step_x, 2),
                    round(top + (j + 0.5) * step_y, 2),
                )
    frame = panel(BACK, BACK_LINE, 7, 3)
    return symbol("back", sheet() + frame + line(BACK_LINE, lattice, 0.8) + fill(ACCENT, jewels))


def _diagonal(
    start: int, columns: int, rows: int, left: float, top: float, sx: float, sy: float
) -> str:
    first = max(0, start)
    last = min(columns, start + rows)
    if last <= first:
        return ""
    falling = polygon(
        (left + first * sx, top + (first - start) * sy),
        (left + last * sx, top + (last - start) * sy),
    )
    rising = polygon(
        (left + first * sx, top + (rows - first + start) * sy),
        (left + last * sx, top + (rows - last + start) * sy),
    )
    return place(falling.rstrip("Z")) + place(rising.rstrip("Z"))


def marks() -> str:
    """Signs for empty places, in one faint ink that the page chooses."""
    out = [outline(f"mark-{suit}", (suit, 50, 70, 2.6)) for suit in SUITS]
    out.append(outline("mark-red", ("H", 36, 50, 1.7), ("D", 64, 90, 1.7)))
    out.append(outline("mark-black", ("S", 36, 50, 1.7), ("C", 64, 90, 1.7)))
    for rank in RANKS:
        out.append(symbol(f"mark-{rank}", line(MARK, rank_at(rank, 50, 70, 2.2), 5)))
    arrow = "M50 62V78M44 73L50 79L56 73"
    run = rank_at("K", 50, 36, 1.4) + place(arrow) + rank_at("A", 50, 104, 1.4)
    out.append(symbol("mark-run", line(MARK, run, 3.6)))
    out.append(symbol("mark-crown", line(MARK, place(CROWN, 50, 70, 2.6), 3)))
    out.append(symbol("mark-any", line(MARK, place(circle(50, 70, 16)), 3)))
    out.append(symbol("mark-done", line(MARK, place("M36 56L64 84M64 56L36 84"), 4)))
    return "\n".join(out)


def outline(name: str, *suits: tuple[str, float, float, float]) -> str:
    """One mark of suits drawn as outlines."""
    shapes = "".join(place(SUIT_SHAPES[suit], x, y, scale) for suit, x, y, scale in suits)
    return symbol(name, fill(MARK, shapes))


def rank_at(rank: str, x: float, y: float, scale: float) -> str:
    """A rank centred on a point."""
    left, top = x - RANK_WIDTHS[rank] * scale / 2, y - RANK_HEIGHT * scale / 2
    return place(RANK_LINES[rank], round(left, 2), round(top, 2), scale)


def suit_glyphs() -> str:
    """The suits alone, for sentences and buttons."""
    return "\n".join(
        symbol(f"s{suit}", fill(INKS[suit], place(SUIT_SHAPES[suit], 12, 12, 1.05)), 24, 24)
        for suit in SUITS
    )
