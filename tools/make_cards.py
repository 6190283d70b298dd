"""Draw the sprite of every card, the back alone, the icon and the scenes: `python -m tools.make_cards`."""

from pathlib import Path

from tools.cards.brand import favicon, logo, wordmark
from tools.cards.courts import FIGURES
from tools.cards.faces import card
from tools.cards.glyphs import RANKS, SUITS
from tools.cards.marks import back, marks, suit_glyphs
from tools.cards.scenes import scenes
from tools.cards.svg import picture, symbol

IMAGES = Path(__file__).parent.parent / "static" / "img"


def sprite() -> str:
    """All symbols in one file; the same on every run."""
    # So that repetitions are within the window of gzip: pips rank by rank, the courts, which are long, suit by suit.
    pips = [(rank, suit) for rank in RANKS if rank not in FIGURES for suit in SUITS]
    courts = [(rank, suit) for suit in SUITS for rank in FIGURES]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg">',
        *(card(rank, suit) for rank, suit in (*pips, *courts)),
        symbol("back", back()),
        suit_glyphs(),
        marks(),
        logo(),
        wordmark(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def pictures() -> dict[str, str]:
    """Every generated file, by name."""
    return {
        "cards.svg": sprite(),
        "back.svg": picture(back()),
        "favicon.svg": favicon(),
        "scenes.svg": scenes(),
    }


def main() -> None:
    """Write the files to the folder that the site serves."""
    for name, text in pictures().items():
        (IMAGES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
