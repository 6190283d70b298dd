"""Write static/img/cards.svg, the sprite of every card, and the icon: `python -m tools.make_cards`."""

from pathlib import Path

from tools.cards.brand import favicon, logo, wordmark
from tools.cards.faces import compact, face, narrow
from tools.cards.glyphs import RANKS, SUITS
from tools.cards.marks import back, marks, suit_glyphs

IMAGES = Path(__file__).parent.parent / "static" / "img"
SPRITE = IMAGES / "cards.svg"
FAVICON = IMAGES / "favicon.svg"


def sprite() -> str:
    """The whole file; the same on every run."""
    deck = [(rank, suit) for suit in SUITS for rank in RANKS]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg">',
        *(face(rank, suit) for rank, suit in deck),
        *(compact(rank, suit) for rank, suit in deck),
        *(narrow(rank, suit) for rank, suit in deck),
        back(),
        suit_glyphs(),
        marks(),
        logo(),
        wordmark(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def main() -> None:
    """Write both files where the site serves them from."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    SPRITE.write_text(sprite(), encoding="utf-8")
    FAVICON.write_text(favicon(), encoding="utf-8")


if __name__ == "__main__":
    main()
