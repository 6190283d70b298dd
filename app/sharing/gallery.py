"""Pictures of deals, each drawn once and kept in memory, on a thread of their own."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code
from app.errors import UnavailableError
from app.sharing.picture import draw

_MOST_KEPT: Final = 64  # of about 120 KB each
_MOST_WAITING: Final = 16

_Key = tuple[str, int, str]


class PictureCache:
    """Draws one picture at a time: whoever asks for many of them slows down nobody else's game."""

    def __init__(self) -> None:
        """Start with nothing drawn; the thread comes with the first picture."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._drawn: OrderedDict[_Key, bytes] = OrderedDict()
        self._drawing: dict[_Key, asyncio.Task[bytes]] = {}

    async def picture(self, rules: Ruleset, code: Code) -> bytes:
        """The picture of a deal; raises ``UnavailableError`` when too many are asked for."""
        key = (rules.id, rules.revision, str(code))
        kept = self._drawn.get(key)
        if kept is not None:
            self._drawn.move_to_end(key)
            return kept
        if key not in self._drawing:
            if len(self._drawing) >= _MOST_WAITING:
                raise UnavailableError("Too many pictures are being drawn. Please try again soon.")
            self._drawing[key] = asyncio.create_task(self._draw(key, rules, code))
        # Shielded: a visitor who leaves does not take the picture away from those who stay.
        return await asyncio.shield(self._drawing[key])

    async def close(self) -> None:
        """Finish the picture under way and draw no other."""
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)

    async def _draw(self, key: _Key, rules: Ruleset, code: Code) -> bytes:
        loop = asyncio.get_running_loop()
        try:
            made = await loop.run_in_executor(self._thread, _opening_picture, rules, code)
        finally:
            del self._drawing[key]
        self._drawn[key] = made
        while len(self._drawn) > _MOST_KEPT:
            self._drawn.popitem(last=False)
        return made


def _opening_picture(rules: Ruleset, code: Code) -> bytes:
    return draw(rules, opening(rules, deck_of_code(code, rules.decks)))
