"""Everything about shared tables under one name, for the pages and for whoever puts the site together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from app.db.engine import Database
from app.pubsub.service import PubSub
from app.shared_tables.play import Acting
from app.shared_tables.proposals import Asking
from app.shared_tables.service import CompanyService
from app.shared_tables.signals import Signs


@dataclass(frozen=True, slots=True)
class CompanyDesk:
    """The parts, which know one another."""

    service: CompanyService
    asking: Asking
    signs: Signs
    acting: Acting

    @classmethod
    def of(cls, database: Database, clock: Callable[[], int], live: PubSub) -> Self:
        """The parts on one database; before ``live`` starts."""
        service = CompanyService(database, clock, live)
        asking = Asking(database, service)
        return cls(service, asking, Signs(database, service), Acting(database, service, asking))
