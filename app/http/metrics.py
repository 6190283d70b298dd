"""What Prometheus may ask: how many requests, how long they took, and how many are under way."""

from __future__ import annotations

import os
from functools import cache

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
from starlette.responses import Response

MULTIPROCESS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

_requests = Counter("fairdeal_requests", "Requests answered.", ("method", "route", "status"))
_seconds = Histogram(
    "fairdeal_request_seconds", "Time to answer.", ("method", "route"), buckets=_BUCKETS
)
_under_way = Gauge(
    "fairdeal_requests_under_way", "Requests being answered.", multiprocess_mode="livesum"
)


def request_begins() -> None:
    """Count a request that has arrived."""
    _under_way.inc()


def request_ends(method: str, route: str, status: int, seconds: float | None) -> None:
    """Count a request that was answered; ``seconds`` is None for a stream, whose length says nothing."""
    _under_way.dec()
    label = method if method in _METHODS else "other"
    _counter(label, route, status).inc()
    if seconds is not None:
        _timer(label, route).observe(seconds)


async def metrics() -> Response:
    """Everything that was counted, in all worker processes, in the text format of Prometheus."""
    registry = REGISTRY
    if MULTIPROCESS_FOLDER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library says nothing
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


# `labels` checks and looks up under a lock each time; routes and statuses are few.
@cache
def _counter(method: str, route: str, status: int) -> Counter:
    return _requests.labels(method, route, str(status))


@cache
def _timer(method: str, route: str) -> Histogram:
    return _seconds.labels(method, route)
