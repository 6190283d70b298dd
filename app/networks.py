"""The network of an address: what every limit counts by, because a household can change its IPv6 address at will."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import Final

UNKNOWN_NETWORK: Final = "unknown"
"""Of everything that is not an IP address, so that inventing such addresses evades no limit."""

_HOUSEHOLD: Final = 64  # bits: providers give a household at least a /64


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """The network of one household: an IPv4 address itself, or the /64 of an IPv6 address, such as ``2001:db8::/64``.

    An IPv4-mapped IPv6 address is its IPv4 address; an address with a zone is the one without.
    """
    try:
        parsed = ipaddress.ip_address(address.strip().partition("%")[0])
    except ValueError:
        return UNKNOWN_NETWORK
    if isinstance(parsed, ipaddress.IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped or ipaddress.IPv6Network((int(parsed), _HOUSEHOLD), strict=False))
    return str(parsed)
