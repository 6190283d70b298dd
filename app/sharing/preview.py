"""Link previews: the visible opening of a deal as a PNG of the size that other sites show beside a link."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
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
        self._rendering: dict[_Key, asyncio.Task[bytes]] = {}
        self._turn = asyncio.Lock()

    async def preview(self, rules: Ruleset, code: Code) -> bytes:
        """The preview of a deal; raises ``UnavailableError`` when too many are waiting."""
        key = (rules.id, rules.revision, str(code))
        return await self._picture(
            key, lambda: preview_svg(rules, opening(rules, deck_of_code(code, rules.decks)))
        )

    async def site(self) -> bytes:
        """The picture of the site itself."""
        return await self._picture(_SITE, site_svg)

    async def _picture(self, key: _Key, draw: Callable[[], str]) -> bytes:
        if (rendered := self._rendered.get(key)) is not None:
            return rendered
        if key not in self._rendering:
            if len(self._rendering) >= _MAX_WAITING:
                raise UnavailableError(
                    gettext("The server is busy drawing previews. Please try again soon.")
                )
            self._rendering[key] = asyncio.create_task(self._render(key, draw))
        # Shielded: if one visitor leaves, the others who asked for the same preview still get it.
        return await asyncio.shield(self._rendering[key])

    async def close(self) -> None:
        """Cancel what is being rendered."""
        tasks = list(self._rendering.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _render(self, key: _Key, draw: Callable[[], str]) -> bytes:
        try:
            async with self._turn:
                png = await render_png(draw())
        finally:
            del self._rendering[key]
        self._rendered[key] = png
        return png


def preview_svg(rules: Ruleset, position: Position) -> str:
    """A picture of the visible cards of a position, with the site's name."""
    table = mini_table(rules, position)
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
