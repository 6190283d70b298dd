"""Places for jobs: of a player, of a network, and those kept for others."""

from __future__ import annotations

import pytest

from app.jobs.admission import Places, Shortage, TooManyJobsError, check_capacity
from app.jobs.queue import Origin, QueuedJob, Urgency

PLACES = Places(per_owner=3, per_network=30, total=200, named=50)


class Line:
    """Open jobs, as they are accepted."""

    def __init__(self) -> None:
        self.jobs: list[QueuedJob] = []

    def ask(self, owner: str, origin: Origin) -> None:
        check_capacity(PLACES, self.jobs, owner, origin)
        job = QueuedJob(f"{len(self.jobs)}", owner, int, Urgency.INTERACTIVE, 1.0, origin=origin)
        self.jobs.append(job)

    def flood(self, origin: Origin) -> int:
        """Ask as many new players until one is refused; how many places that took."""
        for number in range(1000):
            try:
                self.ask(f"{origin}{number}", origin)
            except TooManyJobsError:
                return number
        raise AssertionError("never refused")


@pytest.fixture
def line() -> Line:
    return Line()


def refusal(line: Line, owner: str, origin: Origin) -> TooManyJobsError:
    with pytest.raises(TooManyJobsError) as refused:
        line.ask(owner, origin)
    return refused.value


def test_a_player_has_a_number_of_places(line: Line):
    for number in range(3):
        line.ask("anna", Origin(f"192.0.2.{number}"))
    error = refusal(line, "anna", Origin("192.0.2.9"))
    assert (error.shortage, str(error)) == (
        Shortage.PLAYER,
        "You have too many requests in progress. Try again in a moment.",
    )
    line.ask("ben", Origin("192.0.2.9"))


def test_a_network_has_a_number_of_places_however_many_guests_it_has(line: Line):
    assert line.flood(Origin("192.0.2.1")) == PLACES.per_network
    error = refusal(line, "anna", Origin("192.0.2.1"))
    assert (error.shortage, error.retry_after) == (Shortage.NETWORK, 10)
    line.ask("anna", Origin("192.0.2.2"))


def test_many_flooding_networks_leave_places_to_the_next_ones(line: Line):
    for number in range(90):
        assert line.flood(Origin(f"192.0.2.{number}")) >= 1
    for number in range(10):
        line.ask(f"player {number}", Origin(f"198.51.100.{number}"))


def test_the_named_players_of_a_flooded_network_have_places_of_their_own(line: Line):
    line.flood(Origin("192.0.2.1"))
    line.ask("anna", Origin("192.0.2.1", is_named=True))


def test_guests_cannot_take_the_places_of_named_players(line: Line):
    for number in range(PLACES.total):
        line.ask(f"guest {number}", Origin(f"192.0.2.{number}"))
    assert refusal(line, "ben", Origin("198.51.100.1")).shortage is Shortage.SITE
    line.ask("anna", Origin("198.51.100.1", is_named=True))
    for number in range(1, PLACES.named):
        line.ask(f"player {number}", Origin(f"198.51.100.{number + 1}", is_named=True))
    last = Origin("203.0.113.1", is_named=True)
    assert refusal(line, "late", last).shortage is Shortage.SITE
