"""The end of a race in words, for each of those who see it: the first, the others, and who watched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from app.i18n.formats import cards_home_sentence, clock_duration, count_of
from app.races.events import GameEnding
from app.races.nobody_won import all_resigned, who_got_there_first
from app.races.ranking import WhyUnranked, list_winners, rank_racers, why_unranked
from app.races.room import Phase
from app.races.snapshot import Activity, RaceStanding, RoomSnapshot, standings
from app.text import Text, gettext, listing, ngettext, sentences

_BOTH: Final = 2
_MINUTE: Final = 60
_FIRST: Final = gettext("You won the race!")
_ALL_HOME: Final = gettext("All cards home")
_HOW_IT_ENDED: Final = {
    GameEnding.STUCK: gettext("No moves left."),
    GameEnding.RESIGNED: gettext("You resigned."),
    GameEnding.IDLE: gettext("You made no move for five minutes."),
    GameEnding.TIME: gettext("Time ran out."),
}


class RaceOutcome(NamedTuple):
    """The end of a race as a viewer sees it: a heading, and one or more sentences."""

    title: str
    text: str


_BLANK: Final = {
    WhyUnranked.UNPLAYED: RaceOutcome(gettext("No one played"), gettext("No one made a move.")),
    WhyUnranked.NONE_HOME: RaceOutcome(
        gettext("No one won this time"), gettext("No one got a card home.")
    ),
}


def outcome(snapshot: RoomSnapshot, cards: int, viewer_id: str | None) -> RaceOutcome | None:
    """The outcome of a race that is over, at a game with this many cards.

    ``None`` before, and for a race that is void or had no racers.
    """
    why = why_unranked(snapshot.room)
    resigned = all_resigned(snapshot.room, viewer_id)
    if why and not snapshot.room.void:
        blank = _BLANK[why]
        return blank._replace(text=sentences(resigned, blank.text)) if resigned else blank
    rows = [row for row in standings(snapshot, viewer_id) if row.rank is not None]
    if not rows:
        return None
    mine = next((row for row in rows if row.is_you), None)
    if len(rows) == 1:
        return _outcome_alone(rows[0], cards)
    first = [row for row in rows if row.rank == 1]
    title = _leader(rows) if len(first) == 1 else _title_of_tie(first)
    led = _tie(first) if len(first) > 1 else ""
    if resigned:
        led = led or who_got_there_first(rows)
        return RaceOutcome(title, sentences(resigned, led, _last_of(mine, rows, cards)))
    if mine and mine not in first:
        if len(first) == 1 and first[0].ending is not GameEnding.WON:
            led = who_got_there_first(rows)
        rank = _rank_of(mine.rank, len(rows))
        return RaceOutcome(title, sentences(led, rank, _behind(mine, rows, cards)))
    return RaceOutcome(title, led or _lead(rows))


def _rank_of(rank: int | None, ranked: int) -> Text:
    return gettext("Rank %(rank)s of %(ranked)s.", rank=rank, ranked=ranked)


def _last_of(mine: RaceStanding | None, rows: Sequence[RaceStanding], cards: int) -> str:
    """The rank and the cards of one of many who resigned, unless they were first; of two, both are told already."""
    if mine is None or mine.rank == 1 or len(rows) == _BOTH:
        return ""
    rank = _rank_of(mine.rank, len(rows))
    return sentences(rank, _home(mine, cards))


def outcome_so_far(snapshot: RoomSnapshot, viewer_id: str | None) -> RaceOutcome | None:
    """The outcome for a viewer once someone has won and others still play; ``None`` before and after."""
    room = snapshot.room
    won = list_winners(room)
    if room.phase is not Phase.RACING or room.void or not won:
        return None
    by_number = {row.number: row for row in standings(snapshot, viewer_id)}
    first = [by_number[one.seat.number] for one in won if one.rank == 1]
    mine = next((one for one in won if one.seat.player_id == viewer_id), None)
    rank = ""
    if mine and mine.rank > 1:
        rank = _rank_of(mine.rank, len(room.racers))
    if len(first) > 1:
        return RaceOutcome(
            _title_of_tie(first), sentences(_tie(first), rank, _still_playing(snapshot, viewer_id))
        )
    return RaceOutcome(_winner(first[0]), sentences(rank, _still_playing(snapshot, viewer_id)))


def outcome_of_game(snapshot: RoomSnapshot, cards: int, player_id: str) -> RaceOutcome | None:
    """The outcome of a racer's own game, while others may still play; ``None`` if it is not over."""
    room = snapshot.room
    seat = room.seat_of(player_id)
    if seat is None or seat.finished is None or room.void:
        return None
    has_won = seat.finished.ending is GameEnding.WON
    if room.phase is Phase.ENDED:
        found = outcome(snapshot, cards, player_id)
        first = [one.seat for one in rank_racers(room) if one.rank == 1]
        # A later win is still a win: congratulate.
        if found and has_won and seat not in first:
            return found._replace(title=_ALL_HOME)
        # The card says the time below the heading.
        is_winner = has_won and first == [seat] and len(room.racers) > 1
        return found._replace(title=_FIRST) if found and is_winner else found
    others = _still_playing(snapshot, player_id)
    if not has_won:
        home = cards_home_sentence(seat.finished.home, cards)
        later = gettext("You can see your rank when everyone has finished.")
        return RaceOutcome(_own_title(seat.finished.ending), sentences(home, others, later))
    # Anyone who wins later took longer: this rank is final.
    rank = next(one.rank for one in rank_racers(room) if one.seat is seat)
    if rank == 1:
        return RaceOutcome(_FIRST, others)
    return RaceOutcome(_ALL_HOME, sentences(_rank_of(rank, len(room.racers)), others))


def last_one(snapshot: RoomSnapshot, viewer_id: str, home: int) -> RaceOutcome | None:
    """Advice for the only racer who still plays, while nobody has won; ``None`` for everyone else.

    ``home``: the viewer's cards home now.
    """
    room = snapshot.room
    playing = [seat.player_id for seat in room.racers if seat.finished is None]
    others = [row for row in standings(snapshot, viewer_id) if row.seconds is not None]
    is_racing = room.phase is Phase.RACING and not list_winners(room)
    if not is_racing or playing != [viewer_id] or not others:
        return None
    title = gettext("Only you are still playing.") if len(others) > 1 else _left_alone_by(others[0])
    most = max(row.home or 0 for row in others)  # exact: their games are over
    if home > most:
        return RaceOutcome(title, gettext("You are ahead: you win even if you stop now."))
    enough = ngettext(
        "%(n)s card home is enough to win the race: no one else has that many.",
        "%(n)s cards home are enough to win the race: no one else has that many.",
        most + 1,
    )
    return RaceOutcome(title, enough)


def _left_alone_by(rival: RaceStanding) -> str:
    name = rival.name.text
    if rival.activity is Activity.RESIGNED:
        return gettext("%(name)s resigned.", name=name)
    return gettext("%(name)s has finished.", name=name)


def _own_title(ending: GameEnding) -> str:
    match ending:
        case GameEnding.WON:
            return _ALL_HOME
        case GameEnding.STUCK:
            return gettext("No moves left")
        case GameEnding.RESIGNED:
            return gettext("You resigned")
        case GameEnding.IDLE | GameEnding.TIME:
            return gettext("Your time is up")


def _still_playing(snapshot: RoomSnapshot, viewer_id: str | None) -> str:
    """The racers who have not finished: by name, if there is only one."""
    playing = [seat for seat in snapshot.room.racers if seat.finished is None]
    if len(playing) != 1:
        return ngettext(
            "%(n)s player is still playing.", "%(n)s players are still playing.", len(playing)
        )
    if playing[0].player_id == viewer_id:
        return gettext("You are still playing.")
    rows = standings(snapshot, viewer_id)
    name = next(row.name.text for row in rows if row.number == playing[0].number)
    return gettext("%(name)s is still playing.", name=name)


def _winner(first: RaceStanding) -> str:
    time = clock_duration(first.seconds or 0)
    if first.is_you:
        return gettext("You won in %(time)s", time=time)
    return gettext("%(name)s won in %(time)s", name=first.name.text, time=time)


def _leader(rows: Sequence[RaceStanding]) -> str:
    """The first of several, with their time, or their cards and those of the second if that is fewer."""
    first, second = rows[:2]
    if first.ending is GameEnding.WON:
        return _winner(first)
    home, other = first.home or 0, second.home or 0
    if home == other:  # the text says who got there first
        name = first.name.text
        return (
            gettext("You win the race")
            if first.is_you
            else gettext("%(name)s wins the race", name=name)
        )
    if first.is_you:
        return ngettext(
            "You win the race, %(n)s card to %(other)s",
            "You win the race, %(n)s cards to %(other)s",
            home,
            other=other,
        )
    return ngettext(
        "%(name)s wins the race, %(n)s card to %(other)s",
        "%(name)s wins the race, %(n)s cards to %(other)s",
        home,
        other=other,
        name=first.name.text,
    )


def _title_of_tie(first: Sequence[RaceStanding]) -> str:
    # Players who share the first rank without a win have nothing to celebrate.
    won = first[0].ending is GameEnding.WON
    return gettext("A dead heat") if won else gettext("A draw")


def _lead(rows: Sequence[RaceStanding]) -> str:
    """The winner's lead over the second: every player reads the same sentence."""
    first, second = rows[:2]
    name = second.name.text
    if first.ending is not GameEnding.WON:
        return who_got_there_first(rows) or gettext(
            "No one got all cards home, so the most cards home wins."
        )
    if second.ending is not GameEnding.WON:
        return gettext("No one else got all cards home.")
    gap = _gap(first, second)
    if not gap:
        return gettext("The same time as %(name)s, with fewer moves.", name=name)
    return gettext("%(gap)s ahead of %(name)s.", gap=gap, name=name)


def _behind(mine: RaceStanding, rows: Sequence[RaceStanding], cards: int) -> str:
    """How far a racer was behind the next in front."""
    if mine.ending is not GameEnding.WON:
        how = _HOW_IT_ENDED[mine.ending] if mine.ending else ""
        is_told = mine.home == rows[0].home  # who got there first, and with how many cards
        return how if is_told else sentences(how, _home(mine, cards))
    ahead = [row for row in rows if (row.rank or 0) < (mine.rank or 0)][-1]
    gap, name = _gap(ahead, mine), ahead.name.text
    if not gap:
        return gettext("The same time as %(name)s, with more moves.", name=name)
    return gettext("%(gap)s behind %(name)s.", gap=gap, name=name)


def _tie(first: Sequence[RaceStanding]) -> str:
    is_mine = any(row.is_you for row in first)
    names = listing([row.name.text for row in first if not row.is_you], "and")
    if first[0].ending is GameEnding.WON:
        you = gettext("You and %(names)s won together.", names=names)
        return you if is_mine else gettext("%(names)s won together.", names=names)
    home = first[0].home or 0
    you = ngettext(
        "You and %(names)s tied with %(n)s card home each.",
        "You and %(names)s tied with %(n)s cards home each.",
        home,
        names=names,
    )
    others = ngettext(
        "%(names)s tied with %(n)s card home each.",
        "%(names)s tied with %(n)s cards home each.",
        home,
        names=names,
    )
    return you if is_mine else others


def _outcome_alone(only: RaceStanding, cards: int) -> RaceOutcome:
    """A race whose others left before the cards were dealt is nobody's victory."""
    you = gettext("You raced alone")
    title = you if only.is_you else gettext("%(name)s raced alone", name=only.name.text)
    if only.ending is GameEnding.WON:
        return RaceOutcome(
            title, gettext("All cards home in %(time)s.", time=clock_duration(only.seconds or 0))
        )
    return RaceOutcome(title, _home(only, cards))


def _home(row: RaceStanding, cards: int) -> str:
    return cards_home_sentence(row.home or 0, cards)


def _gap(ahead: RaceStanding, behind: RaceStanding) -> str:
    """The time between two who won, in words below a minute; empty if it is the same second."""
    seconds = (behind.seconds or 0) - (ahead.seconds or 0)
    if not seconds:
        return ""
    return count_of(seconds, "second") if seconds < _MINUTE else clock_duration(seconds)
