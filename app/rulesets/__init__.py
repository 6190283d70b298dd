"""The games, each a page of data, and how to find one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.engine.ruleset import GameSpec
from app.rulesets.blondes_and_brunettes import BLONDES_AND_BRUNETTES
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from app.rulesets.bristol import BRISTOL
from app.rulesets.falling_star import FALLING_STAR
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.rouge_et_noir_classic import CLASSIC
from app.rulesets.signora import SIGNORA
from app.rulesets.terrace import TERRACE

GAMES: Final = (
    BRISTOL,
    SIGNORA,
    BLONDES_AND_BRUNETTES,
    TILL_DAWN,
    ROUGE_ET_NOIR,
    TERRACE,
    FALLING_STAR,
    CLASSIC,
)
"""The current rule sets, in the order in which a lobby shows them."""

RETIRED: Final[tuple[GameSpec, ...]] = ()
"""Earlier revisions, kept so that old records replay under the rules they were played by."""

_BY_NAME: Final[Mapping[str, GameSpec]] = {
    name: spec for spec in GAMES for name in (spec.id, *spec.aliases)
}
_BY_REVISION: Final[Mapping[tuple[str, int], GameSpec]] = {
    (spec.id, spec.revision): spec for spec in (*GAMES, *RETIRED)
}


def find_game(name: str) -> GameSpec | None:
    """The current rule set of an id or alias, ignoring case; ``None`` when there is none."""
    return _BY_NAME.get(name.strip().lower())


def find_revision(game_id: str, revision: int) -> GameSpec | None:
    """The rule set that a stored game was started under; ``None`` when it was never published."""
    return _BY_REVISION.get((game_id, revision))
