"""Monitoring: metrics for Prometheus, health checks, and totals by route for the admin dashboard."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Callable
from functools import cache
from ipaddress import ip_address
from typing import Final

from fastapi import APIRouter
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.db.engine import Database
from app.db.migrate import is_current
from app.errors import NotFoundError, UnknownTokenError
from app.http.dependencies import service_of
from app.logs import logger_of
from app.settings import Settings

MULTIPROCESS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SPAN_SECONDS: Final = 600  # fine enough for a chart by the hour, with few rows per day
_MAX_TOTALS: Final = 20_000  # if nothing drains them for hours
_FAULT: Final = 500
PROBES: Final = frozenset({"/healthz", "/readyz", "/metrics"})
_PROXIED: Final = frozenset(
    {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"}
)
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

_requests = Counter("fairdeal_requests", "Requests answered.", ("method", "route", "status"))
_seconds = Histogram(
    "fairdeal_request_seconds", "Time to answer.", ("method", "route"), buckets=_BUCKETS
)
_in_progress = Gauge(
    "fairdeal_requests_under_way", "Requests being answered.", multiprocess_mode="livesum"
)


def request_started() -> None:
    """Count a request in progress."""
    _in_progress.inc()


def request_finished(method: str, route: str, status: int, seconds: float | None) -> None:
    """Count a finished request; ``seconds`` is ``None`` for a stream."""
    _in_progress.dec()
    label = method if method in _METHODS else "other"
    _counter(label, route, status).inc()
    if seconds is not None:
        _timer(label, route).observe(seconds)


async def metrics(request: Request) -> Response:
    """The metrics of all server processes in the text format of Prometheus.

    Raises ``UnknownTokenError`` without the operator's token. If there is none, raises ``NotFoundError`` for
    requests from elsewhere and for those that a proxy on this machine passes on.
    """
    _check_may_read_metrics(request, service_of(request, Settings).metrics_token)
    registry = REGISTRY
    if MULTIPROCESS_FOLDER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no annotations
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


def _check_may_read_metrics(request: Request, token: str) -> None:
    if token:
        given = request.headers.get("authorization", "").encode("latin-1")
        if not secrets.compare_digest(given, f"Bearer {token}".encode()):
            raise UnknownTokenError("The metrics need the token that the operator has set.")
        return
    is_local = request.client is not None and _is_loopback(request.client.host)
    if not is_local or not _PROXIED.isdisjoint(request.headers.keys()):
        raise NotFoundError


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


# `labels` takes a lock each time; there are few routes and statuses.
@cache
def _counter(method: str, route: str, status: int) -> Counter:
    return _requests.labels(method, route, str(status))


@cache
def _timer(method: str, route: str) -> Histogram:
    return _seconds.labels(method, route)


class RouteTotals:
    """Totals of one route in ten minutes, for the dashboard. They identify no person."""

    __slots__ = (
        "fault_id",
        "faults",
        "requests",
        "slowest",
        "slowest_id",
        "timed",
        "took",
    )

    def __init__(self) -> None:
        self.requests = self.faults = self.timed = 0
        self.took = self.slowest = 0.0
        """Seconds."""
        self.slowest_id = self.fault_id = ""


class RequestStats:
    """Totals by route in memory until they are drained. Called for every request, so it does little."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """``clock`` gives seconds since 1970 UTC."""
        self._clock = clock
        self._totals: dict[tuple[int, str, str], RouteTotals] = {}

    def record(
        self, method: str, route: str, status: int, seconds: float | None, request_id: str
    ) -> None:
        """Add a finished request; ``seconds`` is ``None`` for a stream."""
        key = (int(self._clock() // _SPAN_SECONDS), method, route)
        found = self._totals.get(key)
        if found is None:
            if route in PROBES or method not in _METHODS or len(self._totals) >= _MAX_TOTALS:
                return
            found = self._totals[key] = RouteTotals()
        found.requests += 1
        if status >= _FAULT:
            found.faults += 1
            found.fault_id = request_id
        if seconds is not None:
            found.timed += 1
            found.took += seconds
            if seconds >= found.slowest:
                found.slowest = seconds
                found.slowest_id = request_id

    def drain(self) -> dict[tuple[int, str], RouteTotals]:
        """The totals since the last call, by the first millisecond of the ten minutes and the route."""
        drained, self._totals = self._totals, {}
        return {
            (span * _SPAN_SECONDS * 1000, f"{method} {route}"): found
            for (span, method, route), found in drained.items()
        }


_log: Final = logger_of("http")
_READY_TIMEOUT = 2.0  # seconds

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
        async with asyncio.timeout(_READY_TIMEOUT):
            is_ready = await database.read(is_current)
    except (SQLAlchemyError, TimeoutError) as error:
        _log.warning("The database does not answer", exc_info=error)
        return _not_ready("The database does not answer.")
    if not is_ready:
        return _not_ready(
            "The database schema does not match this release: run `fairdeal migrate`."
        )
    return JSONResponse({"status": "ready"})


def _not_ready(reason: str) -> JSONResponse:
    return JSONResponse({"status": "unavailable", "reason": reason}, 503)
