"""The rule sets, one module of data each, and functions to find one."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from app.engine.ruleset import Ruleset
from app.rulesets.beleaguered_castle import BELEAGUERED_CASTLE
from app.rulesets.blondes_and_brunettes import BLONDES_AND_BRUNETTES
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from app.rulesets.bristol import BRISTOL
from app.rulesets.bristol_family import BELVEDERE, DOVER, GOTHAM, NEW_YORK, SPIKE, VINCENT
from app.rulesets.canfield import CANFIELD
from app.rulesets.falling_star import FALLING_STAR
from app.rulesets.forty_thieves import FORTY_THIEVES
from app.rulesets.freecell import BAKERS_GAME, EIGHT_OFF, FREECELL
from app.rulesets.klondike import DRAW_THREE, KLONDIKE, ONE_PASS, THREE_PASSES
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.rouge_et_noir_classic import CLASSIC
from app.rulesets.signora import SIGNORA
from app.rulesets.simple_simon import SIMPLE_SIMON
from app.rulesets.spider import ONE_SUIT, SPIDER, TWO_SUITS
from app.rulesets.terrace import TERRACE
from app.rulesets.terrace_family import GENERALS_PATIENCE, MAMY_SUSAN, QUEEN_OF_ITALY
from app.rulesets.yukon import RUSSIAN, SCORPION, YUKON

RULESETS: Final = (
    BRISTOL,
    SIGNORA,
    BLONDES_AND_BRUNETTES,
    TILL_DAWN,
    ROUGE_ET_NOIR,
    TERRACE,
    FALLING_STAR,
    CLASSIC,
    KLONDIKE,
    DRAW_THREE,
    ONE_PASS,
    THREE_PASSES,
    FREECELL,
    BAKERS_GAME,
    EIGHT_OFF,
    SPIDER,
    TWO_SUITS,
    ONE_SUIT,
    YUKON,
    RUSSIAN,
    SCORPION,
    CANFIELD,
    FORTY_THIEVES,
    BELEAGUERED_CASTLE,
    BELVEDERE,
    VINCENT,
    DOVER,
    SPIKE,
    NEW_YORK,
    GOTHAM,
    GENERALS_PATIENCE,
    QUEEN_OF_ITALY,
    MAMY_SUSAN,
    SIMPLE_SIMON,
)
"""The current rule sets, in the order of the home page."""

HOUSE_RULESETS: Final = RULESETS[: RULESETS.index(KLONDIKE)]
"""Those that this site is for, and that hardly any other has."""

FIRST_RULESET: Final = KLONDIKE
"""The game where none was chosen: nearly everybody knows it, and what it teaches holds for most other games."""

WELL_KNOWN_RULESETS: Final = (KLONDIKE, FREECELL, ONE_SUIT)
"""Those that most visitors know already. Nearly all their deals can be proven winnable, in a moment."""

DAILY_RULESETS: Final = (*HOUSE_RULESETS, *WELL_KNOWN_RULESETS)
"""Those with a daily deal, and so with a stock of proven deals at all times."""

RETIRED: Final[tuple[Ruleset, ...]] = ()
"""Earlier revisions, kept so that old games replay under the rules they were played by."""

_BY_NAME: Final[Mapping[str, Ruleset]] = {
    name: rules for rules in RULESETS for name in (rules.title.lower(), rules.id, *rules.aliases)
}
_LONGEST: Final = 40  # of the names that are compared


def _plain(name: str) -> str:
    """A name for comparing: without case, hyphens and what no game's name is as long as."""
    return name[:_LONGEST].casefold().replace("-", " ").strip()


_BY_PLAIN_NAME: Final[Mapping[str, Ruleset]] = {
    _plain(name): rules for rules in RULESETS for name in (*rules.aliases, rules.title, rules.id)
}
_BY_REVISION: Final[Mapping[tuple[str, int], Ruleset]] = {
    (rules.id, rules.revision): rules for rules in (*RULESETS, *RETIRED)
}


def find_ruleset(name: str) -> Ruleset | None:
    """The current rule set with this id, title or alias, ignoring case, or ``None``."""
    return _BY_NAME.get(name.strip().lower())


def nearest_ruleset(name: str) -> Ruleset | None:
    """The rule set whose id, title or alias is most like a mistyped name; ``None`` if none is like it."""
    found = get_close_matches(_plain(name), _BY_PLAIN_NAME, n=1)
    return _BY_PLAIN_NAME[found[0]] if found else None


def find_revision(ruleset: str, revision: int) -> Ruleset | None:
    """The revision of a rule set that a stored game was started under, or ``None``."""
    return _BY_REVISION.get((ruleset, revision))


def ruleset_title(ruleset: str) -> str:
    """The title of the current rule set with this id; the id itself when there is none."""
    rules = _BY_NAME.get(ruleset)
    return rules.title if rules else ruleset
