"""Hints, from what the player can see and nothing else.

Each legal action is tried in several sampled positions, which agree with what is seen and place the
unseen cards at random. Actions are ranked by how much they improve the search's heuristic; those
that make it worse come after the deal.

Sampling the hidden cards is known as determinization.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.engine.actions import Action, Deal, Move
from app.engine.card_names import card_name
from app.engine.cards import Card
from app.engine.phrases import count_word, pile_kind
from app.engine.rules import FULL_FOUNDATION, legal_actions
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import AutoFill, ChosenBase, DealTo, StaysEmpty, Zone
from app.solver.auto_finish import moves_to_make
from app.solver.board import Board, encode_action
from app.solver.hint_sentences import (
    LEAVES_EMPTY,
    NOTHING,
    SHOWS_NEXT,
    TOLD_OF_A_CELL,
    TURNS_UP,
    Effect,
    effect_alone,
    fills_a_column,
    fits,
    goes_home,
    goes_to_a_cell,
    goes_to_the_reserve,
    pile_filling,
    play_home,
    play_on,
    play_to_cell,
    play_to_empty,
    play_to_reserve,
)
from app.solver.portfolio import portfolio_for
from app.solver.rule_tables import rule_tables
from app.solver.sight import Sight
from app.text import Text, capital, gettext, ngettext, npgettext, pgettext, sentences

SAMPLES = 8
_GAINS: Final = frozenset({"turns up", "shows next", "frees for home"})
_EMPTIES: Final = frozenset({"is filled", "leaves empty"})


@dataclass(frozen=True, slots=True)
class Hint:
    """An action, and a sentence for the player that explains it.

    It is ``promising`` if it makes the position look better.
    """

    action: Action
    reason: str
    promising: bool


def hints(rules: Ruleset, sight: Sight, samples: int = SAMPLES) -> list[Hint]:
    """All legal actions with their explanations, the best first: a card that is safe at home before all others.

    So is a complete run, which a deal would cover. The samples are seeded by what is seen, so the same sight
    always gives the same hints.
    """
    seed = repr(sight.piles)
    safe = {*moves_to_make(rules, sight.world(rules, 0, seed))}
    scored = score_actions(rules, sight, samples, seed)
    scored.sort(key=lambda score: score[0] not in safe)
    return [
        Hint(action, explain(rules, sight, action), promising=gain > 0 or action in safe)
        for action, gain in scored
    ]


def rank_actions(rules: Ruleset, sight: Sight, samples: int, seed: str) -> list[Action]:
    """The legal actions, the best first; of those that lead to the same position, only one."""
    return [action for action, _ in score_actions(rules, sight, samples, seed)]


def score_actions(
    rules: Ruleset, sight: Sight, samples: int, seed: str
) -> list[tuple[Action, float]]:
    """The ranked actions with their scores: positive for a gain, negative for a loss."""
    tables = rule_tables(rules)
    heuristic = portfolio_for(tables)[0].heuristic(tables)
    actions: Sequence[Action] = ()
    gains: dict[Action, int] = {}
    for number in range(samples):
        position = sight.world(rules, number, seed)
        actions = actions or legal_actions(rules, position)
        board = Board(tables, position)
        before = heuristic.evaluate(board)
        reached: set[tuple[int, int]] = set()
        for action in actions:
            board.make(encode_action(tables, action))
            board.update_hash()
            key = (board.hash_a, board.hash_b)
            if key not in reached:
                reached.add(key)
                gains[action] = gains.get(action, 0) + before - heuristic.evaluate(board)
            board.unmake()
    # The heuristic cannot judge a deal, so it ranks between gains and losses.
    scores = [
        (action, float(gain) if isinstance(action, Move) else 0.5) for action, gain in gains.items()
    ]
    return sorted(scores, key=lambda score: -score[1])


def explain(rules: Ruleset, sight: Sight, action: Action) -> str:
    """Why the player might take ``action``, based on what is visible; empty where nothing speaks for a deal."""
    match action:
        case Deal():
            return _explain_deal(rules, sight)
        case Move(source, target, count):
            index = rules.layout.index
            return _explain_move(rules, sight, index[source], index[target], count)


def side_effect(rules: Ruleset, sight: Sight, action: Action) -> str:
    """The part of ``explain`` that ``instruction`` lacks, without the pile; empty if there is none."""
    if isinstance(action, Deal):
        return _explain_deal(rules, sight)
    if _must_choose_base(rules, sight):
        return gettext("It sets the base.")
    source, target = rules.layout.index[action.source], rules.layout.index[action.target]
    effect = _effect(rules, sight, source, action.count)
    if rules.layout.zones[target] is Zone.CELL and effect.kind not in TOLD_OF_A_CELL:
        return ""
    return effect_alone(effect)


def is_gain(rules: Ruleset, sight: Sight, action: Action) -> bool:
    """Whether a move brings a card home or turns one up at once."""
    if not isinstance(action, Move):
        return False
    source, target = rules.layout.index[action.source], rules.layout.index[action.target]
    is_home = rules.layout.zones[target] is Zone.FOUNDATION
    return is_home or _effect(rules, sight, source, action.count).kind in _GAINS


def instruction(rules: Ruleset, sight: Sight, action: Action) -> Text:
    """What to play, in one short sentence, without a reason."""
    match action:
        case Deal() if rules.stock.plays_to:
            # A click on the stock may play its top card.
            return sentences(_deal(rules, sight), gettext("Press Deal."))
        case Deal():
            return _deal(rules, sight)
        case Move(source, target, count):
            index = rules.layout.index
            return _play(rules, sight, index[source], index[target], count)


def _deal(rules: Ruleset, sight: Sight) -> Text:
    """The effect of a deal now: how many cards go where."""
    left = len(sight.piles[rules.layout.stock])
    if not left:
        return gettext("Turn the waste over to make a new stock.")
    to_reserves = rules.stock.deals_to is DealTo.EACH_RESERVE
    if rules.stock.deals_to is DealTo.WASTE:
        count = min(rules.stock.draws, left)
        return ngettext(
            "Deal %(word)s card to the waste.",
            "Deal %(word)s cards to the waste.",
            count,
            word=count_word(count),
        )
    if left < len(rules.layout.reserves if to_reserves else rules.layout.tableau):
        return ngettext(
            "Deal the last card.", "Deal the last %(word)s cards.", left, word=count_word(left)
        )
    if to_reserves:
        return gettext("Deal one card to each reserve pile.")
    return gettext("Deal one card to each column.")


def _play(rules: Ruleset, sight: Sight, source: int, target: int, count: int) -> Text:
    """The cards to move and their target. Columns have no numbers: nobody counts them on the table."""
    lead = _visible_card(sight, source, count)
    zone = rules.layout.zones[source]
    if rules.layout.zones[target] is Zone.FOUNDATION and count > 1:
        return play_home(pgettext("to do with the card", "a whole run"))
    cards = card_name(lead, "to do with the card")
    if count > 1:  # not always a run: some games move a card with all cards on it
        cards = npgettext(
            "to do with the card",
            "%(card)s (%(n)s card)",
            "%(card)s (%(n)s cards)",
            count,
            card=cards,
        )
    if zone is not Zone.TABLEAU:
        cards = pgettext(
            "to do with the cards",
            "%(cards)s %(from_pile)s",
            cards=cards,
            from_pile=pile_kind(zone, "from a pile"),
        )
    if rules.layout.zones[target] is Zone.FOUNDATION:
        return play_home(cards)
    if rules.layout.zones[target] is Zone.CELL:
        return play_to_cell(cards)
    if rules.layout.zones[target] is Zone.RESERVE:
        return play_to_reserve(cards)
    if not sight.piles[target]:
        return play_to_empty(cards)
    return play_on(cards, card_name(_visible_card(sight, target, 1), "on the card"))


def _explain_deal(rules: Ruleset, sight: Sight) -> str:
    """The reason to deal: what no move would do or, where one would, that it can wait; empty where it can't."""
    moves = [
        action
        for action in legal_actions(rules, sight.with_hidden(sight.unseen(rules)))
        if isinstance(action, Move)
    ]
    if not moves:
        return gettext("Nothing else can be played.")
    if any(is_gain(rules, sight, move) or _empties(rules, sight, move) for move in moves):
        if rules.has_unlimited_redeals:
            return gettext("The other moves can wait: the stock comes round again.")
        return ""
    return gettext("No move brings a card home, turns one up or empties a column.")


def _empties(rules: Ruleset, sight: Sight, move: Move) -> bool:
    source = rules.layout.index[move.source]
    return _effect(rules, sight, source, move.count).kind in _EMPTIES


def _explain_move(rules: Ruleset, sight: Sight, source: int, target: int, count: int) -> Text:
    lead = _visible_card(sight, source, count)
    cards = card_name(lead, "the card does")
    if _must_choose_base(rules, sight):
        return capital(gettext("%(cards)s goes home and sets the base.", cards=cards))
    effect = _effect(rules, sight, source, count)
    if rules.layout.zones[target] is Zone.FOUNDATION:
        whole = pgettext("the card does", "a whole run")
        return capital(goes_home(cards if count == 1 else whole, effect))
    if rules.layout.zones[target] is Zone.CELL:
        return capital(goes_to_a_cell(cards, effect))
    if rules.layout.zones[target] is Zone.RESERVE:
        return capital(goes_to_the_reserve(cards))
    if not sight.piles[target]:
        return capital(fills_a_column(cards, effect))
    on_card = card_name(_visible_card(sight, target, 1), "on the card")
    return capital(fits(cards, on_card, effect))


def _effect(rules: Ruleset, sight: Sight, source: int, count: int) -> Effect:
    """The side effect of a move, as far as it can be known."""
    zone = rules.layout.zones[source]
    rest = sight.piles[source][:-count]
    if rest:
        below = rest[-1]
        if below is None or len(rest) <= sight.down[source]:
            return SHOWS_NEXT if zone is Zone.STOCK else TURNS_UP
        freed = card_name(below, "to do with the card")
        if _goes_home(rules, sight, below):
            return Effect("frees for home", freed)
        return NOTHING if zone is Zone.TABLEAU else Effect("frees", freed)
    if zone is not Zone.TABLEAU or isinstance(rules.tableau.empty_pile, StaysEmpty):
        return NOTHING  # an empty pile that can't be refilled is no gain
    if isinstance(rules.tableau.empty_pile, AutoFill):
        for filler in rules.tableau.empty_pile.sources:
            if any(sight.piles[index] for index in rules.layout.ranges[filler]):
                return Effect("is filled", pile_filling(filler))
    return LEAVES_EMPTY


def _visible_card(sight: Sight, pile: int, depth: int) -> Card:
    """The card at ``depth``, where 1 is the top; only visible cards ever move."""
    card = sight.piles[pile][-depth]
    if card is None:
        raise ValueError("That card is face down.")
    return card


def _goes_home(rules: Ruleset, sight: Sight, card: Card) -> bool:
    """Whether a started foundation would accept ``card`` now."""
    layout = rules.layout
    return any(
        card in layout.successors[index][_visible_card(sight, index, 1)]
        for index in layout.foundations
        if sight.piles[index]
        and len(sight.piles[index]) < FULL_FOUNDATION
        and not layout.groups[index].whole_run
    )


def _must_choose_base(rules: Ruleset, sight: Sight) -> bool:
    """Whether the player has not chosen the base yet."""
    return isinstance(rules.base, ChosenBase) and not any(
        sight.piles[index] for index in rules.layout.foundations
    )
