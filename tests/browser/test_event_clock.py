"""The times of events that tests make."""

import time

import pytest

from tests.browser.event_clock import EventClock

ASK = """() => {
    window.cameAt = new Promise((came) =>
        window.addEventListener("pointerdown", (event) => came(event.timeStamp), { once: true })
    );
}"""


@pytest.mark.parametrize("skew", [0, 3.0, -3.0])
def test_an_event_bears_the_time_at_which_it_was_made(page, site_address, monkeypatch, skew):
    """Also after the machine's clock was set."""
    page.goto(f"{site_address}/robots.txt")
    wire = page.context.new_cdp_session(page)
    set_clock = time.time() + skew
    monkeypatch.setattr("tests.browser.event_clock.time.time", lambda: set_clock)
    clock = EventClock(page, wire)
    page.evaluate(ASK)
    before = page.evaluate("performance.now()")
    event = {"type": "mousePressed", "button": "left", "x": 9, "y": 9, "timestamp": clock.now()}
    after = page.evaluate("performance.now()")
    wire.send("Input.dispatchMouseEvent", event)
    assert before - 20 < page.evaluate("window.cameAt") < after + 20
