"""The pause menu and the menus behind its items: ROLL moves on, BANK does the item, KEEP goes on with the game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.asking.address import say_address
from companion.table.asking.losses import ask_first, doing
from companion.table.asking.manual_entry import count_by_hand, points_a_step, see_again
from companion.table.asking.sound import GO_ON, change_sound, sound_items, sound_menu
from companion.table.lobby.lobby import checked_name
from companion.table.state.acts import Step, act, ask, say
from companion.table.state.cues import Cue, CueKind
from companion.table.state.draft import free_name
from companion.table.state.events import StartToBeThrown, Undone
from companion.table.state.questions import rematch
from companion.table.state.state import ManualEntry, Menu, TableState
from companion.table.throws.throws import with_throw_seen
from companion.words import CATALOGUE, Message, forms, message, words
from farkle.errors import FarkleError
from farkle.game.commands import Adjust, GiveTurn, Join, Leave, Roll, Skip
from farkle.game.events import DiceKept, DiceRolled, TurnBanked
from farkle.game.machine import can, course_of
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase

DO_IT = words("menu.do_it")
STEPS = {"+1": 1, "+10": 10, "-1": -1, "-10": -10}


@dataclass(frozen=True)
class Item:
    """One item of the pause menu: whether it is offered now, and what it does."""

    offered: Callable[[TableState], bool]
    do: Callable[[TableState, float], Step]


@dataclass(frozen=True)
class MenuKind:
    """One kind of menu: the key of its words, and what an item does; the menu is closed before."""

    key: str
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


def menu_message(state: TableState, menu: Menu) -> Message:
    """Return what an open menu says."""
    key = MENUS[menu.kind].key
    if menu.kind == "adjust":
        return message(key, name=side_name(state.current.game, menu.side), score=menu.amount)
    item = menu.items[menu.place]
    if menu.kind == "sound":
        if state.sound is None or state.sound.muted:
            return message("menu.sound_muted", item=item)
        return message(key, item=item, volume=state.sound.volume)
    return message(key, item=item, short=SHORT_ITEMS.get(item, item))


def next_item(state: TableState, menu: Menu) -> Step:
    """Move on to the next item; after the last comes the first."""
    menu = replace(menu, place=(menu.place + 1) % len(menu.items))
    said = words("said.item", item=menu.items[menu.place])
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, said),))


def do_item(state: TableState, menu: Menu, now: float) -> Step:
    """Do the present item of the menu."""
    return choose_item(state, menu, DO_IT if menu.kind == "adjust" else menu.items[menu.place], now)


def change_amount(state: TableState, menu: Menu, by: str) -> Step:
    """Change the score that is being adjusted by one of `STEPS`."""
    menu = _adjustment(state, menu.side, menu.amount + STEPS[by] * points_a_step(state))
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, menu_message(state, menu).short),))


def choose_item(state: TableState, menu: Menu, item: str, now: float) -> Step:
    """Do one item of the open menu, word for word.

    Raises:
        RefusedError: if the menu has no such item, or the rules refuse it.
    """
    if item not in menu.items:
        raise RefusedError(words("refused.nothing_here", item=item))
    closed = replace(state, menu=None)
    return Step(closed) if item == GO_ON else MENUS[menu.kind].do(closed, menu, item, now)


def _open(state: TableState, menu: Menu) -> Step:
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, menu_message(state, menu).spoken),))


def _pause_item(state: TableState, menu: Menu, item: str, now: float) -> Step:  # noqa: ARG001
    if item not in ITEMS:
        raise _unknown(item)
    return ITEMS[item].do(state, now)


def _unknown(item: str) -> RefusedError:
    """Return the refusal of an item that does nothing: no item is what remains when all others are excluded."""
    return RefusedError(words("refused.nothing_here", item=item))


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
    return doing(Adjust(menu.side, menu.amount))(state, now)


def _adjust_score_of(state: TableState, menu: Menu, item: str, now: float) -> Step:  # noqa: ARG001
    game = state.current.game
    side = _place([side_name(game, side) for side in range(len(game.sides))], item)
    return _open(state, _adjustment(state, side, game.sides[side].score))


def _leave(state: TableState, menu: Menu, item: str, now: float) -> Step:  # noqa: ARG001
    return ask_first(state, "leave", _place(state.current.game.players, item))


def _change_sound(state: TableState, menu: Menu, item: str, now: float) -> Step:  # noqa: ARG001
    """Change the sound; the menu stays open."""
    _place(sound_items(state), item)
    return change_sound(replace(state, menu=replace(menu, place=menu.items.index(item))), item)


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
        return doing(GiveTurn(player))(state, now)
    try:
        events = course_of(before, GiveTurn(player), Roll(faces)).events
    except FarkleError as error:
        raise RefusedError(str(error)) from error
    return act(state, (Undone(last.number), *with_throw_seen(state, events)), now)


MENUS: Mapping[str, MenuKind] = {
    "pause": MenuKind("menu.pause", _pause_item),
    "adjust": MenuKind("menu.adjust", _adjust),
    "whose score": MenuKind("menu.whose_score", _adjust_score_of),
    "give to": MenuKind("menu.give_to", _give_throw),
    "leaves": MenuKind("menu.who_leaves", _leave),
    "sound": MenuKind("menu.sound_at", _change_sound),
}
"""Each kind of menu."""


def _may(asked: Callable[[GameState], bool]) -> Callable[[TableState], bool]:
    return lambda state: state.under_way and asked(state.current.game)


def _list(kind: str, names: Callable[[TableState], tuple[str, ...]]) -> Item:
    """Return the item that opens a menu of names; it is offered while there are any."""
    return Item(
        lambda state: state.under_way and bool(names(state)),
        lambda state, now: _open(state, Menu(kind, (*names(state), GO_ON))),  # noqa: ARG005
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


def join_game(state: TableState, name: str, now: float) -> Step:
    """Let a player of this name join the game.

    Raises:
        RefusedError: if no game is under way, nobody may join it, or the name cannot be this one.
    """
    game = state.current.game
    if not state.under_way:
        raise RefusedError(words("refused.no_game"))
    name = checked_name(name.strip())
    if name.casefold() in {player.casefold() for player in game.players}:
        raise RefusedError(words("refused.name_taken", name=name))
    return doing(Join(name))(state, now)


def _may_throw_for_start(state: TableState) -> bool:
    play = state.current
    game = play.game
    return game.phase is Phase.TO_THROW and not game.begun and play.start_thrower is None and len(game.playing()) > 1


def _newcomer(game: GameState) -> Join:
    return Join(free_name(len(game.players) + 1, {name.casefold() for name in game.players}))


def _self_test(state: TableState, now: float) -> Step:  # noqa: ARG001 - every item is given the time
    faults = " ".join(text for _, text in state.faults)
    said = words("said.self_test", faults=faults) if faults else words("said.self_test_well")
    return say(state, said, CueKind.SELF_TEST)


def _rematch(state: TableState, now: float) -> Step:  # noqa: ARG001
    return ask_first(state, "rematch") if state.under_way else ask(state, rematch())


def _asked(item: str) -> Callable[[TableState, float], Step]:
    return lambda state, now: ask_first(state, item)  # noqa: ARG005


ITEMS: Mapping[str, Item] = {
    words("menu.count_points"): Item(
        lambda state: state.under_way and state.manual is ManualEntry.NO,
        lambda state, now: count_by_hand(state),  # noqa: ARG005
    ),
    words("menu.read_again"): Item(
        lambda state: state.under_way and state.manual is not ManualEntry.NO,
        lambda state, now: see_again(state),  # noqa: ARG005
    ),
    words("menu.give_throw"): _list("give to", _may_own_throw),
    words("menu.skip"): Item(
        _may(lambda game: can(game, Skip(game.to_move)) and len(game.playing()) > 1),
        lambda state, now: doing(Skip(state.current.game.to_move))(state, now),
    ),
    words("menu.throw_for_start"): Item(
        lambda state: state.under_way and _may_throw_for_start(state),
        lambda state, now: act(state, (StartToBeThrown(),), now),
    ),
    words("menu.join"): Item(
        _may(lambda game: can(game, _newcomer(game))),
        lambda state, now: doing(_newcomer(state.current.game))(state, now),
    ),
    words("menu.leave"): _list("leaves", _may_leave),
    words("menu.adjust_score"): _list("whose score", _adjustable),
    words("menu.rematch"): Item(lambda state: state.play is not None, _rematch),
    words("menu.end_game"): Item(lambda state: state.under_way, _asked("end game")),
    words("menu.sound"): Item(
        lambda state: state.sound is not None,
        lambda state, now: _open(state, sound_menu(state)),  # noqa: ARG005
    ),
    words("menu.self_test"): Item(lambda _: True, _self_test),
    words("menu.address"): Item(lambda _: True, say_address),
    words("menu.power_off"): Item(lambda _: True, _asked("power off")),
}
"""What the pause menu offers, in this order."""

ITEM_KEYS: Mapping[str, str] = {forms(f"menu.{key}")[0]: key for key in CATALOGUE["menu"]}
"""The names of items for programs, by their words."""

SHORT_ITEMS: Mapping[str, str] = {
    each.text: each.short for each in (message("menu.count_points"), message("menu.give_throw"))
}
"""The short forms of long items."""
