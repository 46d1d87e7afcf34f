"""What the tournament is at the table: pure, like the table itself."""

from companion.features.tournament.table.bracket import Form
from companion.features.tournament.table.matches import (
    PLAYS,
    EndTournament,
    LeaveTournament,
    NextMatch,
    carried_on_resume,
    end_tournament,
    following,
    going_on,
    leave_tournament,
    may_correct,
    may_go_on,
    next_match,
    planned,
    prompt,
)
from companion.features.tournament.table.shown import TournamentShown, shown_tournament
from companion.table.asking.menu import names_menu
from companion.table.feature import Item, MenuKind, TableFeature
from companion.table.state.menus import CLOSES, ChoosePlays, Menu, OpenMenu, entry
from companion.table.state.state import TableState


def _in_tournament(state: TableState) -> list[tuple[int, str]]:
    """Return the players who are in the tournament that goes on, by their index and name."""
    tournament = going_on(state.play)
    if tournament is None:
        return []
    gone = dict(tournament.left)
    return [(player, name) for player, name in enumerate(tournament.players) if player not in gone]


def _leavers(state: TableState, given: OpenMenu) -> Menu:
    players = _in_tournament(state)
    return names_menu(given.kind, players, lambda player: LeaveTournament(dict(players)[player]))


TOURNAMENT = TableFeature(
    "tournament",
    handlers={
        LeaveTournament: lambda state, given, _: leave_tournament(state, given.player),
        EndTournament: lambda state, given, _: end_tournament(state, ended=given.ended),
        NextMatch: lambda state, _, now: next_match(state, now),
    },
    part=TournamentShown,
    shown=shown_tournament,
    items={
        "tournament": Item(lambda state: state.in_lobby, lambda _: OpenMenu("tournament")),
        "leave_tournament": Item(lambda state: bool(_in_tournament(state)), lambda _: OpenMenu("leaves tournament")),
        "end_tournament": Item(lambda state: going_on(state.play) is not None, lambda _: EndTournament()),
        "go_on_tournament": Item(lambda state: may_go_on(state.play), lambda _: EndTournament(ended=False)),
    },
    menus={
        "tournament": MenuKind(
            "menu.which_tournament",
            lambda _, given: Menu(
                given.kind,
                (entry("one_game", ChoosePlays("")), *[entry(form, ChoosePlays(form)) for form in Form], CLOSES),
            ),
        ),
        "leaves tournament": MenuKind("menu.leaves_tournament", _leavers),
    },
    plays=PLAYS,
    follows=following,
    plans=planned,
    resumes=carried_on_resume,
    corrects=may_correct,
    prompt=prompt,
)
"""The tournament at the table."""
