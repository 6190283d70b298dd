"""Record a game for tests/golden: reads moves, writes a file whose replay must never change.

    python tools/record_game.py bristol 7KQ4M-2XWTP bristol-won < moves.txt
    fairdeal solve bristol 7KQ4M-2XWTP | python tools/record_game.py bristol 7KQ4M-2XWTP bristol-won
    fairdeal solve bristol 7KQ4M-2XWTP | python tools/record_game.py bristol 7KQ4M-2XWTP --picture

Moves are words such as ``t3-f1`` and ``deal``, separated by white space, or the answer of ``fairdeal solve``. With
``--picture`` the position in the middle of the game is printed, as a section of ``app/games/pictures.txt``.
"""

import argparse
import json
import sys
import textwrap
from pathlib import Path

from app.engine.actions import parse_action
from app.engine.history import History
from app.engine.notation import format_pile
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import is_lost, is_won
from app.rulesets import RULESETS, find_ruleset

FOLDER = Path(__file__).parent.parent / "tests" / "golden"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset", choices=[rules.id for rules in RULESETS])
    parser.add_argument("code", help="the deal, such as 7KQ4M-2XWTP")
    parser.add_argument("name", nargs="?", help="of the file, such as bristol-won")
    parser.add_argument("--picture", action="store_true", help="print a picture instead")
    arguments = parser.parse_args()
    if arguments.picture == bool(arguments.name):
        parser.error("Give either a name for the file or --picture.")
    rules = find_ruleset(arguments.ruleset)
    assert rules  # noqa: S101  # one of the choices
    moves = moves_in(sys.stdin.read())
    if arguments.picture:
        print(picture(rules, arguments.code, moves))
        return
    record = played(rules, arguments.code, moves)
    (FOLDER / f"{arguments.name}.json").write_text(laid_out(record), encoding="ascii")


def moves_in(text: str) -> list[str]:
    """The moves in words, or in the JSON of ``fairdeal solve``."""
    if not text.lstrip().startswith("{"):
        return text.split()
    answer = json.loads(text)
    if not answer["actions"]:
        raise SystemExit(f"There is no solution to record: {answer['outcome']}.")
    return list(answer["actions"])


def picture(rules: Ruleset, code: str, moves: list[str]) -> str:
    """The position after not quite half of the moves, with the number of the first column to show."""
    history = History.start(rules, deck_of_code(parse_code(code), rules.decks))
    for move in moves[: len(moves) * 9 // 20]:
        history = history.apply(parse_action(rules.layout, move))
    piles = shown(rules, history.position)
    return "\n".join(
        [f"{rules.id} 1", *(f"{pile}: {cards}" for pile, cards in piles.items() if cards != "-")]
    )


def played(rules: Ruleset, code: str, moves: list[str]) -> dict[str, object]:
    """Play ``moves``; an illegal move raises ``IllegalActionError``."""
    deal = parse_code(code)
    deck = deck_of_code(deal, rules.decks)
    history = History.start(rules, deck)
    opening = history.position
    for move in moves:
        history = history.apply(parse_action(rules.layout, move))
    end = "won" if is_won(rules, history.position) else "open"
    return {
        "ruleset": rules.id,
        "revision": rules.revision,
        "code": deal,
        "deck": [card.text for card in deck],
        "moves": moves,
        "end": "lost" if is_lost(rules, history.position) else end,
        "opening": shown(rules, opening),
        "final": shown(rules, history.position),
    }


def shown(rules: Ruleset, position: Position) -> dict[str, str]:
    piles = zip(rules.layout.ids, position.piles, strict=True)
    return {pile_id: format_pile(pile) for pile_id, pile in piles}


def laid_out(record: dict[str, object]) -> str:
    """JSON with one pile per line and wrapped lists, so that diffs are readable."""
    parts = []
    for name, value in record.items():
        text = json.dumps(value)
        if isinstance(value, list):
            words = ", ".join(json.dumps(item) for item in value)
            lines = textwrap.wrap(words, 96, break_on_hyphens=False)
            text = textwrap.indent("\n".join(["", *lines]), "    ").join(["[", "\n  ]"])
        elif isinstance(value, dict):
            text = textwrap.indent(json.dumps(value, indent=2), "  ").strip()
        parts.append(f'  "{name}": {text}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    main()
