"""Names by which players look for a game, here and in other countries, beside its title and aliases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_SPIDER: Final = ("Spinne", "Araignée", "Araña", "Aranha", "Pająk", "スパイダー", "العنكبوت")
_KLONDIKE: Final = (
    *("Klondyke", "Solitaire", "Patience", "Fascination", "Triangle", "Solitär", "Réussite"),
    *("Solitario", "Paciência", "Pasjans", "ソリティア", "クロンダイク", "سوليتير"),
)

OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "klondike": _KLONDIKE,
    "klondike-draw-three": _KLONDIKE,
    "klondike-one-pass": _KLONDIKE,
    "klondike-three-passes": (*_KLONDIKE, "Vegas Solitaire", "Casino"),
    "freecell": ("Microsoft FreeCell", "フリーセル", "فري سيل"),
    "bakers-game": ("Bakers Game", "Brain Jam"),
    "eight-off": ("Eight Away", "8 Off"),
    "spider": _SPIDER,
    "spider-two-suits": _SPIDER,
    "spider-one-suit": (*_SPIDER, "Spiderette"),
    "yukon": ("ユーコン",),
    "russian-solitaire": ("Russische Patience", "Patience russe", "Solitario ruso"),
    "scorpion": ("Skorpion", "Escorpión", "Escorpião", "スコーピオン"),
    "canfield": ("Thirteen", "Dämon", "Démon", "Demonio", "カンフィールド"),
    "forty-thieves": (
        *("40 Thieves", "Big Forty", "Roosevelt at San Juan", "Vierzig Räuber", "Quarante voleurs"),
        *("Cuarenta ladrones", "Quarenta ladrões", "Czterdziestu rozbójników", "四十人の盗賊"),
    ),
    "beleaguered-castle": ("Laying Siege", "Sham Battle", "Belagerte Burg", "Château assiégé"),
    "rouge-et-noir": ("Red and Black", "Rot und Schwarz", "Rojo y negro"),
    "rouge-et-noir-classic": ("Red and Black", "Rot und Schwarz", "Rojo y negro"),
}
"""By the id of the rule set."""
