"""The pause menu: ROLL next item, BANK do it, KEEP go on; and the lists of names and the score behind some items."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.acts import Step, act
from companion.table.asking import ask, say
from companion.table.cues import Cue, CueKind
from companion.table.events import Undone
from companion.table.history import game_of
from companion.table.lobby import SEATS, rematch_question
from companion.table.manual_entry import count_by_hand, see_again, step_of
from companion.table.state import ByHand, Menu, TableState
from companion.table.throws import seen_events
from farkle.errors import FarkleError
from farkle.game.commands import Adjust, Command, End, GiveTurn, Join, Leave, Roll, Skip
from farkle.game.events import DiceKept, DiceRolled, TurnBanked
from farkle.game.machine import can, course_of, decide
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase

GO_ON, DO_IT = "go on", "do it"
STEPS = {"+1": 1, "+10": 10, "-1": -1, "-10": -10}


@dataclass(frozen=True)
class Item:
    """One item of the pause menu: whether it is offered now, and what it does."""

    offered: Callable[[TableState], bool]
    do: Callable[[TableState, float], Step]


def pause(state: TableState) -> Step:
    """Open the pause menu, or close it."""
    if state.menu is not None:
        return closed(state)
    items = tuple(word for word, item in ITEMS.items() if item.offered(state))
    return _opened(state, Menu("pause", (GO_ON, *items)))


def closed(state: TableState) -> Step:
    """The menu is closed and nothing is done."""
    return Step(replace(state, menu=None))


def text_of(state: TableState) -> tuple[str, str]:
    """What an open menu says, and its short form."""
    menu = state.menu
    assert menu is not None
    item = menu.answers[menu.place]
    match menu.kind:
        case "adjust":
            name = _side(state, menu.side)
            return f"{name}: {menu.amount}? KEEP more, ROLL less, held by ten, BANK does it.", f"{name} {menu.amount}?"
        case "sure":
            return f"Switch off? ROLL: {menu.answers[1 - menu.place]}, BANK: {item}.", "switch off?"
        case "pause":
            return f"Pause: {item}. ROLL next, BANK does it, KEEP goes on.", item
        case kind:
            return f"{_TITLES[kind]} {item}? ROLL next, BANK does it, KEEP goes on.", f"{item}?"


def next_item(state: TableState) -> Step:
    """The next item, and after the last the first."""
    assert state.menu is not None
    menu = replace(state.menu, place=(state.menu.place + 1) % len(state.menu.answers))
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, f"{menu.answers[menu.place]}?"),))


def do_item(state: TableState, now: float) -> Step:
    """Do the item at which the menu stands."""
    assert state.menu is not None
    return chosen(state, DO_IT if state.menu.kind == "adjust" else state.menu.answers[state.menu.place], now)


def changed(state: TableState, by: str) -> Step:
    """Another amount of the score that is being adjusted."""
    assert state.menu is not None
    made = _adjusting(state, state.menu.side, state.menu.amount + STEPS[by] * step_of(state))
    return replace(made, cues=(Cue(CueKind.QUESTION, text_of(made.state)[1]),))


def chosen(state: TableState, answer: str, now: float) -> Step:
    """Do one of the open menu's items, word for word; raises `RefusedError` where it is none or may not be."""
    menu = state.menu
    assert menu is not None
    if answer not in menu.answers:
        raise RefusedError(f"expected one of {', '.join(map(repr, menu.answers))}, got {answer!r}")
    shut = replace(state, menu=None)
    if answer == GO_ON:
        return Step(shut)
    match menu.kind:
        case "pause":
            return ITEMS[answer].do(shut, now)
        case "adjust" if answer in STEPS:
            return changed(state, answer)
        case "adjust":
            return _acts(shut, Adjust(menu.side, menu.amount), now)
        case "whose score":
            assert state.game is not None
            names = [side_name(state.game, side) for side in range(len(state.game.sides))]
            side = names.index(answer)
            score = state.game.sides[side].score
            return _adjusting(state, side, score)
        case "give to":
            return _given(shut, _player(state, answer), now)
        case "leaves":
            return _acts(shut, Leave(_player(state, answer)), now)
        case _:
            return Step(replace(shut, said="Good night."), cues=(Cue(CueKind.POWER_OFF, "Good night."),))


_TITLES = {"give to": "Whose throw:", "leaves": "Who leaves:", "whose score": "Whose score:"}


def _opened(state: TableState, menu: Menu) -> Step:
    made = replace(state, menu=menu)
    return Step(made, cues=(Cue(CueKind.QUESTION, text_of(made)[0]),))


def _adjusting(state: TableState, side: int, amount: int) -> Step:
    assert state.game is not None
    may = (DO_IT,) if can(state.game, Adjust(side, amount)) else ()
    return _opened(state, Menu("adjust", (*STEPS, *may, GO_ON), side=side, amount=amount))


def _side(state: TableState, side: int) -> str:
    assert state.game is not None
    return side_name(state.game, side)


def _player(state: TableState, name: str) -> int:
    assert state.game is not None
    return state.game.players.index(name)


def _acts(state: TableState, command: Command, now: float) -> Step:
    assert state.game is not None
    return act(state, decide(state.game, command), now)


def _playing(state: TableState) -> bool:
    return state.game is not None and not state.game.over and not state.in_lobby


def _may(asked: Callable[[GameState], bool]) -> Callable[[TableState], bool]:
    return lambda state: _playing(state) and state.game is not None and asked(state.game)


def _ending(state: TableState, now: float) -> Step:
    return _acts(state, End(), now)


def _before_throw(state: TableState) -> GameState | None:
    """The game before its last throw, where that was the first of a turn; as it is where a throw is awaited."""
    game = state.game
    if game is None:
        return None
    last = state.effective[-1]
    alone = last.rolls and not any(isinstance(event, DiceKept | TurnBanked) for event in last.events)
    if alone:
        return game_of(state.effective[:-1])
    return game if game.phase is Phase.TO_THROW else None


def _owners(state: TableState) -> tuple[str, ...]:
    """Whose throw the last one might be."""
    before = _before_throw(state)
    if before is None:
        return ()
    return tuple(name for player, name in enumerate(before.players) if can(before, GiveTurn(player)))


def _given(state: TableState, player: int, now: float) -> Step:
    """The last throw, or the next where none lies there, is this player's."""
    before = _before_throw(state)
    assert before is not None
    last = state.effective[-1]
    faces = next((event.faces for event in last.events if isinstance(event, DiceRolled)), None)
    if faces is None:
        return _acts(state, GiveTurn(player), now)
    try:
        events = course_of(before, GiveTurn(player), Roll(faces)).events
    except FarkleError as error:
        raise RefusedError(str(error)) from error
    return act(state, (Undone(last.number), *seen_events(state, events)), now)


def _newcomer(game: GameState) -> Join:
    taken = {name.casefold() for name in game.players}
    return Join(next((name for name in SEATS if name.casefold() not in taken), f"Player {len(taken) + 1}"))


def _joining(state: TableState, now: float) -> Step:
    assert state.game is not None
    return _acts(state, _newcomer(state.game), now)


def _skipping(state: TableState, now: float) -> Step:
    assert state.game is not None
    return _acts(state, Skip(state.game.to_move), now)


def _self_test(state: TableState, now: float) -> Step:  # noqa: ARG001 - every item is given the time
    faults = " ".join(text for _, text in state.faults)
    return say(state, f"Self-test: {faults or 'lights, buttons, sound and camera are well.'}", CueKind.SELF_TEST)


def _address(state: TableState, now: float) -> Step:  # noqa: ARG001
    return say(state, f"The page is at {state.address}." if state.address else "This table has no page.")


def _list(kind: str, names: Callable[[TableState], tuple[str, ...]]) -> Callable[[TableState, float], Step]:
    return lambda state, now: _opened(state, Menu(kind, names(state)))  # noqa: ARG005


def _sides(state: TableState) -> tuple[str, ...]:
    assert state.game is not None
    return tuple(side_name(state.game, index) for index, side in enumerate(state.game.sides) if not side.out)


def _leavers(state: TableState) -> tuple[str, ...]:
    assert state.game is not None
    return tuple(name for player, name in enumerate(state.game.players) if can(state.game, Leave(player)))


ITEMS: Mapping[str, Item] = {
    "count points ourselves": Item(
        lambda state: _playing(state) and state.by_hand is ByHand.NO,
        lambda state, now: count_by_hand(state),  # noqa: ARG005
    ),
    "read the dice again": Item(
        lambda state: _playing(state) and state.by_hand is not ByHand.NO,
        lambda state, now: see_again(state),  # noqa: ARG005
    ),
    "give this throw to another": Item(
        lambda state: _playing(state) and bool(_owners(state)), _list("give to", _owners)
    ),
    "skip this turn": Item(_may(lambda game: can(game, Skip(game.to_move)) and len(game.playing()) > 1), _skipping),
    "a player joins": Item(_may(lambda game: can(game, _newcomer(game))), _joining),
    "a player leaves": Item(lambda state: _playing(state) and bool(_leavers(state)), _list("leaves", _leavers)),
    "adjust a score": Item(
        _may(lambda game: game.phase is Phase.TO_THROW and not game.turn.begun), _list("whose score", _sides)
    ),
    "rematch": Item(
        lambda state: state.game is not None,
        lambda state, now: ask(state, rematch_question()),  # noqa: ARG005
    ),
    "end game": Item(_playing, _ending),
    "self-test": Item(lambda _: True, _self_test),
    "network address": Item(lambda _: True, _address),
    "power off": Item(
        lambda _: True,
        lambda state, now: _opened(state, Menu("sure", (GO_ON, "power off"))),  # noqa: ARG005
    ),
}
"""What the pause menu offers, in its order."""
