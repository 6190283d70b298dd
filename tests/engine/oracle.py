"""A second implementation of the rules: deliberately naive, and written from the rules page alone.

It shares nothing with the engine. A table is a dict of lists; a card is text such as ``TD``, with a
question mark in front (``?TD``) while it is face down. Moves are ``(source, target, count)``. Each
family of games has its own functions, so that a mistake in shared code cannot hide twice.
"""

from __future__ import annotations

from itertools import pairwise

RANKS = "A23456789TJQK"

Table = dict[str, list[str]]
Step = tuple[str, str, int]

TERRACE_FAMILY = {
    "signora": (11, 9),
    "blondes-and-brunettes": (10, 9),
    "blondes-and-brunettes-till-dawn": (10, 9),
    "terrace": (11, 9),
    "falling-star": (11, 8),
}
COLUMNS = {
    "rouge-et-noir": [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    "rouge-et-noir-classic": [8, 7, 6, 5, 4, 3, 2, 1, 1, 0],
}
SQUARED = {"blondes-and-brunettes-till-dawn", "terrace", "falling-star"}


def value(card: str) -> int:
    return RANKS.index(card[-2]) + 1


def red(card: str) -> bool:
    return card[-1] in "DH"


def tableau(table: Table) -> list[str]:
    return [pile for pile in table if pile.startswith("t")]


def foundations(table: Table) -> list[str]:
    return [pile for pile in table if pile.startswith("f")]


# --- deals


def deal(game: str, deck: list[str]) -> Table:
    cards = list(deck)
    if game == "bristol":
        return _deal_bristol(cards)
    if game in COLUMNS:
        return _deal_rouge(cards, COLUMNS[game])
    return _deal_terrace(game, cards)


def _deal_bristol(cards: list[str]) -> Table:
    fans: list[list[str]] = []
    for _ in range(8):
        fan = [cards.pop(0) for _ in range(3)]
        kings = [card for card in fan if card[0] == "K"]
        others = [card for card in fan if card[0] != "K"]
        fans.append(kings + others)
    reserves = {f"r{n}": [cards.pop(0)] for n in (1, 2, 3)}
    table: Table = {"stock": ["?" + card for card in reversed(cards)]} | reserves
    table |= {f"f{n}": [] for n in range(1, 5)}
    table |= {f"t{n + 1}": fan for n, fan in enumerate(fans)}
    return table


def _deal_terrace(game: str, cards: list[str]) -> Table:
    reserve_size, width = TERRACE_FAMILY[game]
    reserve = [cards.pop(0) for _ in range(reserve_size)]
    first = [] if game in {"signora", "terrace"} else [cards.pop(0)]
    laid = 3 if game == "terrace" else width
    piles = [[cards.pop(0)] if n < laid else [] for n in range(width)]
    table: Table = {"stock": ["?" + card for card in reversed(cards)], "waste": [], "r1": reserve}
    table |= {f"f{n}": [] for n in range(1, 9)}
    table["f1"] = first
    table |= {f"t{n + 1}": pile for n, pile in enumerate(piles)}
    _show_stock(game, table)
    return table


def _deal_rouge(cards: list[str], sizes: list[int]) -> Table:
    columns = []
    for size in sizes:
        hidden = ["?" + cards.pop(0) for _ in range(size - 1)]
        columns.append(hidden + ([cards.pop(0)] if size else []))
    table: Table = {"stock": ["?" + card for card in reversed(cards)]}
    table |= {f"f{n}": [] for n in range(1, 9)}
    table |= {f"t{n + 1}": column for n, column in enumerate(columns)}
    return table


def _show_stock(game: str, table: Table) -> None:
    if game in SQUARED and table["stock"]:
        table["stock"][-1] = table["stock"][-1].strip("?")


# --- the base, the end


def base(game: str, table: Table) -> int | None:
    if game not in TERRACE_FAMILY:
        return 1
    return next((value(table[pile][0]) for pile in foundations(table) if table[pile]), None)


def won(game: str, table: Table) -> bool:
    home = sum(len(table[pile]) for pile in foundations(table))
    return home == (52 if game == "bristol" else 104)


def lost(game: str, table: Table) -> bool:
    return not table["stock"] and not won(game, table) and not moves(game, table)


# --- legal actions


def may_deal(game: str, table: Table) -> bool:
    if not table["stock"]:
        return False
    if game in {"signora", "terrace"} and base(game, table) is None:
        return False
    return not (game in SQUARED and any(not table[pile] for pile in tableau(table)))


def moves(game: str, table: Table) -> set[str]:
    """Every legal action, by trying every action that can be written."""
    found = {"deal"} if may_deal(game, table) else set()
    for source in table:
        for target in table:
            # Only Rouge et Noir moves more than one card; elsewhere two stands for any number.
            most = len(table[source]) if game in COLUMNS else min(len(table[source]), 2)
            for count in range(1, most + 1):
                if may_move(game, table, (source, target, count)):
                    found.add(text_of((source, target, count)))
    return found


def text_of(step: Step) -> str:
    source, target, count = step
    return f"{source}-{target}" + (f":{count}" if count > 1 else "")


def may_move(game: str, table: Table, step: Step) -> bool:
    source, target, count = step
    if source == target or source[0] == "f" or target[0] not in "ft":
        return False
    if not 1 <= count <= len(table[source]):
        return False
    if game == "bristol":
        return count == 1 and source != "stock" and _bristol_may(table, source, target)
    if game in COLUMNS:
        return source != "stock" and _rouge_may(table, step)
    if count > 1:
        return False
    if game == "signora":
        return source != "stock" and _signora_may(table, source, target)
    if game == "blondes-and-brunettes":
        return source != "stock" and _blondes_may(table, source, target)
    if game == "terrace" and base(game, table) is None:
        return source in {"t1", "t2", "t3"} and target[0] == "f"
    return _dawn_may(table, source, target)


def _bristol_may(table: Table, source: str, target: str) -> bool:
    card, there = table[source][-1], table[target]
    if target[0] == "f":
        return value(card) == (value(there[-1]) + 1 if there else 1)
    return bool(there) and value(card) == value(there[-1]) - 1


def _alternating_up(table: Table, card: str, target: str, first: int | None) -> bool:
    """Foundations of the Terrace family; ``first`` is the base, if it has been chosen."""
    there = table[target]
    if not there:
        return first is None or value(card) == first
    if len(there) == 13:
        return False
    above = 1 if value(there[-1]) == 13 else value(there[-1]) + 1
    return value(card) == above and red(card) != red(there[-1])


def _alternating_down(card: str, on: str) -> bool:
    below = 13 if value(on) == 1 else value(on) - 1
    return value(card) == below and red(card) != red(on)


def _signora_may(table: Table, source: str, target: str) -> bool:
    first, card = base("signora", table), table[source][-1]
    if first is None and (target[0] != "f" or source == "waste"):
        return False
    if target[0] == "f":
        return _alternating_up(table, card, target, first)
    if source == "r1" or not table[target]:
        return False
    return _alternating_down(card, table[target][-1])


def _blondes_may(table: Table, source: str, target: str) -> bool:
    card = table[source][-1]
    if target[0] == "f":
        return _alternating_up(table, card, target, base("blondes-and-brunettes", table))
    if source == "r1":
        return False
    if not table[target]:
        # Only possible once stock and waste are empty; otherwise the pile would have been filled.
        return source[0] == "t"
    return _alternating_down(card, table[target][-1])


def _dawn_may(table: Table, source: str, target: str) -> bool:
    card = table[source][-1]
    has_empty_pile = any(not table[pile] for pile in tableau(table))
    if has_empty_pile and (table["stock"] or table["waste"]) and source not in {"stock", "waste"}:
        return False
    if target[0] == "f":
        return _alternating_up(table, card, target, base("terrace", table))
    if source == "r1":
        return False
    if not table[target]:
        return source in {"stock", "waste"}
    return _alternating_down(card, table[target][-1])


def _rouge_may(table: Table, step: Step) -> bool:
    source, target, count = step
    cards, there = table[source][-count:], table[target]
    if any(card[0] == "?" for card in cards):
        return False
    for lower, upper in pairwise(cards):
        if value(upper) != value(lower) - 1 or red(upper) == red(lower):
            return False
    card = cards[0]
    if target in {"f5", "f6", "f7", "f8"}:
        return count == 13 and value(card) == 13 and not there
    if target[0] == "f":
        right_color = red(card) == (target in {"f1", "f2"})
        return count == 1 and right_color and value(card) == (value(there[-1]) + 1 if there else 1)
    if not there:
        return value(card) == 13
    return value(card) == value(there[-1]) - 1 and red(card) != red(there[-1])


# --- transitions


def play(game: str, table: Table, action: str) -> Table:
    """The table after a legal action, as a new value."""
    was_chosen = base(game, table) is not None
    after = {pile: list(cards) for pile, cards in table.items()}
    if action == "deal":
        _play_deal(game, after)
    else:
        names, _, count = action.partition(":")
        source, target = names.split("-")
        size = int(count or 1)
        after[target] += [card.strip("?") for card in after[source][-size:]]
        del after[source][-size:]
    if game == "terrace" and not was_chosen:
        for pile in tableau(after):
            if not after[pile]:
                after[pile].append(after["stock"].pop().strip("?"))
    if game == "signora":
        _fill(after, "waste", "stock")
    if game == "blondes-and-brunettes":
        _fill(after, "stock", "waste")
    if game in COLUMNS:
        for pile in tableau(after):
            if after[pile]:
                after[pile][-1] = after[pile][-1].strip("?")
    _show_stock(game, after)
    return after


def _play_deal(game: str, table: Table) -> None:
    if game == "bristol":
        order = [pile for pile in ("r1", "r2", "r3") if not table[pile]]
        order += [pile for pile in ("r1", "r2", "r3") if table[pile]]
    elif game in COLUMNS:
        order = tableau(table)
    else:
        order = ["waste"]
    for pile in order:
        if table["stock"]:
            table[pile].append(table["stock"].pop().strip("?"))


def _fill(table: Table, first: str, second: str) -> None:
    for pile in tableau(table):
        if not table[pile]:
            source = first if table[first] else second
            if table[source]:
                table[pile].append(table[source].pop().strip("?"))
