"""The composition root: the only place that knows every part of the site."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from starlette.routing import Route

from app.play import api as play_api
from app.play import pages as play_pages
from app.play.live import Doorbell
from app.play.service import PlayService
from app.players import api as players_api
from app.players import pages as players_pages
from app.players.service import PlayerService
from app.settings import Settings, load_settings
from app.storage.database import Database
from app.web import documentation, handlers, health, logs
from app.web.compression import Compression
from app.web.heads import HeadOfPages
from app.web.limits import BodyLimit, RateLimits
from app.web.metrics import metrics
from app.web.observing import Observer
from app.web.security import Security
from app.web.static import AT_THE_ROOT, PREFIX, static_files

_WORTH_COMPRESSING = 1500  # bytes: less fits in one packet anyway


def create_app(settings: Settings | None = None) -> FastAPI:
    """The site as an ASGI application; without settings, as the environment asks for."""
    settings = settings or load_settings()
    app = documentation.Documented(
        title="Fair Deal",
        version=version("fairdeal"),
        description="Patience games on an authoritative server: it deals, judges and keeps every move.",
        openapi_url=documentation.OPENAPI_URL,
        docs_url=None,  # its page loads scripts from elsewhere; ours is at /api/docs
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # ours are in app/web
    )
    app.state.settings = settings
    app.state.rate_limits = RateLimits(settings)
    handlers.install(app)
    _add_routes(app)
    # The last one added is the first to see a request.
    app.add_middleware(HeadOfPages)
    app.add_middleware(Compression, smallest=_WORTH_COMPRESSING)
    app.add_middleware(BodyLimit, most=settings.max_body_bytes)
    app.add_middleware(Security, https_only=settings.https_only)
    app.add_middleware(Observer)
    return app


def site() -> FastAPI:
    """The site for a server process of its own, which it also teaches how to log."""
    settings = load_settings()
    logs.configure(settings.log_level)
    return create_app(settings)


def _add_routes(app: FastAPI) -> None:
    # Routes are tried in this order: the busiest first.
    app.include_router(play_pages.router)
    app.include_router(play_api.router)
    app.include_router(players_api.router)
    app.include_router(players_pages.router)
    app.include_router(documentation.router)
    app.include_router(health.router)
    app.add_api_route("/metrics", metrics, include_in_schema=False)
    app.routes.append(Route(PREFIX + "{path:path}", static_files(), methods=["GET"]))
    for name in AT_THE_ROOT:
        app.routes.append(Route(f"/{name}", static_files(), methods=["GET"]))


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    database = Database(settings.database_url)
    doorbell = Doorbell()
    app.state.database = database
    app.state.doorbell = doorbell
    app.state.players = PlayerService(database, settings.session_days)
    app.state.play = PlayService(database, doorbell.ring)
    try:
        yield
    finally:
        doorbell.close()
        await database.close()
