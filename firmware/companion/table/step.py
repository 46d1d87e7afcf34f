"""The table's state machine: `step(state, given, now)` says what an input means, and what must be journalled.

Pure: the host gives the time, writes the events of the act, and only then adopts the new state. An input that is not
allowed raises `RefusedError` and changes nothing.
"""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.asking import answers, house, idle, items, manual_entry, menu
from companion.table.buttons import buttons
from companion.table.buttons.modes import Mode, mode, situation_of
from companion.table.buttons.prompt import prompt
from companion.table.feature import features_of
from companion.table.lobby import evening, lobby
from companion.table.state import inputs
from companion.table.state.acts import Handler, Handlers, Step, ask
from companion.table.state.cues import Cue, CueKind
from companion.table.state.questions import AreYouSure
from companion.table.state.state import TableState
from companion.table.state.text import in_plain_words
from companion.table.throws import bot_turn, throws
from companion.words import message
from farkle.errors import FarkleError

EXPLAINED = frozenset({Mode.MENU, Mode.ADJUST, Mode.ASKING, Mode.LOBBY, Mode.COUNTING})
"""The modes in which the voice says what the buttons do, once they begin."""

_ROOMS = (answers, bot_turn, buttons, house, evening, idle, items, lobby, manual_entry, menu, throws)

HANDLERS: Handlers = {
    **{kind: handler for room in _ROOMS for kind, handler in room.HANDLERS.items()},
    inputs.Started: lambda state, given, _: _started(state, given),
    inputs.TrayFoundAgain: lambda state, _given, _now: Step(state, cues=(Cue(CueKind.BUMPED),)),
}
"""What each type of input does; the inputs of features are theirs."""


def step(state: TableState, given: inputs.Input, now: float) -> Step:
    """Take one input at time `now` (monotonic seconds).

    Raises:
        RefusedError: if the input is not allowed; nothing has changed.
    """
    if isinstance(given, inputs.Press | inputs.Pause) and idle.only_wakes(state):
        return Step(idle.awake(state, now))
    try:
        made = _with_presses(state, _with_choice(_taken(state, given, now)))
        _check_presence(state, given, made)
    except FarkleError as error:
        spoken = None if error.code else message("refused.cannot_play")
        raise RefusedError(in_plain_words(error), spoken) from error
    if made.events:
        made = replace(made, state=replace(made.state, by=given.by))
    asked = made.state.question
    if isinstance(asked, AreYouSure) and asked is not state.question and not asked.by:
        made = replace(made, state=replace(made.state, question=replace(asked, by=given.by)))
    if not given.attended and state.active_s is not None:
        return made
    return replace(made, state=idle.awake(made.state, now))


def _taken(state: TableState, given: inputs.Input, now: float) -> Step:
    """Take an input; if it chose an entry of a menu or an answer, take the input which that gives, too."""
    handler = HANDLERS.get(type(given)) or _of_feature(state, given)
    made = handler(state, given, now)
    return made if made.then is None else _taken(made.state, made.then, now)


def _of_feature(state: TableState, given: inputs.Input) -> Handler:
    """Return the handler of a feature's input.

    Raises:
        RefusedError: if the table does not have the feature.
    """
    for feature in features_of(state):
        if type(given) in feature.handlers:
            return feature.handlers[type(given)]
    raise RefusedError(message("refused.no_feature"))


def with_open_choice(state: TableState) -> TableState:
    """Return a restored table that asks again about the choice that its newest act leaves open."""
    return replace(state, question=answers.choice_question(state))


def _with_choice(made: Step) -> Step:
    """Return the step with the question about the choice that its act leaves open, unless another question is open."""
    if not made.events or made.state.question is not None:
        return made
    question = answers.choice_question(made.state)
    return made if question is None else made.followed_by(ask(made.state, question))


def _with_presses(before: TableState, made: Step) -> Step:
    """Return the step with a cue that says what each button does, if that is new since the state before."""
    after = made.state
    if _buttons_for(after) == _buttons_for(before) or mode(after) not in EXPLAINED:
        return made
    return replace(made, cues=(*made.cues, Cue(CueKind.PRESSES, buttons.presses_said(situation_of(after)))))


def _buttons_for(state: TableState) -> tuple[object, ...]:
    return mode(state), type(state.question), state.menu and state.menu.kind


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


def _started(before: TableState, given: inputs.Started) -> Step:
    """Say how a game under way stands, such as "Ann, 9 at risk, four dice", or what the lobby offers."""
    state = replace(before, real_buttons=given.real_buttons, lets_in=given.lets_in)
    game = state.game
    if game is None:
        if state.question is not None:  # it has just been asked
            return Step(state)
        at = situation_of(state)
        return Step(
            state, cues=(Cue(CueKind.RESUMED, prompt(at).spoken), Cue(CueKind.PRESSES, buttons.presses_said(at)))
        )
    if game.over:
        return Step(state)
    return Step(state, cues=(Cue(CueKind.RESUMED, evening.under_way(game)),))
