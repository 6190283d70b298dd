from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.daily_site import Site, open_site


@pytest.fixture
async def site(database_url: str) -> AsyncIterator[Site]:
    """A site on a database of either kind, with a winnable Bristol deal today, a Tuesday."""
    async with open_site(database_url) as site:
        yield site
