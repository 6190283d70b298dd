"""The replay of a game that the site played itself: the page of any replay, without a player or a stored game."""

from __future__ import annotations

from app.games import board
from app.games.site_games import SiteGame, played
from app.games.table_layout import closest_backs, table_classes
from app.i18n.formats import count_of
from app.sharing.replay_steps import whole_replay
from app.sharing.replay_views import ReplayView, list_steps, step_text
from app.text import gettext


def site_replay_view(site_game: SiteGame, site: str, at: int) -> ReplayView:
    """The page at step ``at``, or at the nearest step there is; ``site`` is the start of its full address."""
    replay = whole_replay(played(site_game))
    at = min(max(at, 0), replay.last)
    game, rules = replay.game_at(at), site_game.rules
    path = f"{site_game.path}?at={at}"
    moves = count_of(replay.end.moves, "move")
    return ReplayView(
        path=path,
        url=site + path,
        picture=f"{site}{site_game.deal_path}/picture.png",
        game_id="",
        title=rules.title,
        ruleset=rules.id,
        summary=gettext("The site won in %(moves)s", moves=moves),
        brief=gettext("The site won in %(moves)s", moves=moves),
        sentence=gettext("Watch the site win %(title)s.", title=rules.title),
        deal_path=site_game.deal_path,
        deal_code=site_game.code,
        kind=table_classes(rules),
        backs=closest_backs(rules, game.position),
        zones=board.still_zones(rules, game.position),
        at=at,
        last=replay.last,
        text=step_text(replay, at, {}),
        seen=step_text(replay, at, {}, is_seen=True),
        is_solver=False,
        steps=list_steps(replay, at, {}),
        earlier=None,
        later=None,
        other_steps=[],
        hindsight=None,
        chance=None,
        chance_note="",
        has_undone=False,
        can_fork=False,
        can_challenge=False,
        forked_from=None,
    )
