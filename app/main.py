"""The application: the pages, the middleware, and the services while it runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI

from app import composition, logs, pages
from app.admin.auth import dependencies as admin_auth
from app.admin.integrity.access_records import AccessRecordMiddleware
from app.clock import Clock, now_ms
from app.environment import Environment
from app.games import card_markup
from app.games.refused_forms import table_of_form
from app.http import deadlines, error_handlers, openapi, templates
from app.http.deadlines import ConnectionLimits
from app.http.hosts import AllowedHosts
from app.http.middleware.access_log import AccessLogMiddleware
from app.http.middleware.compression import CompressionMiddleware
from app.http.middleware.faults import ErrorMiddleware
from app.http.middleware.head import HeadMiddleware
from app.http.middleware.language import LanguageMiddleware
from app.http.middleware.security import BodyLimitMiddleware, SecurityMiddleware
from app.http.monitoring import RequestStats
from app.http.process import on_stop_signal, reduce_gc
from app.i18n import languages
from app.identity import names, password_rules
from app.identity.dependencies import current_player
from app.lobby import pictures
from app.settings import Settings, load_settings
from app.sharing.pages import IMPORT_PATHS

_WORTH_COMPRESSING = 3000  # bytes: less fits in two packets, which travel together anyway


def create_app(
    settings: Settings | None = None,
    clock: Clock = now_ms,
    environment: Environment | None = None,
) -> FastAPI:
    """The site as an ASGI application; by default with the settings of the process's environment variables."""
    settings = settings or load_settings()
    outside = environment or Environment()
    stats = RequestStats()

    @asynccontextmanager
    async def lifespan(app: openapi.DocumentedApi) -> AsyncIterator[dict[str, object]]:
        services = composition.build_services(settings, clock, stats, outside)
        app.services = app.state.services = services
        composition.start(services)
        try:
            with on_stop_signal(services.pubsub.close_subscribers):
                yield {deadlines.STATE: ConnectionLimits.of(settings)}
        finally:
            await composition.close(services)

    app = openapi.DocumentedApi(
        title="Fair Deal",
        version=version("fairdeal"),
        description="Patience games on an authoritative server: it deals, judges and keeps every move.",
        openapi_url=openapi.OPENAPI_URL,
        docs_url=None,  # its page loads scripts from elsewhere; ours is at /api/docs
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # ours are in app/http
    )
    languages.offer_pseudo(is_offered=settings.pseudo_language)
    error_handlers.install(app, current_player, table_of_form)
    admin_auth.install(app)
    pages.add_routes(app)
    card_markup.register(templates.environment())
    # The last one added is the first to see a request.
    app.add_middleware(AccessRecordMiddleware)
    app.add_middleware(HeadMiddleware)
    app.add_middleware(CompressionMiddleware, min_bytes=_WORTH_COMPRESSING)
    app.add_middleware(
        BodyLimitMiddleware,
        max_bytes=settings.max_body_bytes,
        max_bytes_of=dict.fromkeys(IMPORT_PATHS, settings.max_record_bytes),
    )
    app.add_middleware(ErrorMiddleware)
    app.add_middleware(
        SecurityMiddleware,
        https_only=settings.https_only,
        hosts=AllowedHosts(settings.allowed_hosts),
        hsts_subdomains=settings.hsts_subdomains,
    )
    app.add_middleware(LanguageMiddleware)
    app.add_middleware(AccessLogMiddleware, stats=stats)
    return app


def site() -> FastAPI:
    """The site for a server process of its own, with logging set up."""
    settings = load_settings()
    logs.configure(settings.log_level)
    app = create_app(settings)
    templates.load_all()
    pictures.load()
    names.load()
    password_rules.load()
    reduce_gc()
    return app
