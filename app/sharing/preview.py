"""Link previews: the visible opening of a deal as a PNG of the size that other sites show beside a link."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from functools import cache, partial
from typing import Final

from cachetools import LRUCache

from app.engine.deal import opening
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code
from app.errors import UnavailableError
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.games.sprite import sprite_shapes
from app.single_flight import SingleFlight
from app.text import gettext

WIDTH: Final = 1200
HEIGHT: Final = 630
TOP: Final = 46
SIGNATURE_HEIGHT: Final = 66

_MARGIN: Final = 48
_SIGNATURE_WIDTH: Final = 148
_CLOTH: Final = "#2f5546"
_CLOTH_DEEP: Final = "#1d382e"
_LINE: Final = "#7fa08f"
_WORDMARK: Final = "#f4ede0"

_MAX_CACHED: Final = 64  # of about 80 KB each
_MAX_WAITING: Final = 16
_MAX_OF_NETWORK: Final = 3
_RENDER_SECONDS: Final = 30

_VARIABLE: Final = re.compile(r"var\(--[\w-]+, ([^)]+)\)")
_USED: Final = re.compile(r'<use href="#([^"]+)"')

_RENDERER: Final = f"""
import sys, resvg_py
svg = sys.stdin.buffer.read().decode()
png = resvg_py.svg_to_bytes(svg_string=svg, width={WIDTH}, height={HEIGHT}, skip_system_fonts=True)
sys.stdout.buffer.write(bytes(png))
"""

_Key = tuple[str, int, str]


_SITE: Final = ("", 0, "")
"""The key of the picture of the site itself."""
_FAN: Final = (("KS", -24), ("QH", -12), ("JC", 0), ("TD", 12), ("AS", 24))  # with their angles


class PreviewCache:
    """Renders one preview at a time and keeps the latest in memory."""

    def __init__(self) -> None:
        """Start empty."""
        self._rendered: LRUCache[_Key, bytes] = LRUCache(_MAX_CACHED)
        self._own: dict[_Key, bytes] = {}
        self._rendering: SingleFlight[_Key, bytes] = SingleFlight()
        self._networks: dict[_Key, str] = {}  # who asked first for what is being rendered
        self._turn = asyncio.Lock()

    async def preview(self, rules: Ruleset, code: Code, network: str) -> bytes:
        """The preview of a deal, for a visitor from a network.

        Raises ``UnavailableError`` when too many are waiting, of all or of this network.
        """
        key = (rules.id, rules.revision, str(code))
        if (rendered := self._rendered.get(key)) is not None:
            return rendered
        if key not in self._rendering:
            waiting = [*self._networks.values()]
            if len(waiting) >= _MAX_WAITING or waiting.count(network) >= _MAX_OF_NETWORK:
                raise UnavailableError(
                    gettext("The server is busy drawing previews. Please try again soon.")
                )
            self._networks[key] = network
        return await self._render(key, partial(_deal_svg, rules, code), self._rendered)

    async def site(self) -> bytes:
        """The picture of the site itself."""
        return await self._own_picture(_SITE, site_svg)

    async def game(self, rules: Ruleset, example: Code) -> bytes:
        """The picture of a game: an example, which is kept for good."""
        key = (rules.id, rules.revision, str(example))
        return await self._own_picture(key, partial(_deal_svg, rules, example))

    async def _own_picture(self, key: _Key, draw: Callable[[], str]) -> bytes:
        """One of the few pictures that do not depend on what visitors ask for, so that they cannot crowd it out."""
        if (rendered := self._own.get(key)) is not None:
            return rendered
        return await self._render(key, draw, self._own)

    async def _render(
        self, key: _Key, draw: Callable[[], str], kept: MutableMapping[_Key, bytes]
    ) -> bytes:
        """Render a picture once for all who ask meanwhile, and keep it."""
        return await self._rendering.run(key, partial(self._render_in_turn, key, draw, kept))

    async def close(self) -> None:
        """Cancel what is being rendered."""
        await self._rendering.close()

    async def _render_in_turn(
        self, key: _Key, draw: Callable[[], str], kept: MutableMapping[_Key, bytes]
    ) -> bytes:
        try:
            async with self._turn:
                png = await render_png(draw())
        finally:
            self._networks.pop(key, None)
        kept[key] = png
        return png


def _deal_svg(rules: Ruleset, code: Code) -> str:
    return preview_svg(rules, opening(rules, deck_of_code(code, rules.decks)))


def preview_svg(rules: Ruleset, position: Position) -> str:
    """A picture of the visible cards of a position, with the site's name."""
    table = mini_table(rules, position).as_on_large_screens()
    drawing, scale = table.svg(""), scale_of(table)
    x, y = WIDTH - _MARGIN - _SIGNATURE_WIDTH, HEIGHT - SIGNATURE_HEIGHT
    return _on_cloth(
        _USED.findall(drawing),
        _wordmark(x, y, _SIGNATURE_WIDTH)
        + f'<g transform="translate({(WIDTH - table.width * scale) / 2} {TOP}) scale({scale})">{drawing}</g>',
    )


def site_svg() -> str:
    """A fan of five cards above the site's name."""
    fan = "".join(
        f'<use href="#{name}" transform="translate({WIDTH / 2} 760) rotate({angle}) scale(2.1) translate(-50 -325)"/>'
        for name, angle in _FAN
    )
    width = 440
    name = _wordmark((WIDTH - width) / 2, 478, width)
    return _on_cloth((name for name, _ in _FAN), fan + name)


def _wordmark(x: float, y: float, width: float) -> str:
    """The site's name, with its upper left corner and width in pixels."""
    return (
        f'<g color="{_WORDMARK}" transform="translate({x} {y}) scale({width / 110})">'
        f"{_symbols()['wordmark']}</g>"
    )


def _on_cloth(used: Iterable[str], drawing: str) -> str:
    """A drawing on cloth, as large as a preview; ``used`` are the cards that it refers to by name."""
    # Groups, not symbols: resvg clips each use of a symbol in a layer as large as the picture.
    cards = "".join(f'<g id="{name}">{_symbols()[name]}</g>' for name in sorted(set(used)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" color="{_LINE}"><defs>{cards}'
        '<radialGradient id="cloth" cx=".5" cy=".25" r=".9">'
        f'<stop stop-color="{_CLOTH}"/><stop offset="1" stop-color="{_CLOTH_DEEP}"/></radialGradient></defs>'
        f"<style>.place {{ fill: none; stroke: {_LINE}; stroke-width: 2; stroke-dasharray: 6 5 }}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#cloth)"/>{drawing}</svg>'
    )


def scale_of(table: MiniTable) -> float:
    """How many pixels a unit of the drawing is wide: the table fills the picture in one direction."""
    return min(
        (WIDTH - 2 * _MARGIN) / table.width, (HEIGHT - TOP - SIGNATURE_HEIGHT) / table.height
    )


async def render_png(svg: str) -> bytes:
    """Render an SVG in a process of its own: resvg holds the interpreter lock for 100 to 200 ms."""
    starting = asyncio.create_task(
        asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _RENDERER,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    )
    try:
        process = await asyncio.shield(starting)
        async with asyncio.timeout(_RENDER_SECONDS):
            png, complaint = await process.communicate(svg.encode())
    finally:
        process = await starting  # also one that was being started when it was cancelled
        if process.returncode is None:
            process.kill()
            await process.communicate()
    if process.returncode:
        raise RuntimeError(complaint.decode(errors="replace")[-500:])
    return png


@cache
def _symbols() -> Mapping[str, str]:
    """The shapes of the card sprite by name, with the default colors."""
    return {name: _VARIABLE.sub(r"\1", shapes) for name, shapes in sprite_shapes().items()}
