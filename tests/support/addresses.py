"""The addresses of the site's pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi.routing import iter_route_contexts
from starlette.routing import Route

if TYPE_CHECKING:
    from fastapi import FastAPI


def fixed_pages(site: FastAPI) -> list[str]:
    """The addresses without parameters that answer a page, a picture or a file, outside of the API."""
    paths = {
        context.original_route.path
        for context in iter_route_contexts(site.router.routes)
        if isinstance(context.original_route, Route)
        and "GET" in (context.original_route.methods or ())
    }
    return sorted(path for path in paths if "{" not in path and not path.startswith("/api"))
