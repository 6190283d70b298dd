"""Health checks: is the process alive, and is it ready to serve."""

from __future__ import annotations

import asyncio
import logging

from fastapi import APIRouter
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse

from app.db.engine import Database
from app.db.migrate import is_current
from app.http.dependencies import service_of
from app.http.logs import ROOT

_log = logging.getLogger(f"{ROOT}.http")
_TIMEOUT = 2.0  # seconds

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> JSONResponse:
    """The process is alive."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """Whether the database is available and has the schema of this release."""
    database = service_of(request, Database)
    try:
        is_ready = await asyncio.wait_for(database.read(is_current), _TIMEOUT)
    except (SQLAlchemyError, TimeoutError) as error:
        _log.warning("The database does not answer", exc_info=error)
        return _not_ready("The database does not answer.")
    if not is_ready:
        return _not_ready(
            "The database has another schema than this release: run `fairdeal migrate`."
        )
    return JSONResponse({"status": "ready"})


def _not_ready(reason: str) -> JSONResponse:
    return JSONResponse({"status": "unavailable", "reason": reason}, 503)
