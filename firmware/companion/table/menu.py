"""The pause menu and the menus behind its items: ROLL moves on, BANK does the item, KEEP goes on with the game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.acts import Step, act, ask, say
from companion.table.cues import Cue, CueKind
from companion.table.draft import free_name
from companion.table.events import Undone
from companion.table.lobby import play_again
from companion.table.manual_entry import count_by_hand, points_a_step, see_again
from companion.table.questions import are_you_sure, rematch
from companion.table.state import ManualEntry, Menu, TableState
from companion.table.text import standing
from companion.table.throws import with_throw_seen
from companion.words import Message, message, words
from farkle.errors import FarkleError
from farkle.game.commands import Adjust, Command, End, GiveTurn, Join, Leave, Roll, Skip
from farkle.game.events import DiceKept, DiceRolled, TurnBanked
from farkle.game.machine import can, course_of, decide
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase

GO_ON, DO_IT = words("menu.go_on"), words("menu.do_it")
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


@dataclass(frozen=True)
class Loss:
    """An item that loses something: what the table asks first, the answer that does it, and what that does.

    Each function gets the player whom the item is about; for most items that means nothing.
    """

    asks: Callable[[GameState | None, int], Message]
    answer: Callable[[GameState | None, int], str]
    do: Callable[[TableState, int, float], Step]


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
    return _command(Adjust(menu.side, menu.amount))(state, now)


def _adjust_score_of(state: TableState, menu: Menu, item: str, now: float) -> Step:  # noqa: ARG001
    game = state.current.game
    side = _place([side_name(game, side) for side in range(len(game.sides))], item)
    return _open(state, _adjustment(state, side, game.sides[side].score))


def _leave(state: TableState, menu: Menu, item: str, now: float) -> Step:  # noqa: ARG001
    return ask_first(state, "leave", _place(state.current.game.players, item))


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
    "pause": MenuKind("menu.pause", _pause_item),
    "adjust": MenuKind("menu.adjust", _adjust),
    "whose score": MenuKind("menu.whose_score", _adjust_score_of),
    "give to": MenuKind("menu.give_to", _give_throw),
    "leaves": MenuKind("menu.who_leaves", _leave),
}
"""Each kind of menu."""


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
        _with_scores("question.end_game"), _says("answer.end_game"), lambda state, _, now: _command(End())(state, now)
    ),
    "rematch": Loss(
        _with_scores("question.rematch"), _says("answer.start_again"), lambda state, _, now: play_again(state, now)
    ),
    "leave": Loss(
        lambda game, player: message("question.leave", name=_name_of(game, player), score=_score_of(game, player)),
        lambda game, player: words("answer.leaves", name=_name_of(game, player)),
        lambda state, player, now: _command(Leave(player))(state, now),
    ),
    "power off": Loss(
        lambda game, _: message("question.power_off"),  # noqa: ARG005
        _says("answer.power_off"),
        lambda state, _, now: say(state, words("said.good_night"), CueKind.POWER_OFF),  # noqa: ARG005
    ),
}
"""The items that lose something, and are asked about first."""


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
    said = words("said.self_test", faults=faults) if faults else words("said.self_test_well")
    return say(state, said, CueKind.SELF_TEST)


def _address(state: TableState, now: float) -> Step:  # noqa: ARG001
    return say(state, words("said.address", address=state.address) if state.address else words("said.no_page"))


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
        lambda state, now: _command(Skip(state.current.game.to_move))(state, now),
    ),
    words("menu.join"): Item(
        _may(lambda game: can(game, _newcomer(game))),
        lambda state, now: _command(_newcomer(state.current.game))(state, now),
    ),
    words("menu.leave"): _list("leaves", _may_leave),
    words("menu.adjust_score"): _list("whose score", _adjustable),
    words("menu.rematch"): Item(lambda state: state.play is not None, _rematch),
    words("menu.end_game"): Item(lambda state: state.under_way, _asked("end game")),
    words("menu.self_test"): Item(lambda _: True, _self_test),
    words("menu.address"): Item(lambda _: True, _address),
    words("menu.power_off"): Item(lambda _: True, _asked("power off")),
}
"""What the pause menu offers, in this order."""

SHORT_ITEMS: Mapping[str, str] = {
    each.text: each.short for each in (message("menu.count_points"), message("menu.give_throw"))
}
"""The short forms of long items."""
