"""The inks as custom properties, and the few SVG elements the sprite is made of.

Paint is given in presentation attributes holding `var()`. They inherit from the page through
`<use>`, whatever its content security policy says; a style element or attribute inside an external
sprite is dropped by some browsers under `style-src 'self'`.
"""

from tools.cards.path import numbers

PAPER = "var(--card-paper, #fffdf8)"
EDGE = "var(--card-edge, #c9c2b3)"
ACCENT = "var(--card-accent, #d9a032)"
FEATURE = "var(--card-feature, #1b2230)"
SKIN = "var(--card-skin, #f6dfc4)"
SHADE = "var(--card-shade, #e2b98f)"
PANEL = "var(--card-panel, #f4ede0)"
MARK = "var(--card-mark, currentColor)"
BACK = "var(--card-back, #28535a)"
BACK_LINE = "var(--card-back-line, #7fa5a5)"
INKS = {
    "C": "var(--card-ink-C, #1b2230)",
    "D": "var(--card-ink-D, #c22032)",
    "H": "var(--card-ink-H, #c22032)",
    "S": "var(--card-ink-S, #1b2230)",
}
TINTS = {
    "C": "var(--card-tint-C, #93a3b3)",
    "D": "var(--card-tint-D, #eba08f)",
    "H": "var(--card-tint-H, #eba08f)",
    "S": "var(--card-tint-S, #93a3b3)",
}


def fill(paint: str, path: str) -> str:
    """A filled shape."""
    return f'<path fill="{paint}" d="{path}"/>'


def line(paint: str, path: str, width: float) -> str:
    """A drawn line; joins are round, ends are cut."""
    return (
        f'<path fill="none" stroke="{paint}" stroke-width="{numbers(width)}" '
        f'stroke-linejoin="round" d="{path}"/>'
    )


def edged(paint: str, path: str, width: float) -> str:
    """A filled shape grown by half of the width, its corners kept sharp but for the thinnest."""
    return (
        f'<path fill="{paint}" stroke="{paint}" stroke-width="{numbers(width)}" '
        f'stroke-miterlimit="3" d="{path}"/>'
    )


def panel(paint: str, rim: str, inset: float, radius: float) -> str:
    """A rounded rectangle as large as the card less an inset on each side."""
    width, height = numbers(100 - 2 * inset), numbers(140 - 2 * inset)
    at = numbers(inset)
    return (
        f'<rect x="{at}" y="{at}" width="{width}" height="{height}" rx="{numbers(radius)}" '
        f'fill="{paint}" stroke="{rim}" stroke-width="1.5"/>'
    )


def sheet() -> str:
    """The paper of every card."""
    return panel(PAPER, EDGE, 0.75, 7.25)


def form(name: str, shown: str, body: str) -> str:
    """A part that the page shows or hides with `--card-<name>: inline` or `none`."""
    return f'<g display="var(--card-{name}, {shown})">{body}</g>'


def symbol(name: str, body: str, width: float = 100, height: float = 140, *, fit: str = "") -> str:
    """One entry of the sprite. ``fit`` says how it fills a box of another shape: whole, or as in preserveAspectRatio."""
    box = f"0 0 {numbers(width)} {numbers(height)}"
    ratio = fit and f' preserveAspectRatio="{fit}"'
    return f'<symbol id="{name}" viewBox="{box}"{ratio}>{body}</symbol>'


def picture(body: str, width: float = 100, height: float = 140) -> str:
    """A file of its own, for style sheets and browsers that want an image; it fills any box, so that tall cards have backs."""
    box = f"0 0 {numbers(width)} {numbers(height)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" preserveAspectRatio="none">{body}</svg>\n'
