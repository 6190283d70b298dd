"""Estimates the chance to win after each action while cards are face down, from what a player sees and nothing else.

All positions that can be reached before the next card is turned are listed (``Turn``), and the most
promising positions just after a reveal are the candidates. Each is played on many times, in the same
guessed orders of the unseen cards for all candidates (``TrialGames``); the worse half drops out while
the others get twice as many games (successive halving).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from math import exp, log, sqrt
from typing import Final

from app.engine.actions import DEAL, Action
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.solver.board import Board, decode_move, encode_action
from app.solver.calibration import calibrated, slope
from app.solver.estimates import NOTHING_KNOWN, Estimate, Estimator
from app.solver.fast_player import QUICK_LOOK, LookAhead, derive_seed, new_turn, player_weights
from app.solver.portfolio import player_heuristic
from app.solver.rule_tables import rule_tables
from app.solver.shortening import brought_forward, shorten, without_detours
from app.solver.sight import Sight
from app.solver.trial_games import TrialGames
from app.solver.turn import NO_NODE, STATES

LEAF, WON_NODE, DEAD = STATES
UNREACHED: Final = -1e18
CERTAIN: Final = (0.0, False)  # the deviation of a chance that is sure, and that it is not rough
LEAST: Final = 1e-9  # a chance that has odds

CANDIDATES: Final = 10  # leaves compared at first
FIRST_GAMES: Final = 2  # games for each of them, doubled as their number halves
LEAST_CANDIDATES: Final = 2
ROOT_LIMIT: Final = 300  # positions expanded in the turn whose actions are estimated
FAR_LIMIT: Final = 6_000  # the same if those lead to no reveal
ROOT_SAMPLES: Final = 6  # imagined orders by which its leaves are told apart
PRIOR: Final = 12.0  # games that the heuristic value of a leaf is worth
ENOUGH_GAMES: Final = 24  # beside so many, that value counts little
LEARNED_UNIT: Final = 200.0  # of learned weights, the value that is worth one unit of log odds
UNIT: Final = 400.0  # the same of other weights, guessed
HOME: Final = 0.02  # what cards home count beside wins, so that lost games can be compared, too
ACTION_COST: Final = 0.008  # in log odds, of each action that leads to a leaf: 0.2 points near 50 %
DEAL_ACTIONS: Final = 10  # what a deal counts as: the cards that it shows come sooner or later


class TurnEstimator(Estimator):
    """The candidates of a turn, and the games played from them. There must be a face-down card."""

    def __init__(
        self,
        rules: Ruleset,
        sight: Sight,
        seed: str,
        *,
        every_action: bool = True,
        look: LookAhead = QUICK_LOOK,
        solving: int = 0,
        action_cost: float = 0.0,
    ) -> None:
        """Prepare, at the cost of a few hundred positions.

        With ``every_action`` each action is estimated, by the best leaf it leads to; without, only the
        most promising leaves, which is enough to play. ``look`` is how the games are played. ``solving``
        is for comparisons of methods: the positions in which to solve each guess with every card known,
        in place of a game. With an ``action_cost``, a longer way to a leaf must be worth it: else chance would decide
        between ways that are as good, and a player who follows it deals round after round.
        """
        self._rules = rules
        self._sight = sight
        self._seed = seed
        self._tables = rule_tables(rules)
        # Any order will do here: the cards lie as in an unshuffled deck.
        self._position = sight.with_hidden(sight.unseen(rules))
        self._actions = legal_actions(rules, self._position)
        self._board = Board(self._tables, self._position)
        self._heuristic = player_heuristic(self._tables, player_weights(rules))
        self._trials = TrialGames(
            self._tables,
            self._board,
            sight,
            self._heuristic,
            seed=seed,
            look=look,
            solving=solving,
        )
        self._guesses = 0
        self._all_games = self._all_wins = 0
        self._listed_before = 0  # positions
        self._action_cost = action_cost
        self._plans: dict[int, list[Action]] = {}  # by their goals
        self._unit = LEARNED_UNIT if player_weights(rules) else UNIT
        self._list_turn()
        self._list_candidates(every_action=every_action)

    @property
    def positions(self) -> int:
        return self._listed_before + self._root.positions + self._trials.positions

    @property
    def chance(self) -> float:
        if self._root.winner != NO_NODE:
            return 1.0
        leaf = min(self._leaves, key=self._rank, default=None)
        return self._score(leaf) if leaf is not None else 0.0

    @property
    def leads_on(self) -> bool:
        return self._goal == NO_NODE or self._root.state[self._goal] in {LEAF, WON_NODE}

    def plan(self) -> list[Action]:
        # None if no card can be turned any more, as far as listed.
        goal = self._goal
        if goal == NO_NODE:
            return []
        if goal not in self._plans:
            straight = shorten if self._root.state[goal] == WON_NODE else without_detours
            self._plans[goal] = straight(self._rules, self._position, self._line(goal))
        return self._plans[goal]

    def plans(self, actions: Iterable[Action]) -> list[list[Action]]:
        scores, _ = self._scores()
        reached = self._reached(scores)
        scored = [node for node in range(self._root.count) if scores[node] > 0]
        goals = [self._goal, *scored] if scored else []
        lines = [(scores[goal], self._line(goal)) for goal in goals]
        plan = self.plan()

        def line_by(action: Action, score: float) -> list[Action]:
            if plan[:1] == [action]:
                return plan
            found = (line for end, line in lines if end == score and line[:1] == [action])
            return next(found, None) or brought_forward(self._rules, self._position, plan, action)

        found = (
            line_by(action, reached[node])
            for action in actions
            if (node := self._node_of[action]) != NO_NODE
        )
        return [line for line in found if line]

    @property
    def _goal(self) -> int:
        """The node that the plan leads to: a win, or the leaf that was compared in the most games.

        As long as the difference may be chance, a card is turned there: plans of one action, each as good as the one
        before, would move cards back and forth.
        """
        if self._root.winner != NO_NODE:
            return self._root.winner
        best = min(self._leaves, key=self._rank, default=NO_NODE)
        turning = (leaf for leaf in self._leaves if self._root.state[leaf] == LEAF)
        leaf = min(turning, key=self._rank, default=best)
        if leaf == best:
            return best
        (chance, deviation), (other, doubt) = self._chance(best), self._chance(leaf)
        return best if chance - other > deviation + doubt else leaf

    def _line(self, node: int) -> list[Action]:
        # By which it was found: equal positions may have their piles in another order, so lines can't be joined.
        return [decode_move(self._tables, move) for move in self._root.path(node)]

    # --- hidden cards

    def _list_turn(self) -> None:
        """List the positions of this turn; far more of them if few hold no reveal."""
        for limit in (ROOT_LIMIT, FAR_LIMIT):
            self._root = root = new_turn(
                self._tables, self._board, self._sight, self._heuristic, 20 * limit
            )
            root.world[: len(self._trials.kinds)] = self._trials.kinds
            root.seed(derive_seed(self._seed, 0))
            root.imagine()
            root.explore(limit)
            self._is_complete = root.heap_size == 0 and root.count < root.capacity
            if root.leaves or root.winner != NO_NODE or self._is_complete:
                break
            self._listed_before += root.positions

    def _list_candidates(self, *, every_action: bool) -> None:
        root = self._root
        self._node_of: dict[Action, int] = {}
        self._listed = root.count
        if every_action:
            for action in self._actions:
                self._node_of[action] = root.graft(encode_action(self._tables, action))
        root.imagine_again(ROOT_SAMPLES - 1)
        leaves = [node for node in range(root.count) if root.state[node] == LEAF]
        self._costs = self._list_costs(leaves)
        leaves.sort(key=lambda node: (self._merit(node), node))
        self._leaves = leaves[:CANDIDATES]
        values = [root.value[node] / ROOT_SAMPLES for node in self._leaves]
        self._place = {node: place for place, node in enumerate(leaves)}
        self._add_candidates_of_each_action()
        self._mean_value = sum(values) / max(1, len(values))
        self._trials.start(self._leaves)
        self._round_of = dict.fromkeys(self._leaves, 0)
        self._left = list(self._leaves)  # those that are still compared
        self.work = self._halve()
        self.done = not self._leaves or (root.winner != NO_NODE and not every_action)

    def _add_candidates_of_each_action(self) -> None:
        """Add the best leaf of each action, or where it leads if no leaf is listed beyond."""
        root = self._root
        scores = array("d", [UNREACHED] * root.capacity)
        by_score: dict[float, int] = {}
        for node in range(root.count):
            if root.state[node] == LEAF:
                scores[node] = -self._merit(node) - node * 1e-6
                by_score[scores[node]] = node
            elif root.state[node] == WON_NODE:
                scores[node] = -UNREACHED
        root.spread(scores)
        for node in dict.fromkeys(self._node_of.values()):  # several actions may lead to one node
            candidate = by_score.get(scores[node], NO_NODE)
            if scores[node] == UNREACHED and not self._is_lost(node):
                candidate = node
                root.value[node] *= (
                    ROOT_SAMPLES  # as if it had been imagined as often as the leaves
                )
            if candidate != NO_NODE and candidate not in self._leaves:
                self._leaves.append(candidate)
                self._place.setdefault(candidate, len(self._place))

    def _list_costs(self, leaves: Iterable[int]) -> array[float]:
        """What the way to each node costs, in log odds. A turned card is progress, a dealt one hardly."""
        root = self._root
        costs = array("d", [0.0] * root.count)
        if not self._action_cost:
            return costs
        deal = encode_action(self._tables, DEAL)
        for node in range(1, root.count):  # the parent comes before
            costs[node] = costs[root.parent[node]] + self._action_cost
        for leaf in leaves:
            if root.move[leaf] == deal:
                costs[leaf] += (DEAL_ACTIONS - 1) * self._action_cost
        return costs

    def _merit(self, leaf: int) -> float:
        """The value of a leaf in all imagined orders, with the cost of the way to it: less is better."""
        return float(self._root.value[leaf]) + ROOT_SAMPLES * self._unit * self._costs[leaf]

    def _is_lost(self, node: int) -> bool:
        """Whether a node from which no leaf can be reached is certain to be lost."""
        is_listed = self._is_complete and node < self._listed
        return node == NO_NODE or self._root.state[node] == DEAD or is_listed

    def _halve(self) -> Iterator[None]:
        """Play games, one at a time: first a few for every candidate, then twice as many for half."""
        root = self._root
        games = FIRST_GAMES
        while True:
            for _ in range(games):
                self._guesses += 1
                self._trials.guess(self._guesses, root)
                for leaf in self._left:
                    won = self._trials.play(root, leaf, self._guesses)
                    self._all_games += 1
                    self._all_wins += won
                    yield
            for leaf in self._left:
                self._round_of[leaf] += 1
            self._left.sort(key=self._rank)
            if len(self._left) > LEAST_CANDIDATES:
                self._left = self._left[: max(LEAST_CANDIDATES, len(self._left) // 2)]
                games *= 2

    def play_out_next_best(self, most: int) -> None:
        end = self.positions + most
        while self.positions < end:
            estimates = self.estimates().actions
            second = next((one for one in estimates if one.chance < estimates[0].chance), None)
            leaf = self._leaf_with(second.chance) if second and second.is_rough else NO_NODE
            if leaf == NO_NODE:
                break
            if leaf in self._left:  # it is still compared, so that goes on
                for _ in self._left:
                    self.refine()
                continue
            # All leaves met the same orders so far, and go on with the same ones.
            while self._trials.games[leaf] < ENOUGH_GAMES and self.positions < end:
                number = self._trials.games[leaf] + 1
                self._trials.guess(number, self._root)
                self._trials.play(self._root, leaf, number)
        self._trials.guess(self._guesses, self._root)

    def _leaf_with(self, chance: float) -> int:
        """The leaf with this chance; -1 if there is none."""
        scores, _ = self._scores()
        return next((leaf for leaf in self._leaves if scores[leaf] == chance), NO_NODE)

    def _rank(self, leaf: int) -> tuple[int, float, int]:
        return (-self._round_of[leaf], -self._worth(leaf), self._place[leaf])

    def _worth(self, leaf: int) -> float:
        """By what leaves are compared: the chance and, if that counts, the way there."""
        score = self._score(leaf, self._trials.home[leaf])
        if not self._action_cost:
            return score
        score = max(LEAST, min(1 - LEAST, score))
        return log(score / (1 - score)) - self._costs[leaf]

    def _score(self, leaf: int, home: float = 0.0) -> float:
        """The chance after a leaf: its games, and ``PRIOR`` more that went as its value predicts.

        A leaf looks better or worse than the average of the candidates, whose chance is known best,
        by the difference of their values (empirical Bayes).
        """
        average = (self._all_wins + 1) / (self._all_games + 2)
        lead = (self._mean_value - self._root.value[leaf] / ROOT_SAMPLES) / self._unit
        odds = average / (1 - average) * exp(max(-20.0, min(20.0, lead)))
        prior = odds / (1 + odds)
        return (self._trials.wins[leaf] + HOME * home + PRIOR * prior) / (
            self._trials.games[leaf] + PRIOR
        )

    def _chance(self, leaf: int) -> tuple[float, float]:
        """The mean and standard deviation of the chance after a leaf."""
        chance = self._score(leaf)
        return chance, sqrt(chance * (1 - chance) / (self._trials.games[leaf] + PRIOR + 1))

    def _scores(self) -> tuple[array[float], dict[float, tuple[float, bool]]]:
        """The chance at each node where one is known, -1 elsewhere; of each its deviation, and whether it is rough.

        The goal of the plan was compared in the most games: what seems better after fewer is as good at most.
        """
        scores = array("d", [-1.0] * self._root.capacity)
        errors: dict[float, tuple[float, bool]] = {}
        most = calibrated(self._rules.id, self.chance)
        for leaf in sorted(self._leaves, key=self._rank):
            chance, deviation = self._chance(leaf)
            scores[leaf] = min(most, calibrated(self._rules.id, chance))
            deviation = min(NOTHING_KNOWN, deviation * slope(self._rules.id, chance))
            errors.setdefault(scores[leaf], (deviation, self._trials.games[leaf] < ENOUGH_GAMES))
        for node in range(self._root.count):
            if self._root.state[node] == WON_NODE:
                scores[node] = 1.0
                errors[1.0] = CERTAIN
        return scores, errors

    def _reached(self, scores: array[float]) -> array[float]:
        """The best chance that each node leads to. After the first action of the plan it is that of the goal."""
        reached = scores[:]
        node = self._node_of[plan[0]] if (plan := self.plan()) else NO_NODE
        if node != NO_NODE:
            reached[node] = scores[self._goal]
        self._root.spread(reached)
        return reached

    def list_estimates(self) -> list[Estimate]:
        scores, errors = self._scores()
        scores = self._reached(scores)
        found = []
        for action in self._actions:
            node = self._node_of[action]
            if node == NO_NODE:  # there was no room for it
                found.append(Estimate(action, 0.0, NOTHING_KNOWN))
            else:
                score = max(0.0, scores[node])
                found.append(Estimate(action, score, *errors.get(score, CERTAIN)))
        return found
