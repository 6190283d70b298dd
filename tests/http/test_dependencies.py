"""What routes ask for."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from app.main import create_app


def test_no_dependency_runs_in_a_thread():
    """The framework calls each that is not asynchronous in a thread, which takes longer than the rest of a route."""
    routes = [route for route in create_app().routes if isinstance(route, APIRoute)]
    found = {(route.path, name) for route in routes for name in in_threads(route.dependant)}
    assert len(routes) > 100
    assert found == set()


def in_threads(dependant: Dependant) -> Iterator[str]:
    if dependant.call and not inspect.iscoroutinefunction(dependant.call):
        yield getattr(dependant.call, "__qualname__", str(dependant.call))
    for inner in dependant.dependencies:
        yield from in_threads(inner)
