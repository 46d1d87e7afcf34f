"""The items of the pause menu that lose something: what the table asks before it does one of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from companion.table.lobby.lobby import play_again
from companion.table.state.acts import GivenAnswer, Handlers, Step, act, ask, say
from companion.table.state.cues import CueKind
from companion.table.state.inputs import SwitchFound
from companion.table.state.questions import AreYouSure, Question, answer_option, are_you_sure
from companion.table.state.state import Menu, TableState
from companion.table.state.text import standing
from companion.words import message
from farkle.game.commands import Command, End, Leave
from farkle.game.machine import decide
from farkle.game.state import GameState


@dataclass(frozen=True)
class Loss:
    """An item that loses something: what the table asks first, the name of the answer that does it, and what that does.

    `fields` are the fields of the question and of the answer, from the game and the player whom the item is about.
    `words` is the key of the answer's words if it is not the answer's name.
    """

    asks: str
    answer: str
    fields: Callable[[GameState | None, int], dict[str, object]]
    do: Callable[[GivenAnswer[AreYouSure]], Step]
    words: str = ""


def carry_out(given: GivenAnswer[Question | Menu], command: Command) -> Step:
    """Add the act of a command."""
    return act(given.state, decide(given.state.current.game, command), given.now)


def ask_first(state: TableState, item: str, player: int = 0) -> Step:
    """Ask whether to do an item that loses something."""
    loss = LOSSES[item]
    fields = loss.fields(state.game, player)
    asks, answer = message(loss.asks, **fields), answer_option(loss.answer, loss.words, **fields)
    return ask(state, are_you_sure(item, asks, answer, player=player, covered=state.question))


def _scores(game: GameState | None, _: int) -> dict[str, object]:
    return {"scores": "" if game is None else standing(game)}


def _player(game: GameState | None, player: int) -> dict[str, object]:
    if game is None:
        return {"name": "", "score": 0}
    return {"name": game.players[player], "score": game.sides[game.side_of(player)].score}


def _nothing(*_: object) -> dict[str, object]:
    return {}


def _good_night(given: GivenAnswer[AreYouSure]) -> Step:
    return say(given.state, message("said.good_night"), CueKind.POWER_OFF)


def _forget_phones(given: GivenAnswer[AreYouSure]) -> Step:
    return say(given.state, message("said.no_phones"), CueKind.FORGET_PHONES)


LOSSES: Mapping[str, Loss] = {
    "end game": Loss("question.end_game", "end_game", _scores, lambda given: carry_out(given, End())),
    "rematch": Loss("question.rematch", "start_again", _scores, lambda given: play_again(given.state, given.now)),
    "leave": Loss("question.leave", "leaves", _player, lambda given: carry_out(given, Leave(given.question.player))),
    "forget phones": Loss("question.forget_phones", "forget_phones", _nothing, _forget_phones),
    "power off": Loss("question.power_off", "power_off", _nothing, _good_night),
    "end table": Loss("question.end_table", "power_off", _nothing, _good_night, "end_table"),
}
"""The items that lose something, and are asked about first."""


HANDLERS: Handlers = {
    SwitchFound: lambda state, _given, _now: Step(replace(state, switches_off=True)),
}
