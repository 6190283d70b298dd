"""Moves, turns and shrinks SVG path data, so that each shape is drawn by hand only once."""

import re
from collections.abc import Iterator

# How many numbers each command takes; shapes are written with these absolute commands only.
ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}
TOKEN = re.compile(r"[A-Z]|-?(?:\d+\.?\d*|\.\d+)")


def place(
    shape: str,
    x: float = 0,
    y: float = 0,
    scale: float = 1,
    *,
    turn: bool = False,
    digits: int = 1,
) -> str:
    """The shape scaled about its origin, turned by half a circle if requested, and placed at (x, y).

    Everything after the first point comes out in relative coordinates: two pips of a suit then
    differ in one pair of numbers only, which is what makes the sprite small once compressed. So
    do few digits: a tenth of a unit is a tenth of a pixel on a card 100 pixels wide.
    """
    factor = -scale if turn else scale
    out: list[str] = []
    here = start = (0.0, 0.0)

    def point(px: float, py: float) -> tuple[float, float]:
        # Rounded before it is moved: the relative form must not depend on where the shape lies.
        return round(px * factor, digits) + x, round(py * factor, digits) + y

    for command, args in commands(shape):
        if command == "M":
            target = start = point(args[0], args[1])
            out.append(f"M{numbers(*target)}" if not out else f"m{numbers(*delta(here, target))}")
        elif command == "Z":
            target = start
            out.append("z")
        elif command == "H":
            target = (point(args[0], 0)[0], here[1])
            out.append(f"h{numbers(target[0] - here[0])}")
        elif command == "V":
            target = (here[0], point(0, args[0])[1])
            out.append(f"v{numbers(target[1] - here[1])}")
        elif command == "A":
            target = point(args[5], args[6])
            radii = numbers(args[0] * scale, args[1] * scale, *args[2:5])
            out.append(f"a{radii} {numbers(*delta(here, target))}")
        else:
            points = [point(*args[i : i + 2]) for i in range(0, len(args), 2)]
            target = points[-1]
            steps = [value for p in points for value in delta(here, p)]
            out.append(command.lower() + numbers(*steps))
        here = target
    return "".join(out)


def shifted(shape: str, x: float, y: float, scale: float) -> str:
    """The shape scaled and placed at (x, y), still in absolute coordinates, to be part of a larger one."""
    out = ""
    for command, args in commands(shape):
        match command:
            case "A":
                values = [
                    args[0] * scale,
                    args[1] * scale,
                    *args[2:5],
                    x + args[5] * scale,
                    y + args[6] * scale,
                ]
            case "H":
                values = [x + args[0] * scale]
            case "V":
                values = [y + args[0] * scale]
            case _:
                values = [(x, y)[i % 2] + value * scale for i, value in enumerate(args)]
        out += command + " ".join(f"{value:.3f}" for value in values)
    return out


def commands(shape: str) -> Iterator[tuple[str, list[float]]]:
    """Split path data into commands, each with its numbers; a repeated command may leave out its letter."""
    tokens = TOKEN.findall(shape)
    command, i = "", 0
    while i < len(tokens):
        if tokens[i].isalpha():
            command, i = tokens[i], i + 1
        count = ARITY[command]
        yield command, [float(token) for token in tokens[i : i + count]]
        i += count


def delta(here: tuple[float, float], there: tuple[float, float]) -> tuple[float, float]:
    """The vector from one point to another."""
    return there[0] - here[0], there[1] - here[1]


def numbers(*values: float) -> str:
    """Numbers in the shortest SVG form: two decimals, no superfluous zeros or spaces."""
    out = ""
    for value in values:
        text = f"{value:.2f}".rstrip("0").rstrip(".").replace("-0.", "-.")
        text = text.removeprefix("0") if text.startswith("0.") else text
        text = "0" if text in {"-0", "-", ""} else text
        out += text if not out or text.startswith("-") else f" {text}"
    return out


def circle(x: float, y: float, radius: float) -> str:
    """A circle, drawn clockwise."""
    r = radius
    return f"M{x - r:g} {y:g}A{r:g} {r:g} 0 1 1 {x + r:g} {y:g}A{r:g} {r:g} 0 1 1 {x - r:g} {y:g}Z"


def polygon(*corners: tuple[float, float]) -> str:
    """A closed figure with straight sides."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in corners) + "Z"


def box(x: float, y: float, width: float, height: float) -> str:
    """A rectangle, drawn clockwise."""
    return f"M{x:g} {y:g}H{x + width:g}V{y + height:g}H{x:g}Z"
