from __future__ import annotations

from app.http.metrics import RequestStats


def test_totals_are_by_ten_minutes_and_route_until_drained():
    now = [1259.0]
    traffic = RequestStats(lambda: now[0])
    traffic.record("GET", "/", 200, 0.25, "a")
    traffic.record("GET", "/", 500, 0.5, "b")
    now[0] = 1799.0
    traffic.record("GET", "/", 200, None, "c")
    now[0] = 1800.0
    traffic.record("POST", "/", 404, 0.1, "d")
    taken = traffic.drain()
    assert list(taken) == [(1_200_000, "GET /"), (1_800_000, "POST /")]
    first = taken[1_200_000, "GET /"]
    assert (first.requests, first.faults, first.timed, first.took) == (3, 1, 2, 0.75)
    assert (first.slowest, first.slowest_id, first.fault_id) == (0.5, "b", "b")
    assert taken[1_800_000, "POST /"].faults == 0
    assert traffic.drain() == {}


def test_health_checks_and_unknown_methods_are_not_counted():
    traffic = RequestStats()
    traffic.record("GET", "/healthz", 200, 0.1, "a")
    traffic.record("MADE-UP", "/", 405, 0.1, "b")
    assert traffic.drain() == {}


def test_totals_that_are_never_drained_do_not_fill_memory():
    now = [0.0]
    traffic = RequestStats(lambda: now[0])
    for span in range(21_000):
        now[0] = span * 600.0
        traffic.record("GET", "/", 200, 0.1, "a")
    assert len(traffic.drain()) == 20_000
