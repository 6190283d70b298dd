"""The bare handler that a move is compared with: the same stack without our code.

FastAPI, one writer thread with the standard library's sqlite3 (WAL, synchronous FULL), SELECT,
UPDATE, INSERT and COMMIT, and a Jinja template of about 5.8 KB. Run as ``python -m bench.yardstick
PORT FILE``.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Form
from fastapi.responses import FileResponse, HTMLResponse
from jinja2 import Environment

from app.folders import static_folder

GAMES = 1000
_TEMPLATE = Environment(autoescape=True).from_string(
    """{% for pile in piles %}<section id="pile-{{ pile.id }}" aria-label="{{ pile.label }}">
{% for card in pile.cards %}<button name="clicked" value="{{ pile.id }}:{{ loop.index }}">
{{ card }}</button>{% endfor %}</section>
{% endfor %}<p id="state">{{ version }}</p>"""
)
_PILES = [
    {"id": f"t{n}", "label": f"Tableau {n}, eleven cards", "cards": ["7H", "6S", "5D"] * 4}
    for n in range(8)
]

_PILE = '<div id="pile" data-n="{number}"><button>{number}</button></div>'
_MINIMAL = (
    '<!doctype html><title>Minimal</title><script src="/htmx.js" defer></script>'
    '<button id="deal" hx-post="/minimal" hx-target="#pile" hx-swap="outerHTML">Deal</button>'
    f"<main>{_PILE.format(number=0)}</main>"
)


def open_games(path: str) -> sqlite3.Connection:
    """A new database of a thousand games, for one thread at a time."""
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    connection.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "CREATE TABLE games (id TEXT PRIMARY KEY, version INTEGER, status TEXT);"
        "CREATE TABLE moves (game_id TEXT, seq INTEGER, move TEXT, at_ms INTEGER,"
        " PRIMARY KEY (game_id, seq)) WITHOUT ROWID"
    )
    connection.execute("BEGIN")
    for number in range(GAMES):
        connection.execute("INSERT INTO games VALUES (?, 0, 'playing')", (f"game{number}",))
    connection.execute("COMMIT")
    return connection


def make_app(path: str) -> FastAPI:
    """The handler, with a database of a thousand games."""
    connection = open_games(path)
    writer = ThreadPoolExecutor(1)
    app = FastAPI()

    def store(game_id: str, text: str) -> int:
        connection.execute("BEGIN IMMEDIATE")
        (version,) = connection.execute(
            "SELECT version FROM games WHERE id = ?", (game_id,)
        ).fetchone()
        connection.execute(
            "UPDATE games SET version = ? WHERE id = ? AND version = ?",
            (version + 1, game_id, version),
        )
        connection.execute(
            "INSERT INTO moves VALUES (?, ?, ?, ?)", (game_id, version + 1, text, 1_700_000_000_000)
        )
        connection.execute("COMMIT")
        return int(version) + 1

    @app.post("/games/{game_id}/move")
    async def move(
        game_id: str, version: Annotated[int, Form()], move: Annotated[str, Form()]
    ) -> HTMLResponse:
        loop = asyncio.get_running_loop()
        stored = await loop.run_in_executor(writer, store, game_id, move)
        return HTMLResponse(_TEMPLATE.render(piles=_PILES, version=max(version, stored)))

    minimal = iter(range(1_000_000))

    @app.get("/minimal")
    async def page() -> HTMLResponse:
        return HTMLResponse(_MINIMAL)

    @app.get("/htmx.js")
    async def htmx() -> FileResponse:
        return FileResponse(static_folder() / "vendor" / "htmx.min.js")

    @app.post("/minimal")
    async def click() -> HTMLResponse:
        loop = asyncio.get_running_loop()
        number = await loop.run_in_executor(writer, store, "game0", f"deal {next(minimal)}")
        return HTMLResponse(_PILE.format(number=number))

    return app


if __name__ == "__main__":
    uvicorn.run(make_app(sys.argv[2]), port=int(sys.argv[1]), log_level="warning", access_log=False)
