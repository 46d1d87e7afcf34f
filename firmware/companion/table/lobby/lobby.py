"""The lobby: a game begins here, from the page, from the command line or by button, and a rematch follows a game."""

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import RefusedError
from companion.table.feature import GamePlan, NextGame, features_of, play_form
from companion.table.lobby.form import next_rules, patched, problem_at, with_draft, with_names, with_rules
from companion.table.state.acts import GivenAnswer, Handlers, Step, act_aside, act_of_game, ask, say
from companion.table.state.bots import named_bots, seated_bots
from companion.table.state.cues import Cue, CueKind
from companion.table.state.draft import GameDraft, Lobby, draft_of_game, rules_on_track
from companion.table.state.events import BotSeated, NextStarterChosen, StartToBeThrown, TrackLaid
from companion.table.state.inputs import ChooseNextStarter, EditLobby, NewGame, StartDraft
from companion.table.state.menus import AskForNext, ChoosePlays
from companion.table.state.questions import NO, OtherSettings, Rematch, StartByThrows, answer_option
from companion.table.state.seen import ManualEntry
from companion.table.state.state import Play, TableState
from companion.words import NOTHING, message
from farkle.game.names import name_key
from farkle.game.seating import check_names, start
from farkle.game.standing import losers, places
from farkle.game.state import GameState

SEAT = "seat"
"""Who begins a rematch where nobody has chosen: the first in the order of seats."""

SAID = {SEAT: "said.begins_seat", "loser": "said.begins_loser", "winner": "said.begins_winner"}
"""What is said of each choice who begins a rematch."""


def add_player(state: TableState) -> Step:
    """Add a player to the draft."""
    draft = state.lobby.draft
    more = replace(draft, names=(*draft.names, ""))
    return say(with_draft(state, more), message("said.joins", name=more.players[-1]))


def remove_player(state: TableState) -> Step:
    """Remove the player who joined last.

    Raises:
        RefusedError: if only one player is left.
    """
    draft = state.lobby.draft
    if len(draft.names) == 1:
        raise RefusedError(message("refused.one_player"))
    fewer = with_names(draft, draft.names[:-1])
    return say(with_draft(state, fewer), message("said.leaves", name=draft.players[-1]))


def choose_next_rules(state: TableState) -> Step:
    """Choose the next rule set for the draft."""
    draft = with_rules(state.lobby.draft, next_rules(state.lobby.draft.rules, state.own_rules))
    return say(with_draft(state, draft), message("said.rules", rules=draft.rules.title))


def choose_plays(state: TableState, plays: str) -> Step:
    """Let the lobby's players play what a feature offers under this name, or one game."""
    form = play_form(state, plays)
    drafted = with_draft(state, replace(state.lobby.draft, plays=plays))
    return say(drafted, message("said.plays", form=message("menu.one_game") if form is None else form.words))


def edit_lobby(state: TableState, given: EditLobby) -> Step:
    """Change the fields of the draft that are given. Nothing is journalled.

    Raises:
        RefusedError: if the lobby is not open, or a value cannot be chosen.
    """
    if given.open and not state.in_lobby:
        if state.question is not None:
            raise RefusedError(message("refused.answer_first"))
        state = open_lobby(state)
    if not state.in_lobby:
        raise RefusedError(message("refused.no_lobby"))
    draft = patched(state, state.lobby.draft, given)
    # A question about the draft, such as who begins, is about the draft before this change.
    state = replace(with_draft(state, draft), question=None, announced=NOTHING)
    return Step(close_lobby(state) if given.open is False and state.play is not None else state)


def plan_of(state: TableState, draft: GameDraft) -> GamePlan:
    """Return the plan of a new game, with the changes that features make to it."""
    plan = GamePlan(draft, draft.asked, events=carried_over(state.play))
    for feature in features_of(state):
        plan = feature.plans(state, plan)
    return plan


def start_draft(state: TableState, now: float) -> Step:
    """Start the game that the draft shows, or ask first who begins if nobody has said so and it is no match.

    Raises:
        RefusedError: if it cannot start.
    """
    draft = state.lobby.draft
    if why := problem_at(state, draft).text:
        raise RefusedError(why)
    if draft.start == "ask" and len(draft.names) > 1 and not plan_of(state, draft).match:
        first = draft.players[starter_of(state.play, draft.players)]
        answers = answer_option("throw_for_it"), answer_option("begins", name=first)
        return ask(state, StartByThrows(answers=answers))
    return new_game(state, draft, now)


def start_answered(given: GivenAnswer[StartByThrows]) -> Step:
    """Start the game of the draft: the players throw for who begins, or play in the order as they joined."""
    draft = given.state.lobby.draft
    thrown = given.answer == given.question.answers[0]
    return new_game(given.state, replace(draft, start="throw") if thrown else draft, given.now)


def open_lobby(state: TableState) -> TableState:
    """Open the lobby over the game at the table, which is kept as it is. Its draft is what is played next."""
    draft = next_game(state).form
    manual = ManualEntry.NO if state.current.game.over else state.manual
    state = replace(state, lobby=Lobby(open=True, tray=state.observation), announced=NOTHING, menu=None, manual=manual)
    return with_draft(state, draft)


def close_lobby(state: TableState) -> TableState:
    """Go back to the game over which the lobby was opened; a tray that was touched meanwhile is out of step."""
    moved = not state.current.game.over and state.observation != state.lobby.tray
    return replace(state, lobby=Lobby(), announced=NOTHING, out_of_step=state.out_of_step or moved)


def next_game(state: TableState) -> NextGame:
    """Return what is played next: the same game again, or what a feature says."""
    play = state.current
    again = draft_of_game(play.game, play.track, play.bots)
    following = NextGame(again, message("question.another_game"), message("caption.another_game"), form=again)
    for feature in features_of(state):
        following = feature.follows(state, following)
    return following


def ask_for_next(state: TableState) -> Step:
    """Ask whether the next game begins."""
    return ask(state, Rematch(next_game(state).asks))


def begin_game(state: TableState, given: NewGame, now: float) -> Step:
    """Start the game that the command line or the API describes. A `SeatingError` says which name is not valid."""
    if given.names is not None or not given.teams:
        check_names(named_bots(given.names or ()))
    return new_game(state, patched(state, GameDraft(), given), now)


def new_game(state: TableState, draft: GameDraft, now: float) -> Step:
    """Start another game; the one before stays in the journal. Ask first if the settings are not the machine's own.

    Raises:
        RefusedError: if it cannot start.
    """
    if why := problem_at(state, draft).text:
        raise RefusedError(why)
    rules, track = rules_on_track(draft, state.tracks)
    plan = plan_of(state, draft)
    bots = seated_bots(plan.asked, state.bots, plan.names)
    first = starter_of(state.play, bots.players, match=plan.match)
    if isinstance(draft.start, int) and not draft.plays:  # else the feature says who begins
        first = draft.start
    started = start(rules, bots.players, first=first, teams=draft.in_teams(bots.players) or None)
    if state.settings_unsure:
        return ask(state, OtherSettings(game=draft))
    thrown_for = (StartToBeThrown(),) if draft.start == "throw" and len(bots.players) > 1 else ()
    seated = [BotSeated(bots.players.index(name), kind.name, kind.parameters) for name, kind in bots.kinds.items()]
    events = (*started, TrackLaid(track), *seated, *thrown_for, *plan.events)
    cues = (Cue(CueKind.OUT_OF_STEP), Cue(CueKind.TURN))
    return act_of_game(cleared_table(state), state.last_game + 1, events, now, *cues)


def settings_answered(given: GivenAnswer[OtherSettings]) -> Step:
    """Begin the game if the players agree to the settings; else nothing begins, and the next game is asked about."""
    if given.answer == NO:
        return Step(given.state)
    state = replace(given.state, settings_agreed=True)
    return Step(state) if given.question.game is None else new_game(state, given.question.game, given.now)


def cleared_table(state: TableState) -> TableState:
    """Return the table ready for another game: nothing of the last one is shown, and the players do nothing by hand."""
    return replace(state, out_of_step=False, farkled=None, lobby=Lobby(), manual=ManualEntry.NO, confirm_readings=False)


def play_again(state: TableState, now: float) -> Step:
    """Start the game at the table again, with all players who have not left."""
    play = state.current
    return new_game(state, draft_of_game(play.game, play.track, play.bots), now)


def choose_next_starter(state: TableState, begins: str) -> Step:
    """Let the loser, the winner, or the first in the order of seats begin each rematch from now on."""
    if state.current.begins == begins:
        return Step(state)
    return act_aside(state, NextStarterChosen(begins), message(SAID[begins]))


def starter_of(play: Play | None, players: Sequence[str], *, match: bool = False) -> int:
    """Return the index of the player who begins.

    That is the first, unless these are the players of a finished game whose loser or winner begins the next one. Of a
    `match` a feature chose the players: the loser or winner of the game before begins if among them.
    """
    side = None if play is None or play.begins == SEAT else _side(play.game, play.begins)
    if play is None or side is None:
        return 0
    game = play.game
    stayed = {name_key(name): seat for seat, name in enumerate(game.players) if not game.seats[seat].left}
    seats = [stayed.get(name_key(name)) for name in players]
    if not match and (None in seats or len(seats) != len(stayed)):
        return 0
    return next((place for place, seat in enumerate(seats) if seat in game.sides[side].players), 0)


def _side(game: GameState, begins: str) -> int | None:
    """Return the side that won, or the one that lost, the last of several; None if there is none."""
    if begins == "winner":
        return game.winners[0] if game.winners else None
    ranks = places(game)
    return max(losers(game), key=ranks.__getitem__, default=None) if game.loser is None else game.loser


def carried_over(play: Play | None) -> tuple[NextStarterChosen, ...]:
    """Return the event that hands the choice of a game over to the next one; none where nobody has chosen."""
    return () if play is None or play.begins == SEAT else (NextStarterChosen(play.begins),)


HANDLERS: Handlers = {
    AskForNext: lambda state, _given, _now: ask_for_next(state),
    ChooseNextStarter: lambda state, given, _: choose_next_starter(state, given.begins),
    ChoosePlays: lambda state, given, _: choose_plays(state, given.plays),
    NewGame: begin_game,
    EditLobby: lambda state, given, _: edit_lobby(state, given),
    StartDraft: lambda state, given, now: start_draft(edit_lobby(state, given).state, now),
}
