"""The items of the pause menu that lose something: what the table asks before it does one of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.table.lobby.lobby import play_again
from companion.table.state.acts import Step, act, ask, say
from companion.table.state.cues import CueKind
from companion.table.state.questions import are_you_sure
from companion.table.state.state import TableState
from companion.table.state.text import standing
from companion.words import Message, message, words
from farkle.game.commands import Command, End, Leave
from farkle.game.machine import decide
from farkle.game.state import GameState


@dataclass(frozen=True)
class Loss:
    """An item that loses something: what the table asks first, the answer that does it, and what that does.

    Each function gets the player whom the item is about; for most items that means nothing.
    """

    asks: Callable[[GameState | None, int], Message]
    answer: Callable[[GameState | None, int], str]
    do: Callable[[TableState, int, float], Step]


def doing(command: Command) -> Callable[[TableState, float], Step]:
    """Return the function that adds the act of a command."""
    return lambda state, now: act(state, decide(state.current.game, command), now)


def ask_first(state: TableState, item: str, player: int = 0) -> Step:
    """Ask whether to do an item that loses something."""
    loss = LOSSES[item]
    asks, answer = loss.asks(state.game, player), loss.answer(state.game, player)
    return ask(state, are_you_sure(item, asks, answer, player=player, covered=state.question))


def _with_scores(key: str) -> Callable[[GameState | None, int], Message]:
    return lambda game, _: message(key, scores="" if game is None else standing(game))


def _says(key: str) -> Callable[[GameState | None, int], str]:
    return lambda game, _: words(key)  # noqa: ARG005


def _score_of(game: GameState | None, player: int) -> int:
    return 0 if game is None else game.sides[game.side_of(player)].score


def _name_of(game: GameState | None, player: int) -> str:
    return "" if game is None else game.players[player]


LOSSES: Mapping[str, Loss] = {
    "end game": Loss(
        _with_scores("question.end_game"), _says("answer.end_game"), lambda state, _, now: doing(End())(state, now)
    ),
    "rematch": Loss(
        _with_scores("question.rematch"), _says("answer.start_again"), lambda state, _, now: play_again(state, now)
    ),
    "leave": Loss(
        lambda game, player: message("question.leave", name=_name_of(game, player), score=_score_of(game, player)),
        lambda game, player: words("answer.leaves", name=_name_of(game, player)),
        lambda state, player, now: doing(Leave(player))(state, now),
    ),
    "power off": Loss(
        lambda game, _: message("question.power_off"),  # noqa: ARG005
        _says("answer.power_off"),
        lambda state, _, now: say(state, words("said.good_night"), CueKind.POWER_OFF),  # noqa: ARG005
    ),
}
"""The items that lose something, and are asked about first."""
