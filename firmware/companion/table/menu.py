"""The pause menu and the menus behind its items: ROLL moves on, BANK does the item, KEEP goes on with the game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.acts import Step, act, ask, say
from companion.table.cues import Cue, CueKind
from companion.table.draft import free_name
from companion.table.events import Undone
from companion.table.manual_entry import count_by_hand, points_a_step, see_again
from companion.table.questions import rematch
from companion.table.state import ManualEntry, Menu, TableState
from companion.table.throws import with_throw_seen
from farkle.errors import FarkleError
from farkle.game.commands import Adjust, Command, End, GiveTurn, Join, Leave, Roll, Skip
from farkle.game.events import DiceKept, DiceRolled, TurnBanked
from farkle.game.machine import can, course_of, decide
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase

GO_ON, DO_IT, POWER_OFF = "go on", "do it", "power off"
STEPS = {"+1": 1, "+10": 10, "-1": -1, "-10": -10}


@dataclass(frozen=True)
class Item:
    """One item of the pause menu: whether it is offered now, and what it does."""

    offered: Callable[[TableState], bool]
    do: Callable[[TableState, float], Step]


@dataclass(frozen=True)
class MenuKind:
    """One kind of menu: the words before its present item, and what an item does; the menu is closed before."""

    title: str
    do: Callable[[TableState, Menu, str, float], Step]


def pause(state: TableState) -> Step:
    """Open the pause menu, or close it."""
    if state.menu is not None:
        return close(state)
    items = tuple(word for word, item in ITEMS.items() if item.offered(state))
    return _open(state, Menu("pause", (GO_ON, *items)))


def close(state: TableState) -> Step:
    """Close the menu and do nothing."""
    return Step(replace(state, menu=None))


def menu_text(state: TableState, menu: Menu) -> tuple[str, str]:
    """Return what an open menu says, and its short form."""
    item = menu.items[menu.place]
    match menu.kind:
        case "adjust":
            name = side_name(state.current.game, menu.side)
            return f"{name}: {menu.amount}? KEEP more, ROLL less, held by ten, BANK does it.", f"{name} {menu.amount}?"
        case "sure":
            return f"Switch off? ROLL: {menu.items[1 - menu.place]}, BANK: {item}.", "switch off?"
        case "pause":
            return f"Pause: {item}. ROLL next, BANK does it, KEEP goes on.", item
        case kind:
            return f"{MENUS[kind].title} {item}? ROLL next, BANK does it, KEEP goes on.", f"{item}?"


def next_item(state: TableState, menu: Menu) -> Step:
    """Move on to the next item; after the last comes the first."""
    menu = replace(menu, place=(menu.place + 1) % len(menu.items))
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, f"{menu.items[menu.place]}?"),))


def do_item(state: TableState, menu: Menu, now: float) -> Step:
    """Do the present item of the menu."""
    return choose_item(state, menu, DO_IT if menu.kind == "adjust" else menu.items[menu.place], now)


def change_amount(state: TableState, menu: Menu, by: str) -> Step:
    """Change the score that is being adjusted by one of `STEPS`."""
    menu = _adjustment(state, menu.side, menu.amount + STEPS[by] * points_a_step(state))
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, menu_text(state, menu)[1]),))


def choose_item(state: TableState, menu: Menu, item: str, now: float) -> Step:
    """Do one item of the open menu, word for word.

    Raises:
        RefusedError: if the menu has no such item, or the rules refuse it.
    """
    if item not in menu.items:
        raise RefusedError(f"expected one of {', '.join(map(repr, menu.items))}, got {item!r}")
    closed = replace(state, menu=None)
    return Step(closed) if item == GO_ON else MENUS[menu.kind].do(closed, menu, item, now)


def _open(state: TableState, menu: Menu) -> Step:
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, menu_text(state, menu)[0]),))


def _pause_item(state: TableState, menu: Menu, item: str, now: float) -> Step:  # noqa: ARG001
    if item not in ITEMS:
        raise _unknown(item)
    return ITEMS[item].do(state, now)


def _unknown(item: str) -> RefusedError:
    """Return the refusal of an item that does nothing: no item is what remains when all others are excluded."""
    return RefusedError(f"{item}: this does nothing here")


def _place(names: Sequence[str], item: str) -> int:
    if item not in names:
        raise _unknown(item)
    return names.index(item)


def _adjustment(state: TableState, side: int, amount: int) -> Menu:
    may = (DO_IT,) if can(state.current.game, Adjust(side, amount)) else ()
    return Menu("adjust", (*STEPS, *may, GO_ON), side=side, amount=amount)


def _adjust(state: TableState, menu: Menu, item: str, now: float) -> Step:
    if item in STEPS:
        return change_amount(state, menu, item)
    if item != DO_IT:
        raise _unknown(item)
    return _command(Adjust(menu.side, menu.amount))(state, now)


def _adjust_score_of(state: TableState, menu: Menu, item: str, now: float) -> Step:  # noqa: ARG001
    game = state.current.game
    side = _place([side_name(game, side) for side in range(len(game.sides))], item)
    return _open(state, _adjustment(state, side, game.sides[side].score))


def _leave(state: TableState, menu: Menu, item: str, now: float) -> Step:  # noqa: ARG001
    return _command(Leave(_place(state.current.game.players, item)))(state, now)


def _power_off(state: TableState, menu: Menu, item: str, now: float) -> Step:  # noqa: ARG001
    if item != POWER_OFF:
        raise _unknown(item)
    return say(state, "Good night.", CueKind.POWER_OFF)


def _give_throw(state: TableState, menu: Menu, item: str, now: float) -> Step:  # noqa: ARG001
    """Give the last throw to a player, or the next one if no throw is to be given.

    Raises:
        RefusedError: if the rules refuse it.
    """
    before = _game_before_throw(state)
    player = _place(before.players, item)
    last = state.current.newest
    faces = next((event.faces for event in last.events if isinstance(event, DiceRolled)), None)
    if faces is None:
        return _command(GiveTurn(player))(state, now)
    try:
        events = course_of(before, GiveTurn(player), Roll(faces)).events
    except FarkleError as error:
        raise RefusedError(str(error)) from error
    return act(state, (Undone(last.number), *with_throw_seen(state, events)), now)


MENUS: Mapping[str, MenuKind] = {
    "pause": MenuKind("Pause:", _pause_item),
    "adjust": MenuKind("", _adjust),
    "whose score": MenuKind("Whose score:", _adjust_score_of),
    "give to": MenuKind("Whose throw:", _give_throw),
    "leaves": MenuKind("Who leaves:", _leave),
    "sure": MenuKind("Switch off?", _power_off),
}
"""Each kind of menu."""


def _command(command: Command) -> Callable[[TableState, float], Step]:
    return lambda state, now: act(state, decide(state.current.game, command), now)


def _may(asked: Callable[[GameState], bool]) -> Callable[[TableState], bool]:
    return lambda state: state.under_way and asked(state.current.game)


def _list(kind: str, names: Callable[[TableState], tuple[str, ...]]) -> Item:
    """Return the item that opens a menu of names; it is offered while there are any."""
    return Item(
        lambda state: state.under_way and bool(names(state)),
        lambda state, now: _open(state, Menu(kind, names(state))),  # noqa: ARG005
    )


def _game_before_throw(state: TableState) -> GameState:
    """Return the game before its last throw if that began a turn, else the game as it is."""
    play = state.current
    last = play.newest
    began = last.rolls and not any(isinstance(event, DiceKept | TurnBanked) for event in last.events)
    return play.history[-2].game if began else play.game


def _may_own_throw(state: TableState) -> tuple[str, ...]:
    """Return the players to whom the last throw may be given."""
    before = _game_before_throw(state)
    return tuple(name for player, name in enumerate(before.players) if can(before, GiveTurn(player)))


def _may_leave(state: TableState) -> tuple[str, ...]:
    game = state.current.game
    return tuple(name for player, name in enumerate(game.players) if can(game, Leave(player)))


def _adjustable(state: TableState) -> tuple[str, ...]:
    game = state.current.game
    if game.phase is not Phase.TO_THROW or game.turn.begun:
        return ()
    return tuple(side_name(game, index) for index, side in enumerate(game.sides) if not side.out)


def _newcomer(game: GameState) -> Join:
    return Join(free_name(len(game.players) + 1, {name.casefold() for name in game.players}))


def _self_test(state: TableState, now: float) -> Step:  # noqa: ARG001 - every item is given the time
    faults = " ".join(text for _, text in state.faults)
    return say(state, f"Self-test: {faults or 'lights, buttons, sound and camera are well.'}", CueKind.SELF_TEST)


def _address(state: TableState, now: float) -> Step:  # noqa: ARG001
    return say(state, f"The page is at {state.address}." if state.address else "This table has no page.")


ITEMS: Mapping[str, Item] = {
    "count points ourselves": Item(
        lambda state: state.under_way and state.manual is ManualEntry.NO,
        lambda state, now: count_by_hand(state),  # noqa: ARG005
    ),
    "read the dice again": Item(
        lambda state: state.under_way and state.manual is not ManualEntry.NO,
        lambda state, now: see_again(state),  # noqa: ARG005
    ),
    "give this throw to another": _list("give to", _may_own_throw),
    "skip this turn": Item(
        _may(lambda game: can(game, Skip(game.to_move)) and len(game.playing()) > 1),
        lambda state, now: _command(Skip(state.current.game.to_move))(state, now),
    ),
    "a player joins": Item(
        _may(lambda game: can(game, _newcomer(game))),
        lambda state, now: _command(_newcomer(state.current.game))(state, now),
    ),
    "a player leaves": _list("leaves", _may_leave),
    "adjust a score": _list("whose score", _adjustable),
    "rematch": Item(
        lambda state: state.play is not None,
        lambda state, now: ask(state, rematch()),  # noqa: ARG005
    ),
    "end game": Item(lambda state: state.under_way, _command(End())),
    "self-test": Item(lambda _: True, _self_test),
    "network address": Item(lambda _: True, _address),
    POWER_OFF: Item(
        lambda _: True,
        lambda state, now: _open(state, Menu("sure", (GO_ON, POWER_OFF))),  # noqa: ARG005
    ),
}
"""What the pause menu offers, in this order."""
