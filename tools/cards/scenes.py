"""Small scenes for what has no table to show: races, shared tables, challenges, leagues, watching, and empty pages.

Each is 96 by 64. Colors are custom properties of the page, so that the scenes follow its scheme and its cloth.
"""

from collections.abc import Iterable

from tools.cards.glyphs import SUIT_SHAPES
from tools.cards.path import numbers, place
from tools.cards.svg import EDGE, INKS, PAPER, fill, symbol

WIDTH, HEIGHT = 96, 64
CARD_WIDTH, CARD_HEIGHT = 11, 15
COLUMN = 12.5  # from one column to the next
FACE = 5  # how much of a covered card shows
CLOTH = "var(--table-cloth, #2f6650)"
CLOTH_EDGE = "var(--table-cloth-deep, #1e4738)"
INK = "var(--ink, #22302a)"
SURFACE = "var(--card, #fdfcf8)"
GOLD = "var(--glow, #b87700)"
PLAYERS = ("#3a76a8", "#b0562f", "#5f7f3a", "#7b5a94")
CROWN = "M-6.5 -3L-4.3 2H4.3L6.5 -3L2.8 -.7L0 -6L-2.8 -.7Z"
EYE = "M-26 0C-16 -16 16 -16 26 0C16 16 -16 16 -26 0Z"


def cloth(x: float, y: float, width: float, height: float) -> str:
    """A table."""
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" '
        f'fill="{CLOTH}" stroke="{CLOTH_EDGE}" stroke-width="1.2"/>'
    )


def card(x: float, y: float, suit: str = "", size: float = 1) -> str:
    """A card that shows its suit, or a blank one where another covers it."""
    width, height = CARD_WIDTH * size, CARD_HEIGHT * size
    face = (
        fill(INKS[suit], place(SUIT_SHAPES[suit], x + width / 2, y + height / 2, size / 3))
        if suit
        else ""
    )
    return (
        f'<rect x="{x}" y="{y}" width="{numbers(width)}" height="{numbers(height)}" rx="{numbers(1.6 * size)}" '
        f'fill="{PAPER}" stroke="{EDGE}" stroke-width=".8"/>{face}'
    )


def empty(x: float, y: float) -> str:
    """The place of an empty pile."""
    return (
        f'<rect x="{x + 0.5}" y="{y + 0.5}" width="{CARD_WIDTH - 1}" height="{CARD_HEIGHT - 1}" rx="1.4" '
        f'fill="none" stroke="#fff" stroke-opacity=".45"/>'
    )


def table(x: float, y: float, foundations: str, columns: Iterable[str]) -> str:
    """Foundations above columns. Each is given by suits: "-" stands for an empty place, "." for a covered card."""
    drawn = [
        empty(x + COLUMN * at, y) if suit == "-" else card(x + COLUMN * at, y, suit)
        for at, suit in enumerate(foundations)
    ]
    for at, column in enumerate(columns):
        drawn += [
            card(x + COLUMN * at, y + 19 + FACE * depth, suit.strip("."))
            for depth, suit in enumerate(column)
        ]
    return "".join(drawn)


def disc(x: float, y: float, paint: str, radius: float = 6.5) -> str:
    """A player."""
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{paint}" stroke="{SURFACE}" stroke-width="1.6"/>'


def progress(x: float, part: float) -> str:
    """How far a racer has come."""
    bar = '<rect x="{}" y="58" width="{}" height="3" rx="1.5" fill="{}"{}/>'.format
    return bar(x, 44, INK, ' fill-opacity=".16"') + bar(x, 44 * part, GOLD, "")


def race() -> str:
    """Two players with the same cards, one ahead of the other."""
    ahead = cloth(2, 4, 44, 50) + table(6, 8, "SHC", (".D", "S", "..H")) + progress(2, 0.8)
    behind = cloth(50, 4, 44, 50) + table(54, 8, "S--", ("..D", ".C", "..H")) + progress(50, 0.4)
    return ahead + behind


def shared_table() -> str:
    """Four players around one table."""
    seats = ((8, 32), (88, 32), (48, 58), (48, 6))
    players = (disc(x, y, paint) for (x, y), paint in zip(seats, PLAYERS, strict=True))
    return cloth(8, 6, 80, 52) + table(24, 12, "HS--", (".C", "D", "..S", "H")) + "".join(players)


def challenge() -> str:
    """A run to beat, as a line that rises, and a player who is close behind."""
    run = "M20 46C30 44 32 34 42 33S58 26 76 14"
    mine = "M20 46C30 46 34 41 44 40S54 36 60 33"
    line = (
        '<path d="{}" fill="none" stroke="{}" stroke-width="2.6" stroke-linecap="round"{}/>'.format
    )
    return (
        cloth(8, 4, 80, 54)
        + line(run, "#fff", ' stroke-opacity=".7" stroke-dasharray="1 5"')
        + line(mine, GOLD, "")
        + disc(76, 14, PLAYERS[1], 6)
        + disc(60, 33, PLAYERS[0], 6)
    )


def league() -> str:
    """Three players on steps, and the days of a week."""
    steps = ((13, 18, 0.3), (37, 30, 0.45), (61, 11, 0.2))
    drawn = [
        f'<path d="M{x} 54V{57 - height}a3 3 0 0 1 3 -3h16a3 3 0 0 1 3 3V54z" fill="{INK}" fill-opacity="{shade}"/>'
        + disc(x + 11, 47 - height, paint, 6)
        for (x, height, shade), paint in zip(steps, PLAYERS, strict=False)
    ]
    drawn.append(fill(GOLD, place(CROWN, 48, 9)))
    drawn += [
        f'<circle cx="{21 + 9 * day}" cy="60" r="2.2" fill="{GOLD if day < 5 else "none"}" stroke="{GOLD}"/>'
        for day in range(7)
    ]
    return "".join(drawn)


def watch() -> str:
    """An eye on a table."""
    eye = f'<path d="{place(EYE, 48, 42)}" fill="{SURFACE}" stroke="{INK}" stroke-width="2" stroke-linejoin="round"/>'
    pupil = "".join(
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{paint}"/>'
        for x, y, radius, paint in (
            (48, 42, 8.5, INK),
            (48, 42, 4.5, GOLD),
            (50.5, 39.5, 1.5, SURFACE),
        )
    )
    return cloth(8, 4, 80, 40) + table(18, 8, "SD--C", ("", "H", "", "", "C")) + eye + pupil


def reminder() -> str:
    """A card and a clock."""
    marks = "".join(
        f'<path d="M62 19.5v3" transform="rotate({30 * hour} 62 36)" stroke="{INK}" stroke-opacity=".5" stroke-width="1.4"/>'
        for hour in range(12)
    )
    return (
        f'<g transform="rotate(-8 29 31)">{card(14, 10, "H", 2.8)}</g>'
        f'<circle cx="62" cy="36" r="20" fill="{SURFACE}" stroke="{INK}" stroke-width="2"/>{marks}'
        f'<path d="M62 24.5V36l8 5" fill="none" stroke="{INK}" stroke-width="2.4" stroke-linecap="round"/>'
    )


def rating() -> str:
    """A dial whose hand stands far to the right, around a spade."""
    arcs = (
        f'<path d="M14 52a34 34 0 0 1 68 0" stroke="{INK}" stroke-opacity=".16"/>'
        f'<path d="M14 52a34 34 0 0 1 42.8-32.8" stroke="{CLOTH}"/>'
        f'<path d="M56.8 19.2A34 34 0 0 1 75.9 32.5" stroke="{GOLD}"/>'
    )
    hand = f'<path d="M48 52L64.3 28.7" stroke="{INK}" stroke-width="2.4" stroke-linecap="round"/>'
    middle = f'<circle cx="48" cy="52" r="8" fill="{SURFACE}" stroke="{INK}" stroke-width="1.6"/>'
    spade = fill(INK, place(SUIT_SHAPES["S"], 48, 52, 0.42))
    return f'<g fill="none" stroke-width="8">{arcs}</g>{hand}{middle}{spade}'


def statistics() -> str:
    """Weeks as bars: games played, and those that were won."""
    weeks = ((14, 5), (22, 9), (18, 13), (31, 19), (38, 30))
    bars = "".join(
        f'<path d="M{x} 52v-{played}h9v{played}z" fill="#fff" fill-opacity=".26"/>'
        f'<path d="M{x} 52v-{won}h9v{won}z" fill="{GOLD}"/>'
        for x, (played, won) in zip(range(17, 80, 13), weeks, strict=True)
    )
    lines = '<path d="M15 16h66M15 28h66M15 40h66" stroke="#fff" stroke-opacity=".18"/>'
    ground = '<path d="M15 52h66" stroke="#fff" stroke-opacity=".6"/>'
    return cloth(8, 4, 80, 54) + lines + bars + ground


def results() -> str:
    """A card, and the tick of a game that counts."""
    tick = (
        f'<circle cx="62" cy="36" r="20" fill="{SURFACE}" stroke="{INK}" stroke-width="2"/>'
        f'<path d="M53 36l7 8l12-15" fill="none" stroke="{GOLD}" stroke-width="4" stroke-linecap="round" '
        'stroke-linejoin="round"/>'
    )
    return f'<g transform="rotate(-8 29 31)">{card(14, 10, "H", 2.8)}</g>{tick}'


def days() -> str:
    """A calendar: full circles are days that were won."""
    sheet = (
        f'<rect x="20" y="9" width="56" height="50" rx="5" fill="{SURFACE}" stroke="{INK}" stroke-width="2"/>'
        f'<path d="M21 23v-9a4 4 0 0 1 4-4h46a4 4 0 0 1 4 4v9z" fill="{CLOTH}"/>'
        f'<path d="M34 5v9M62 5v9" stroke="{INK}" stroke-width="2.4" stroke-linecap="round"/>'
    )
    weeks = ("WoWWW", "oWWoW", "ooo")  # W was won, o was not

    def circles(of: str) -> str:
        return "".join(
            f'<circle cx="{30 + 9 * at}" cy="{31 + 9 * row}" r="2.8"/>'
            for row, week in enumerate(weeks)
            for at, day in enumerate(week)
            if day == of
        )

    won = f'<g fill="{GOLD}" stroke="{GOLD}">{circles("W")}</g>'
    return f'{sheet}{won}<g fill="none" stroke="{GOLD}">{circles("o")}</g>'


def scenes() -> str:
    """The sprite of all of them."""
    drawn = {
        "race": race(),
        "shared-table": shared_table(),
        "challenge": challenge(),
        "league": league(),
        "watch": watch(),
        "reminder": reminder(),
        "rating": rating(),
        "statistics": statistics(),
        "results": results(),
        "days": days(),
    }
    symbols = (symbol(name, body, WIDTH, HEIGHT) for name, body in drawn.items())
    return "\n".join(['<svg xmlns="http://www.w3.org/2000/svg">', *symbols, "</svg>"]) + "\n"
