from collections.abc import AsyncIterator

import pytest

from tests.identity.processes import FakeClock, ServerProcess


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def here(database_url: str, clock: FakeClock) -> AsyncIterator[ServerProcess]:
    process = ServerProcess(database_url, clock)
    yield process
    process.passwords.close()
    await process.database.close()


@pytest.fixture
async def there(
    here: ServerProcess, database_url: str, clock: FakeClock
) -> AsyncIterator[ServerProcess]:
    process = ServerProcess(database_url, clock)
    yield process
    process.passwords.close()
    await process.database.close()
