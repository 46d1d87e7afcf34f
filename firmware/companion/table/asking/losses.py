"""The inputs that lose something: what the table asks before it takes one of them, and what they do."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.table.lobby.lobby import play_again
from companion.table.state.acts import Handlers, Step, ask, carry_out, say
from companion.table.state.cues import CueKind
from companion.table.state.inputs import Input, SwitchFound
from companion.table.state.menus import Confirm, EndGame, ForgetPhones, LeaveGame, StartAgain, SwitchOff
from companion.table.state.questions import Option, answer_option, are_you_sure
from companion.table.state.state import TableState
from companion.table.state.text import standing
from companion.words import Message, message
from farkle.game.commands import End, Leave

Asked = tuple[Message, Option]
"""What the table asks, and the answer that does it."""


def _asks(question: str, answer: str, words: str = "", /, **fields: object) -> Asked:
    return message(question, **fields), answer_option(answer, words, **fields)


def _scores(state: TableState) -> str | Message:
    return "" if state.game is None else standing(state.game)


def _leaves(state: TableState, given: LeaveGame) -> Asked:
    game = state.current.game
    score = game.sides[game.side_of(given.player)].score
    return _asks("question.leave", "leaves", name=game.players[given.player], score=score)


LOSSES: Mapping[type[Input], Callable[[TableState, Any], Asked]] = {
    EndGame: lambda state, _: _asks("question.end_game", "end_game", scores=_scores(state)),
    StartAgain: lambda state, _: _asks("question.rematch", "start_again", scores=_scores(state)),
    LeaveGame: _leaves,
    ForgetPhones: lambda _state, _given: _asks("question.forget_phones", "forget_phones"),
    SwitchOff: lambda state, _: (
        _asks("question.power_off", "power_off")
        if state.switches_off
        else _asks("question.end_table", "power_off", "end_table")
    ),
}
"""What is asked before each."""


def _confirm(state: TableState, given: Confirm, _now: float) -> Step:
    asks, answer = LOSSES[type(given.wanted)](state, given.wanted)
    return ask(state, are_you_sure(given.wanted, asks, answer, state.question))


HANDLERS: Handlers = {
    Confirm: _confirm,
    EndGame: lambda state, _, now: carry_out(state, End(), now),
    StartAgain: lambda state, _, now: play_again(state, now),
    LeaveGame: lambda state, given, now: carry_out(state, Leave(given.player), now),
    ForgetPhones: lambda state, _given, _now: say(state, message("said.no_phones"), CueKind.FORGET_PHONES),
    SwitchOff: lambda state, _given, _now: say(state, message("said.good_night"), CueKind.POWER_OFF),
    SwitchFound: lambda state, _given, _now: Step(replace(state, switches_off=True)),
}
