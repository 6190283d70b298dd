"""The stock of deals in the database. Every function runs inside its caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, case, func, select, update

from app.db.engine import insert_or_ignore
from app.db.schema import deal_grades, pool_deals
from app.deals.first_moves import begins_with_a_move
from app.deals.model import DealKind, Drawn, Graded, Proven
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code
from app.games.levels import Level, distance
from app.rulesets import find_ruleset
from app.solver.difficulty import Difficulty, Grade, bounds_of

_UNKNOWN: Final = 2 * len(Grade)  # further away than any grade is
_LOOKED_AT: Final = 8  # deals, of which one hardly ever begins without a move
_GRADED: Final = pool_deals.outerjoin(
    deal_grades,
    (deal_grades.c.fingerprint == pool_deals.c.fingerprint)
    & (deal_grades.c.ruleset == pool_deals.c.ruleset)
    & (deal_grades.c.revision == pool_deals.c.revision),
)
_HAS_OLD_GRADE: Final = (
    pool_deals.c.taken_ms.is_(None),
    deal_grades.c.games.is_not(None),
    deal_grades.c.home.is_(None),
)
_MEASURED: Final = (deal_grades.c.games, deal_grades.c.wins, deal_grades.c.home)
_HELD_IN: Final = {DealKind.OPEN: pool_deals.c.code, DealKind.SEALED: pool_deals.c.seed}


def add(connection: Connection, deal: Proven, at_ms: int) -> bool:
    """Add a deal to the stock; false if its deck was added before, as either kind."""
    values = {
        "fingerprint": deal.grade.fingerprint,
        "ruleset": deal.grade.ruleset,
        "revision": deal.grade.revision,
        "code": deal.code,
        "seed": deal.seed,
        "proven_ms": at_ms,
    }
    insertion = insert_or_ignore(connection, pool_deals).values(values)
    if connection.execute(insertion.returning(pool_deals.c.fingerprint)).first() is None:
        return False
    keep_grade(connection, deal.grade)
    return True


def draw(
    connection: Connection,
    kind: DealKind,
    rules: Ruleset,
    at_ms: int,
    level: Level = Level.ANY,
    *,
    furthest: int | None = None,
    reserve: int = 0,
) -> Drawn | None:
    """Draw a deal, or ``None`` if there is none, at most ``furthest`` from the level. It is never drawn again.

    None is drawn if no more than ``reserve`` are in stock; draws at the same moment may take one too many. The nearest
    to the level comes first, and one of unknown difficulty last. Deals that are equally near, as all are to any level,
    come in the order of their fingerprints: it reveals neither when a deal was proven nor how hard it is. Among gentle
    ones, those that can begin with nothing but a deal come last.
    """
    if reserve and count(connection, kind, rules) <= reserve:
        return None
    nearest = () if level is Level.ANY else (_distance(level, rules),)
    near = () if furthest is None else (_distance(level, rules) <= furthest,)
    if kind is DealKind.OPEN and level is Level.GENTLE:
        without = _without_a_first_move(connection, rules, near)
        nearest = (*nearest, case((pool_deals.c.fingerprint.in_(without), 1), else_=0))
    found = connection.execute(
        select(
            pool_deals.c.fingerprint,
            _HELD_IN[kind].label("deal"),
            *_MEASURED,
        )
        .select_from(_GRADED)
        .where(*_in_stock(kind, rules), *near)
        .order_by(*nearest, pool_deals.c.fingerprint)
        .limit(1)
        # SQLite has one writer, and leaves this out.
        .with_for_update(skip_locked=True, of=pool_deals)
    ).first()
    if found is None:
        return None
    taken = update(pool_deals).where(pool_deals.c.fingerprint == found.fingerprint)
    connection.execute(taken.values(taken_ms=at_ms))
    grade = (
        None
        if found.games is None
        else Difficulty(found.games, found.wins, found.home, rules.id).grade
    )
    return Drawn(found.deal, grade)


def count(connection: Connection, kind: DealKind, rules: Ruleset, level: Level = Level.ANY) -> int:
    """How many deals of a game are in stock, of a level if one is given."""
    query = select(func.count()).select_from(_GRADED).where(*_in_stock(kind, rules))
    if level is not Level.ANY:
        query = query.where(_distance(level, rules) == 0)
    return connection.scalar(query) or 0


def list_grades(connection: Connection) -> dict[str, set[Grade]]:
    """The known difficulties of the open deals in stock, by the ids of their rule sets."""
    conditions = (
        pool_deals.c.taken_ms.is_(None),
        pool_deals.c.code.is_not(None),
        deal_grades.c.games.is_not(None),
    )
    columns = (pool_deals.c.ruleset, pool_deals.c.revision, *_MEASURED)
    found: dict[str, set[Grade]] = {}
    for row in connection.execute(
        select(*columns).select_from(_GRADED).where(*conditions).distinct()
    ):
        rules = find_ruleset(row.ruleset)
        if rules and rules.revision == row.revision:
            measured = Difficulty(row.games, row.wins, row.home, row.ruleset)
            found.setdefault(row.ruleset, set()).add(measured.grade)
    return found


def list_proven(
    connection: Connection, fingerprints: Collection[bytes]
) -> set[tuple[str, int, bytes]]:
    """Those of some decks that were proven winnable for the stock, however long ago, each with its game."""
    p = pool_deals.c
    query = select(p.ruleset, p.revision, p.fingerprint).where(p.fingerprint.in_(fingerprints))
    return {(row[0], row[1], bytes(row[2])) for row in connection.execute(query)}


def list_drawn(connection: Connection, since_ms: int) -> set[str]:
    """The rule sets of which a deal was drawn since then."""
    query = select(pool_deals.c.ruleset).where(pool_deals.c.taken_ms >= since_ms).distinct()
    return set(connection.scalars(query))


def ever_had(connection: Connection, kind: DealKind, rules: Ruleset) -> bool:
    """Whether a deal of a game was ever in stock."""
    query = select(pool_deals.c.ruleset).where(
        pool_deals.c.ruleset == rules.id,
        pool_deals.c.revision == rules.revision,
        _HELD_IN[kind].is_not(None),
    )
    return connection.execute(query.limit(1)).first() is not None


def keep_grade(connection: Connection, found: Graded) -> None:
    """Store the difficulty of a deck; it replaces one that was found without self-play."""
    measured = {
        "games": found.difficulty.games,
        "wins": found.difficulty.wins,
        "home": found.difficulty.home,
    }
    row = {
        "fingerprint": found.fingerprint,
        "ruleset": found.ruleset,
        "revision": found.revision,
        **measured,
    }
    connection.execute(insert_or_ignore(connection, deal_grades).values(row))
    if not found.difficulty.is_old:
        conditions = _grade_of(found.fingerprint, found.ruleset, found.revision)
        old = update(deal_grades).where(*conditions, deal_grades.c.home.is_(None))
        connection.execute(old.values(measured))


def grade(connection: Connection, fingerprint: bytes, rules: Ruleset) -> Difficulty | None:
    """The difficulty of a deck, if it is known."""
    conditions = _grade_of(fingerprint, rules.id, rules.revision)
    row = connection.execute(select(*_MEASURED).where(*conditions)).one_or_none()
    return Difficulty(row.games, row.wins, row.home, rules.id) if row else None


def list_with_old_grades(connection: Connection) -> set[str]:
    """The rule sets with deals in stock whose difficulty was found without self-play."""
    query = select(pool_deals.c.ruleset).select_from(_GRADED).where(*_HAS_OLD_GRADE).distinct()
    return set(connection.scalars(query))


def list_old_grades(connection: Connection, rules: Ruleset, most: int) -> list[str | bytes]:
    """Some of these deals, as codes or seeds."""
    found = (
        select(pool_deals.c.code, pool_deals.c.seed)
        .select_from(_GRADED)
        .where(
            pool_deals.c.ruleset == rules.id,
            pool_deals.c.revision == rules.revision,
            *_HAS_OLD_GRADE,
        )
        .limit(most)
    )
    return [code or seed for code, seed in connection.execute(found)]


def _grade_of(fingerprint: bytes, ruleset: str, revision: int) -> tuple[ColumnElement[bool], ...]:
    return (
        deal_grades.c.fingerprint == fingerprint,
        deal_grades.c.ruleset == ruleset,
        deal_grades.c.revision == revision,
    )


def _distance(level: Level, rules: Ruleset) -> ColumnElement[int]:
    """How far a deal is from a level, by its grade: see ``Difficulty.grade``."""
    games, home = deal_grades.c.games, deal_grades.c.home
    wins = 20 * deal_grades.c.wins  # compared with a multiple of the games, since a division rounds
    grades = []
    for is_old in (True, False):
        is_such = home.is_(None) if is_old else home.is_not(None)
        for grade, (least, least_home) in zip(
            Grade, bounds_of(rules.id, is_old=is_old), strict=False
        ):
            is_more = wins >= (least + 1) * games
            is_as_many = (wins >= least * games) & (func.coalesce(home, 0) >= least_home)
            grades.append((is_such & (is_more | is_as_many), distance(level, grade)))
    return case((games.is_(None), _UNKNOWN), *grades, else_=distance(level, Grade.FIENDISH))


def _without_a_first_move(
    connection: Connection, rules: Ruleset, near: Sequence[ColumnElement[bool]]
) -> list[bytes]:
    """The fingerprints of the open deals, among the gentlest few in stock, that can begin with nothing but a deal."""
    found = connection.execute(
        select(pool_deals.c.fingerprint, pool_deals.c.code)
        .select_from(_GRADED)
        .where(*_in_stock(DealKind.OPEN, rules), *near)
        .order_by(_distance(Level.GENTLE, rules), pool_deals.c.fingerprint)
        .limit(_LOOKED_AT)
    )
    return [row.fingerprint for row in found if not begins_with_a_move(rules, Code(row.code))]


def _in_stock(kind: DealKind, rules: Ruleset) -> tuple[ColumnElement[bool], ...]:
    return (
        pool_deals.c.ruleset == rules.id,
        pool_deals.c.revision == rules.revision,
        pool_deals.c.taken_ms.is_(None),
        _HELD_IN[kind].is_not(None),
    )
