"""The network of an address, by which every limit counts."""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import AsyncIterator

import pytest
from httpx import AsyncClient

from app.admin.integrity.access_records import device_hash
from app.clock import DAY_MS
from app.db.engine import Database
from app.errors import RateLimitedError
from app.http.rate_limits import RateLimits
from app.http.sse import StreamLimits
from app.networks import UNKNOWN_NETWORK, network_of
from app.settings import Settings
from tests.support.serving import running_site, visiting

NEIGHBOURS = ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff")
STRANGER = "2001:db8:0:2::1"
BRISTOL = {"ruleset": "bristol"}


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64"),
        ("2001:0DB8:0000:0001::", "2001:db8:0:1::/64"),
        ("::1", "::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::ffff:c000:207", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        (" 192.0.2.7 ", "192.0.2.7"),
    ],
)
def test_an_address_belongs_to_a_network(address, network):
    assert network_of(address) == network


@pytest.mark.parametrize("garbage", ["", "unix:", "testclient", "192.0.2.300", "1.2.3.4:80", "\0"])
def test_whatever_is_no_address_belongs_to_one_network(garbage):
    assert network_of(garbage) == UNKNOWN_NETWORK


@pytest.fixture
def settings() -> Settings:
    return Settings(
        database_url="sqlite://",
        games_per_minute=1,
        guests_per_minute=1,
        guests_at_once=1,
        wrong_codes_per_minute=1,
        streams_per_address=1,
    )


@pytest.fixture
async def limits(settings: Settings, sqlite_url: str) -> AsyncIterator[RateLimits]:
    database = Database(sqlite_url)
    yield RateLimits(settings, database)
    await database.close()


@pytest.mark.anyio
async def test_the_addresses_of_a_household_share_the_limit_of_games(limits: RateLimits):
    limits.new_game(NEIGHBOURS[0])
    with pytest.raises(RateLimitedError):
        limits.new_game(NEIGHBOURS[1])
    limits.new_game(STRANGER)


@pytest.mark.anyio
async def test_the_addresses_of_a_household_share_the_limit_of_guests(limits: RateLimits):
    await limits.new_guest(NEIGHBOURS[0])
    with pytest.raises(RateLimitedError):
        await limits.new_guest(NEIGHBOURS[1])
    await limits.new_guest(STRANGER)


@pytest.mark.anyio
async def test_the_addresses_of_a_household_share_the_limit_of_wrong_codes(limits: RateLimits):
    await limits.wrong_code(NEIGHBOURS[0])
    with pytest.raises(RateLimitedError):
        await limits.check_wrong_codes(NEIGHBOURS[1])
    await limits.check_wrong_codes(STRANGER)


def test_the_addresses_of_a_household_share_the_limit_of_streams(settings):
    limits = StreamLimits(settings)
    with limits.acquire(None, NEIGHBOURS[0]):
        with pytest.raises(RateLimitedError), limits.acquire(None, NEIGHBOURS[1]):
            pass
        with limits.acquire(None, STRANGER):
            pass


@pytest.mark.anyio
async def test_room_codes_cannot_be_guessed_from_many_addresses_of_a_household(sqlite_url):
    async with running_site(Settings(database_url=sqlite_url)) as app:
        statuses = [
            await _guess(visiting(app, address=f"2001:db8::{number:x}"), number)
            for number in range(30)
        ]
    assert statuses == [404] * 20 + [429] * 10


async def _guess(client: AsyncClient, number: int) -> int:
    async with client:
        return (await client.get(f"/api/v1/races/AAAA{number:02}")).status_code


@pytest.mark.parametrize("address", ["192.0.2.7", *NEIGHBOURS, "::ffff:192.0.2.7"])
def test_hashes_of_earlier_releases_remain_comparable(address):
    parsed = ipaddress.ip_address(address)
    half = f"{ipaddress.ip_network(f'{parsed}/64', strict=False)}" if parsed.version == 6 else ""
    network = "192.0.2.7" if "192.0.2.7" in address else half
    text = f"3\0{network}\0Firefox"
    earlier = hashlib.sha256(text.encode()).digest()[:16]
    assert device_hash(3 * DAY_MS, address, "Firefox") == earlier
