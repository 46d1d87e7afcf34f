"""The table's state machine: `step(state, given, now)` says what an input means, and what must be journalled.

Pure: the host gives the time, writes the events of the act, and only then adopts the new state. An input that is not
allowed raises `RefusedError` and changes nothing.
"""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.asking.answers import answer, correct, step_back
from companion.table.asking.choices import choice_question
from companion.table.asking.door import door_changed, let_in
from companion.table.asking.idle import awake, only_wakes, tick
from companion.table.asking.manual_entry import count_to, enter_roll, fault, motion_changed
from companion.table.asking.menu import join_game, pause
from companion.table.asking.sound import set_sound
from companion.table.buttons.buttons import choose, press, presses_said
from companion.table.buttons.modes import Mode, mode, situation_of
from companion.table.buttons.next_step import next_step
from companion.table.buttons.prompt import prompt
from companion.table.lobby.evening import close_evening, reopen_evening
from companion.table.lobby.lobby import begin_game, edit_lobby, next_match, own_rules_read, start_draft
from companion.table.lobby.next_starter import choose_next_starter
from companion.table.lobby.resume import resume, under_way
from companion.table.lobby.tournament import end_tournament, leave_tournament
from companion.table.state import inputs
from companion.table.state.acts import Step, question_cue, say
from companion.table.state.cues import Cue, CueKind
from companion.table.state.questions import AreYouSure
from companion.table.state.state import TableState
from companion.table.state.text import in_plain_words
from companion.table.throws.bot_turn import bot_banks, bot_chooses, seat_bots
from companion.table.throws.throws import settled
from companion.words import message
from farkle.errors import FarkleError

EXPLAINED = frozenset({Mode.MENU, Mode.ADJUST, Mode.ASKING, Mode.LOBBY, Mode.COUNTING})
"""The modes in which the voice says what the buttons do, once they begin."""

UNATTENDED = (
    inputs.Tick
    | inputs.Fault
    | inputs.Located
    | inputs.SwitchFound
    | inputs.DoorChanged
    | inputs.PhoneLetIn
    | inputs.PhonesSeated
    | inputs.BotKindsKnown
)
"""Inputs that nobody gives, and that do not wake an idle table."""


def step(state: TableState, given: inputs.Input, now: float) -> Step:
    """Take one input at time `now` (monotonic seconds).

    Raises:
        RefusedError: if the input is not allowed; nothing has changed.
    """
    if isinstance(given, inputs.Press | inputs.Pause) and only_wakes(state):
        return Step(awake(state, now))
    try:
        made = _with_presses(state, _with_choice(_step(state, given, now)))
        _check_presence(state, given, made)
    except FarkleError as error:
        spoken = None if error.code else message("refused.cannot_play")
        raise RefusedError(in_plain_words(error), spoken) from error
    if made.events:
        made = replace(made, state=replace(made.state, by=given.by))
    asked = made.state.question
    if isinstance(asked, AreYouSure) and asked is not state.question and not asked.by:
        made = replace(made, state=replace(made.state, question=replace(asked, by=given.by)))
    if isinstance(given, UNATTENDED) and state.active_s is not None:
        return made
    return replace(made, state=awake(made.state, now))


def with_open_choice(state: TableState) -> TableState:
    """Return a restored table that asks again about the choice that its newest act leaves open."""
    return replace(state, question=choice_question(state))


def _with_choice(made: Step) -> Step:
    """Return the step with the question about the choice that its act leaves open, unless another question is open."""
    if not made.events or made.state.question is not None:
        return made
    after = with_open_choice(made.state)
    if after.question is None:
        return made
    return replace(made, state=after, cues=(*made.cues, question_cue(after.question)))


def _with_presses(before: TableState, made: Step) -> Step:
    """Return the step with a cue that says what each button does, if that is new since the state before."""
    after = made.state
    if _buttons_for(after) == _buttons_for(before) or mode(after) not in EXPLAINED:
        return made
    return replace(made, cues=(*made.cues, Cue(CueKind.PRESSES, presses_said(situation_of(after)))))


def _buttons_for(state: TableState) -> tuple[object, ...]:
    return mode(state), type(state.question), state.menu and state.menu.kind


def _step(state: TableState, given: inputs.Input, now: float) -> Step:
    match given:
        case inputs.Press():
            return press(state, given, now)
        case inputs.ReadingSettled(observation=observation, source=source):
            return settled(state, observation, source, now)
        case inputs.MotionReported(motion=motion):
            return motion_changed(state, motion, now)
        case inputs.TrayFoundAgain():
            return Step(state, cues=(Cue(CueKind.BUMPED),))
        case inputs.Fault():
            return fault(state, given, now)
        case inputs.Pause():
            return pause(state, given.origin)
        case inputs.Started(real_buttons=real_buttons, lets_in=lets_in):
            return _started(replace(state, real_buttons=real_buttons, lets_in=lets_in))
        case inputs.DoorChanged():
            return door_changed(state, given)
        case inputs.OpenDoor():
            return let_in(state)
        case inputs.PhonesSeated(seats=seats):
            return Step(replace(state, seats=seats))
        case inputs.PhoneLetIn(name=name):
            return say(state, message("said.phone_in", name=name))
        case inputs.Located(address=address, network_address=network_address):
            return Step(replace(state, address=address, network_address=network_address))
        case inputs.SwitchFound():
            return Step(replace(state, switches_off=True))
        case inputs.EnterRoll(faces=faces):
            return enter_roll(state, faces, now)
        case inputs.CountPoints(points=points):
            return count_to(state, points, now)
        case inputs.JoinGame(name=name):
            return join_game(state, name, now)
        case inputs.SetSound():
            return set_sound(state, given)
        case inputs.NewGame():
            return begin_game(state, given, now)
        case inputs.EditLobby():
            edited = edit_lobby(state, given)
            return start_draft(edited.state, now) if given.begin else edited
        case inputs.OwnRulesRead():
            return own_rules_read(state, given)
        case inputs.ChooseNextStarter(begins=begins):
            return choose_next_starter(state, begins)
        case inputs.CloseEvening(after=after):
            return close_evening(state, after)
        case inputs.ReopenEvening():
            return reopen_evening(state)
        case inputs.NextMatch():
            return next_match(state, now)
        case inputs.LeaveTournament(player=player):
            return leave_tournament(state, player)
        case inputs.EndTournament(ended=ended):
            return end_tournament(state, ended=ended)
        case inputs.ResumeGame():
            return resume(state, given, now)
        case inputs.ChooseSelection(dice=dice, points=points):
            return choose(state, dice, points, now)
        case inputs.BotChoice():
            return bot_chooses(state, given, now)
        case inputs.BotBank():
            return bot_banks(state, now)
        case inputs.SeatBots():
            return seat_bots(state, now)
        case inputs.BotKindsKnown(kinds=kinds):
            return Step(replace(state, bots=kinds))
        case inputs.CorrectRoll(faces=faces):
            return correct(state, faces, now)
        case inputs.Undo():
            return step_back(state, now)
        case inputs.Answer(answer=given_answer):
            return answer(state, given_answer, now)
        case inputs.Attended():
            return Step(state)
        case inputs.Tick():
            return tick(state, now)
        case _:
            raise TypeError(f"expected an input, got {given!r}")


def _check_presence(state: TableState, given: inputs.Input, made: Step) -> None:
    """Check that somebody who stands at the table confirms that it is switched off.

    A table with real buttons asks for one of them; another table asks for its own machine.

    Raises:
        RefusedError: if the input comes from elsewhere.
    """
    if CueKind.POWER_OFF not in [cue.kind for cue in made.cues]:
        return
    origin = getattr(given, "origin", inputs.Origin.NETWORK)
    if origin is inputs.Origin.TABLE:
        return
    if state.real_buttons:
        raise RefusedError(message("refused.press_at_table"))
    if origin is not inputs.Origin.MACHINE:
        raise RefusedError(message("refused.only_this_machine"))


def _started(state: TableState) -> Step:
    """Say how a game under way stands, such as "Ann, 9 at risk, four dice", or what the lobby offers."""
    game = state.game
    if game is None:
        if state.question is not None:  # it has just been asked
            return Step(state)
        at = situation_of(state)
        said = prompt(at, next_step(at)).spoken
        return Step(state, cues=(Cue(CueKind.RESUMED, said), Cue(CueKind.PRESSES, presses_said(at))))
    if game.over:
        return Step(state)
    return Step(state, cues=(Cue(CueKind.RESUMED, under_way(game)),))
