"""Deals as their tests find them again."""

import re

from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import update

from app.db.schema import games
from app.engine.shuffle import parse_code

CODES = [str(parse_code(f"{n:010d}")) for n in range(4)]
NEXT = re.compile(r'<button form="again" class="primary"><span>Next deal <small>([^<]+)<')


async def code_of(client: AsyncClient, address: str) -> str:
    """The code of the deal at a table."""
    state = (await client.get(f"/api/v1{address}")).json()
    return str(state["code"])


async def end(site: FastAPI, code: str, status: str) -> None:
    """Give the games of a deal a status."""
    ended = update(games).where(games.c.code == code).values(status=status)
    await site.state.services.database.write(lambda connection: connection.execute(ended))
