"""How long to wait after too many attempts, in words."""

import pytest

from app.errors import RateLimitedError
from app.throttle import raise_if_limited


@pytest.mark.parametrize(
    ("wait_ms", "words"),
    [(1, "1 second"), (2000, "2 seconds"), (89_000, "89 seconds"), (90_000, "2 minutes")],
)
def test_one_second_is_a_second(wait_ms, words):
    with pytest.raises(RateLimitedError, match=rf"^Slow down\. Try again in {words}\.$"):
        raise_if_limited(wait_ms, "Slow down.")
