"""Twelve court figures built from one family of flat shapes."""

from tools.cards.path import box, circle, place, polygon
from tools.cards.svg import ACCENT, INKS, PANEL, SKIN, TINTS, fill


def court(rank: str, suit: str) -> str:
    """A figure and its mirror, meeting at a belt across the middle of the card."""
    layers = {"K": king, "Q": queen, "J": jack}[rank](suit)
    ground = fill(PANEL, place(box(25, 10, 50, 120)))
    belt = fill(ACCENT, place(box(25, 67.5, 50, 5)))
    return (
        ground
        + "".join(fill(p, place(d) + place(d_turned(d), 100, 140, turn=True)) for p, d in layers)
        + belt
    )


def d_turned(d: str) -> str:
    return d


def king(suit: str) -> list[tuple[str, str]]:
    ink, tint = INKS[suit], TINTS[suit]
    return [
        (tint, "M25 68V62C25 56 30 53 38 52H62C70 53 75 56 75 62V68Z"),
        (SKIN, box(40, 32, 20, 22)),
        (ink, "M38 33H41V45H59V33H62V50C62 58 56 63 50 66C44 63 38 58 38 50Z"),
        (SKIN, box(46, 48, 8, 2)),
        (ink, circle(45.6, 40, 1.2) + circle(54.4, 40, 1.2)),
        (ACCENT, polygon((36, 17), (43, 25), (50, 13), (57, 25), (64, 17), (62, 33), (38, 33))),
    ]


def queen(suit: str) -> list[tuple[str, str]]:
    ink, tint = INKS[suit], TINTS[suit]
    return [
        (tint, "M27 68C27 60 34 56 42 55H58C66 56 73 60 73 68Z"),
        (ink, "M50 22C60 22 65 29 65 38V58H35V38C35 29 40 22 50 22Z"),
        (SKIN, "M42 30H58V42C58 48 54 51 54 51V58L50 62L46 58V51C46 51 42 48 42 42Z"),
        (ink, circle(46, 40, 1.1) + circle(54, 40, 1.1)),
        (
            ACCENT,
            "M38 27C40 22 44 19 50 19C56 19 60 22 62 27L58 28C56 25 54 24 50 24C46 24 44 25 42 28Z"
            + circle(50, 16, 2),
        ),
    ]


def jack(suit: str) -> list[tuple[str, str]]:
    ink, tint = INKS[suit], TINTS[suit]
    return [
        (ink, "M25 68V64C25 58 32 55 42 54H58C68 55 75 58 75 64V68Z"),
        (tint, "M37 30H63V48H37Z"),
        (SKIN, "M42 30H58V44C58 49 54 52 50 52C46 52 42 49 42 44Z"),
        (ink, circle(46, 39, 1.1) + circle(54, 39, 1.1)),
        (ACCENT, "M36 31L40 20H64V31Z"),
    ]
