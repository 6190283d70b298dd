from collections.abc import AsyncIterator

import pytest

from app.settings import Settings
from tests.support.interleaving import Process
from tests.support.serving import started, visiting


@pytest.fixture
async def here(postgres_url: str) -> AsyncIterator[Process]:
    async with started(Settings(database_url=postgres_url)) as site, visiting(site) as visitor:
        yield Process(site, visitor)


@pytest.fixture
async def there(here: Process, postgres_url: str) -> AsyncIterator[Process]:
    async with started(Settings(database_url=postgres_url)) as site, visiting(site) as visitor:
        yield Process(site, visitor)


@pytest.fixture
async def host(here: Process) -> AsyncIterator[Process]:
    """Another client of the first process."""
    async with visiting(here.site) as visitor:
        yield Process(here.site, visitor)
