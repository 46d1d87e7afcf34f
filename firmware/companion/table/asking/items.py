"""The items of the pause menu: when each is offered, what the table asks before it does one, and what it does."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.errors import RefusedError
from companion.table.feature import Item
from companion.table.lobby.evening import closed_by
from companion.table.lobby.form import checked_name
from companion.table.lobby.lobby import play_again
from companion.table.state import inputs, menus
from companion.table.state.acts import Handlers, Step, act, ask, carry_out, say
from companion.table.state.bots import seated_bots
from companion.table.state.cues import CueKind
from companion.table.state.draft import free_name
from companion.table.state.events import BotSeated, StartToBeThrown, Undone
from companion.table.state.questions import GO_ON, AreYouSure, Option, answer_option
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState
from companion.table.state.text import in_plain_words, standing
from companion.table.throws.throws import with_throw_seen
from companion.words import Message, joined, message
from farkle.errors import FarkleError
from farkle.game.commands import End, GiveTurn, Join, Leave, Roll, Skip
from farkle.game.events import DiceKept, DiceRolled, TurnBanked
from farkle.game.machine import can, course_of, decide
from farkle.game.names import name_key
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase

SIX_ONES = Roll((1,) * 6)

Named = list[tuple[int, str]]
"""Players or sides, by their index and name."""


def may_own_throw(state: TableState) -> Named:
    """Return the players to whom the last throw may be given."""
    before = _game_before_throw(state)
    return [(player, name) for player, name in enumerate(before.players) if can(before, GiveTurn(player))]


def may_leave(state: TableState) -> Named:
    """Return the players who may leave the game."""
    game = state.current.game
    return [(player, name) for player, name in enumerate(game.players) if can(game, Leave(player))]


def adjustable(state: TableState) -> Named:
    """Return the sides whose scores may be adjusted."""
    game = state.current.game
    if game.phase is not Phase.TO_THROW or game.turn.begun:
        return []
    return [(index, side_name(game, index)) for index, side in enumerate(game.sides) if not side.out]


def _game_before_throw(state: TableState) -> GameState:
    """Return the game before its last throw if that began a turn, else the game as it is."""
    play = state.current
    last = play.act
    began = last.rolls and not any(isinstance(event, DiceKept | TurnBanked) for event in last.events)
    return play.history[-2].game if began else play.game


def _in_game(offered: Callable[[TableState, GameState], object], gives: Callable[[GameState], inputs.Input]) -> Item:
    """Return an item that is offered only while a game is under way."""
    return Item(
        lambda state: state.under_way and bool(offered(state, state.current.game)),
        lambda state: gives(state.current.game),
    )


def _after_game(offered: Callable[[TableState], bool], gives: inputs.Input) -> Item:
    """Return an item that is offered only after a game."""
    return Item(lambda state: state.game is not None and state.game.over and offered(state), lambda _: gives)


def _newcomer(state: TableState) -> str:
    players = state.current.game.players
    return free_name(len(players) + 1, set(map(name_key, players)), state.no_name)


def _may_throw_for_start(state: TableState, game: GameState) -> bool:
    thrown_for = state.current.start_thrower is not None
    return game.phase is Phase.TO_THROW and not game.begun and not thrown_for and len(game.playing()) > 1


def _may_enter_six_ones(state: TableState, game: GameState) -> bool:
    """Return whether players who count their points may say that they threw six 1s, which win the game."""
    counting = state.manual is ManualEntry.COUNTING
    return counting and game.rules.wins_at_once(SIX_ONES.faces) and can(game, SIX_ONES)


ITEMS: Mapping[str, Item] = {
    "count_points": _in_game(lambda state, _: state.manual is ManualEntry.NO, lambda _: menus.CountByHand()),
    "read_again": _in_game(lambda state, _: state.manual is not ManualEntry.NO, lambda _: menus.ReadAgain()),
    "six_ones": _in_game(_may_enter_six_ones, lambda _: menus.CarryOut(SIX_ONES)),
    "give_throw": _in_game(lambda state, _: may_own_throw(state), lambda _: menus.OpenMenu("give to")),
    "skip": _in_game(
        lambda _, game: can(game, Skip(game.to_move)) and len(game.playing()) > 1,
        lambda game: menus.CarryOut(Skip(game.to_move)),
    ),
    "throw_for_start": _in_game(_may_throw_for_start, lambda _: menus.ChooseThrows()),
    "join": Item(
        lambda state: state.under_way and can(state.current.game, Join(_newcomer(state))),
        lambda state: inputs.JoinGame(_newcomer(state)),
    ),
    "leave": _in_game(lambda state, _: may_leave(state), lambda _: menus.OpenMenu("leaves")),
    "adjust_score": _in_game(lambda state, _: adjustable(state), lambda _: menus.OpenMenu("whose score")),
    "rematch": Item(
        lambda state: state.play is not None,
        lambda state: menus.Confirm(menus.StartAgain()) if state.under_way else menus.AskForNext(),
    ),
    "end_game": _in_game(lambda _state, _game: True, lambda _: menus.Confirm(menus.CarryOut(End()))),
    "sound": Item(lambda state: state.sound is not None, lambda _: menus.OpenMenu("sound")),
    "self_test": Item(lambda _: True, lambda _: menus.SelfTest()),
    "let_in": Item(lambda state: state.lets_in, lambda _: inputs.OpenDoor()),
    "forget_phones": Item(lambda state: state.lets_in, lambda _: menus.Confirm(menus.ForgetPhones())),
    "address": Item(lambda _: True, lambda _: menus.SayAddress()),
    "next_starter": _after_game(lambda state: len(state.current.game.players) > 1, menus.OpenMenu("next starter")),
    "close_evening": _after_game(lambda state: closed_by(state.current) is None, inputs.CloseEvening()),
}
"""What the pause menu offers, by the name of each entry, in this order; the entries of features come after these."""

SWITCH_OFF = {
    "power_off": Item(
        lambda _: True,
        lambda _: menus.Confirm(menus.SwitchOff()),
        lambda state: "power_off" if state.switches_off else "end_table",
    )
}
"""The last entry of the pause menu."""


def asked_before(state: TableState, wanted: inputs.Input) -> tuple[Message, Option]:
    """Return what the table asks before it takes an input that loses something, and the answer that does it."""

    def asks(question: str, answer: str, words: str = "", /, **fields: object) -> tuple[Message, Option]:
        return message(question, **fields), answer_option(answer, words, **fields)

    scores = "" if state.game is None else standing(state.game)
    match wanted:
        case menus.CarryOut(command=Leave(player=player)):
            game = state.current.game
            score = game.sides[game.side_of(player)].score
            return asks("question.leave", "leaves", name=game.players[player], score=score)
        case menus.CarryOut():
            return asks("question.end_game", "end_game", scores=scores)
        case menus.StartAgain():
            return asks("question.rematch", "start_again", scores=scores)
        case menus.ForgetPhones():
            return asks("question.forget_phones", "forget_phones")
        case _ if state.switches_off:
            return asks("question.power_off", "power_off")
        case _:
            return asks("question.end_table", "power_off", "end_table")


def _confirm(state: TableState, given: menus.Confirm, _now: float) -> Step:
    asks, does = asked_before(state, given.wanted)
    return ask(state, AreYouSure(asks, (GO_ON, does), wanted=given.wanted, covered=state.question))


def give_throw(state: TableState, given: menus.GiveThrow, now: float) -> Step:
    """Give the last throw to a player, or the next turn if the newest act is not a throw.

    Raises:
        RefusedError: if the rules refuse it.
    """
    before, last, gives = _game_before_throw(state), state.current.act, GiveTurn(given.player)
    faces = next((event.faces for event in last.events if isinstance(event, DiceRolled)), None)
    if faces is None:
        return carry_out(state, gives, now)
    try:
        events = course_of(before, gives, Roll(faces)).events
    except FarkleError as error:
        raise RefusedError(in_plain_words(error)) from error
    return act(state, (Undone(last.number), *with_throw_seen(state, events)), now)


def join_game(state: TableState, given: inputs.JoinGame, now: float) -> Step:
    """Let a player of this name join the game.

    Raises:
        RefusedError: if no game is under way, nobody may join it, or the name is not allowed.
    """
    game = state.current.game
    if not state.under_way:
        raise RefusedError(message("refused.no_game"))
    bots = seated_bots((*game.players, given.name), state.bots)
    joins = decide(game, Join(checked_name(bots.players[-1].strip())))
    seated = [BotSeated(len(game.players), kind.name, kind.parameters) for kind in bots.kinds.values()]
    return act(state, (*joins, *seated), now)


def self_test(state: TableState) -> Step:
    """Say what is wrong with the table's parts."""
    faults = joined(*(text for _, text in state.faults))
    said = message("said.self_test", faults=faults) if faults else message("said.self_test_well")
    return say(state, said, CueKind.SELF_TEST)


HANDLERS: Handlers = {
    menus.CarryOut: lambda state, given, now: carry_out(state, given.command, now),
    menus.Confirm: _confirm,
    menus.GiveThrow: give_throw,
    menus.ChooseThrows: lambda state, _, now: act(state, (StartToBeThrown(),), now),
    menus.StartAgain: lambda state, _, now: play_again(state, now),
    menus.SelfTest: lambda state, _given, _now: self_test(state),
    menus.ForgetPhones: lambda state, _given, _now: say(state, message("said.no_phones"), CueKind.FORGET_PHONES),
    menus.SwitchOff: lambda state, _given, _now: say(state, message("said.good_night"), CueKind.POWER_OFF),
    inputs.SwitchFound: lambda state, _given, _now: Step(replace(state, switches_off=True)),
    inputs.JoinGame: join_game,
}
