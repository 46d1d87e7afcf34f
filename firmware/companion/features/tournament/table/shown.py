"""How a tournament is shown: its matches as sentences, round by round, and its standing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.features.tournament.table.matches import FORMS, match_at, may_correct, tournament_now, versus, what_next
from companion.features.tournament.table.stands import TournamentStands
from companion.table.state.state import TableState
from companion.words import NOTHING, Message, Text, message
from farkle.tournament import Form, Match, PlayerStanding, is_over, open_matches, rounds, standing, winners

HOW = {Form.ROUND_ROBIN: "tournament.how_round_robin", Form.KNOCK_OUT: "tournament.how_knock_out"}
"""The rule of each form in words."""

FINALS = {1: "tournament.final", 2: "tournament.semi_final", 4: "tournament.quarter_final"}
"""The names of a knock-out's rounds by the number of their matches."""


@dataclass(frozen=True)
class TournamentMatchView:
    """One match of a tournament."""

    text: Text
    """The match as a sentence."""
    state: Literal["table", "open", "waits", "played", "bye", "left"]
    """Whether it is at the table, open, or decided."""
    players: tuple[str, ...]
    """Its players."""
    winners: tuple[str, ...] = ()
    """Who has won it."""


@dataclass(frozen=True)
class TournamentRoundView:
    """One round."""

    title: Text
    """Its name."""
    matches: tuple[TournamentMatchView, ...]
    """Its matches."""


@dataclass(frozen=True)
class TournamentView:
    """The tournament at the table, until a game begins after it is over."""

    form: str
    """`round_robin` or `knock_out`."""
    title: Text
    """Its name."""
    how: Text
    """Its rule in words."""
    now: Text
    """The match that is played, with its round; empty if the game at the table is none."""
    next: Text
    """What follows: a match, or who has won."""
    may_begin: bool
    """Whether the next match can begin now."""
    corrects: int
    """The number of the game that was the last match, if the table can go back to it; else 0."""
    over: bool
    """Whether no match is left."""
    winners: tuple[str, ...]
    """Who has won."""
    players: tuple[PlayerStanding, ...]
    """The players in the order of the standing."""
    rounds: tuple[TournamentRoundView, ...]
    """The rounds."""


@dataclass(frozen=True)
class TournamentShown:
    """The tournament."""

    tournament: TournamentView | None
    """The tournament at the table; null if there is none."""


def shown_tournament(state: TableState) -> TournamentShown:
    """Return how the tournament is shown."""
    return TournamentShown(_tournament(state))


def _tournament(state: TableState) -> TournamentView | None:
    play, found = state.play, tournament_now(state.play)
    if play is None or found is None:
        return None
    form, over = Form(found.form), is_over(found)
    at_table = sorted(match_at(play)) if not play.game.over else []
    names = found.players
    shown = [_round(found, number, each, at_table) for number, each in enumerate(rounds(found))]
    return TournamentView(
        form=form,
        title=message("tournament.title", form=message(FORMS[form]), players=len(names)),
        how=message(HOW[form]),
        now=_now(found, at_table),
        next=_after_this(found, at_table) if at_table else what_next(play),
        may_begin=not over and play.game.over,
        corrects=found.last_game if may_correct(play, found.last_game) else 0,
        over=over,
        winners=winners(found),
        players=standing(found),
        rounds=tuple(each for each in shown if each.matches),
    )


def _named(tournament: TournamentStands, players: Sequence[int]) -> tuple[str, ...]:
    return tuple([tournament.players[player] for player in players])


def _now(tournament: TournamentStands, at_table: Sequence[int]) -> Text:
    """Return the match that is played with the name of its round."""
    for number, each in enumerate(rounds(tournament)):
        for match in each:
            if at_table and sorted(match.players) == list(at_table) and match.state == "open":
                title = _title(tournament, number, len(each))
                return message("tournament.now", round=title, match=versus(tournament, match.players))
    return NOTHING


def _after_this(tournament: TournamentStands, at_table: Sequence[int]) -> Text:
    """Return the match that comes after the one at the table, as far as it is known."""
    match = next((each for each in open_matches(tournament) if sorted(each) != list(at_table)), None)
    return NOTHING if match is None else message("tournament.next", match=versus(tournament, match))


def _title(tournament: TournamentStands, number: int, matches: int) -> Message:
    if tournament.form == Form.KNOCK_OUT and matches in FINALS:
        return message(FINALS[matches])
    return message("tournament.round", number=number + 1)


def _round(
    tournament: TournamentStands, number: int, matches: Sequence[Match], at_table: Sequence[int]
) -> TournamentRoundView:
    shown = []
    for match in matches:
        at = bool(at_table) and match.state == "open" and sorted(match.players) == list(at_table)
        undecided = match.state in ("open", "waits")
        if (match.players or undecided) and not (tournament.ended and undecided):
            players, decided = _named(tournament, match.players), _named(tournament, match.winners)
            text = _sentence(tournament, match)
            shown.append(TournamentMatchView(text, "table" if at else match.state, players, decided))
    return TournamentRoundView(_title(tournament, number, len(matches)), tuple(shown))


def _sentence(tournament: TournamentStands, match: Match) -> Text:
    """Return what a match was, or is to be, as a sentence."""
    names, won = _named(tournament, match.players), _named(tournament, match.winners)
    others = tuple(name for name in names if name not in won)
    match match.state:
        case "open":
            return versus(tournament, match.players)
        case "waits":
            return message("tournament.waits", name=names[0]) if names else message("tournament.waits_both")
        case "bye":
            key = "tournament.sits_out" if tournament.form == Form.ROUND_ROBIN else "tournament.bye"
            return message(key, name=names[0])
        case "left":
            if not won:
                return message("tournament.both_left", names=names)
            return message("tournament.left", name=won[0], other=others[0])
        case "played":
            if not others:
                return message("tournament.shared", names=won)
            return message("tournament.beat", names=won, others=others)
