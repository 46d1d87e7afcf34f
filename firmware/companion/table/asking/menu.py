"""The pause menu and the menus behind its items: ROLL moves on, BANK does the item, KEEP goes on with the game."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Literal

from companion.errors import RefusedError
from companion.table.asking.house import sound_menu
from companion.table.asking.items import ITEMS, SWITCH_OFF, adjustable, may_leave, may_own_throw
from companion.table.asking.manual_entry import points_a_step
from companion.table.feature import MenuKind, features_of
from companion.table.state.acts import Handlers, Step
from companion.table.state.cues import Cue, CueKind
from companion.table.state.inputs import ChooseNextStarter, Input, Origin, Pause
from companion.table.state.menus import CLOSES, CarryOut, ChangeAmount, Confirm, Entry, GiveThrow, Menu, OpenMenu, entry
from companion.table.state.questions import find_option
from companion.table.state.state import TableState
from companion.words import Message, in_form, message
from farkle.game.commands import Adjust, Leave
from farkle.game.machine import can
from farkle.game.standing import side_name

DO_IT = "do_it"
"""The name of the entry that adjusts a score."""

STARTERS: Mapping[str, Literal["seat", "loser", "winner"]] = {
    "begins_by_seat": "seat",
    "begins_loser": "loser",
    "begins_winner": "winner",
}
"""Who begins a rematch, by the entry of its menu."""

STEPS = (1, 10, -1, -10)
"""The steps of points by which a score is adjusted."""


def pause(state: TableState, origin: Origin) -> Step:
    """Open the pause menu, or close it."""
    return close(state) if state.menu is not None else _open(state, _pause_menu(state, origin))


def _pause_menu(state: TableState, origin: Origin) -> Menu:
    """Return the pause menu. It has no entry that nobody could confirm where it is opened."""
    away = origin is Origin.NETWORK and not state.real_buttons
    offered = dict(ITEMS)
    for feature in features_of(state):
        offered |= feature.items
    offered |= {} if away else SWITCH_OFF
    entries = [entry(name, item.gives(state), item.key(state)) for name, item in offered.items() if item.offered(state)]
    entries.insert(0, CLOSES)
    if state.asks:  # letting it in is what the menu was opened for
        entries.sort(key=lambda each: each.id != "let_in")
    return Menu("pause", tuple(entries))


def close(state: TableState) -> Step:
    """Close the menu and do nothing."""
    return Step(replace(state, menu=None))


def menu_message(state: TableState, menu: Menu) -> Message:
    """Return what an open menu says."""
    key = menu_kind(state, menu.kind).key
    if menu.kind == "adjust":
        return message(key, name=side_name(state.current.game, menu.side), score=menu.amount)
    item = menu.items[menu.place].words
    if menu.kind == "sound":
        if state.sound is None or state.sound.muted:
            return message("menu.sound_muted", item=item)
        return message(key, item=item, volume=state.sound.volume)
    return message(key, item=item, short=in_form(item, "short"))


def next_item(state: TableState, menu: Menu) -> Step:
    """Move on to the next item; after the last comes the first."""
    menu = replace(menu, place=(menu.place + 1) % len(menu.items))
    said = message("said.item", item=menu.items[menu.place].words)
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, said),))


def do_item(state: TableState, menu: Menu) -> Step:
    """Do the present entry of the menu."""
    return choose_item(state, menu, DO_IT if menu.kind == "adjust" else menu.items[menu.place].id)


def change_amount(state: TableState, by: int) -> Step:
    """Change the score that is being adjusted by one of `STEPS`."""
    if state.menu is None:
        return Step(state)
    menu = _adjustment(state, state.menu.side, state.menu.amount + by * points_a_step(state))
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, menu_message(state, menu).short),))


def choose_item(state: TableState, menu: Menu, item: str) -> Step:
    """Choose one entry of the open menu, by its name or in its English words: its input is taken next.

    Raises:
        RefusedError: if the menu has no such entry.
    """
    chosen = find_option(menu.items, item)
    if chosen is None:
        raise RefusedError(message("refused.not_an_item"))
    at_it = replace(menu, place=menu.items.index(chosen))
    stays = menu_kind(state, menu.kind).stays and chosen.gives is not None
    return Step(replace(state, menu=at_it if stays else None), then=chosen.gives)


def _open(state: TableState, menu: Menu) -> Step:
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, menu_message(state, menu).spoken),))


def _adjustment(state: TableState, side: int, amount: int) -> Menu:
    steps = [Entry(f"{by:+}", f"{by:+}", ChangeAmount(by)) for by in STEPS]
    adjusts = Adjust(side, amount)
    may = [entry(DO_IT, CarryOut(adjusts))] if can(state.current.game, adjusts) else []
    return Menu("adjust", (*steps, *may, CLOSES), side=side, amount=amount)


def names_menu(kind: str, players: Iterable[tuple[int, str]], gives: Callable[[int], Input]) -> Menu:
    """Return a menu of players or sides, by their index and name."""
    return Menu(kind, (*[Entry(f"player {index + 1}", name, gives(index)) for index, name in players], CLOSES))


MENUS: Mapping[str, MenuKind] = {
    "pause": MenuKind("menu.pause", lambda state, _: _pause_menu(state, Origin.TABLE)),
    "adjust": MenuKind(
        "menu.adjust",
        lambda state, given: _adjustment(state, given.side, state.current.game.sides[given.side].score),
        stays=True,
    ),
    "whose score": MenuKind(
        "menu.whose_score",
        lambda state, given: names_menu(given.kind, adjustable(state), lambda side: OpenMenu("adjust", side)),
    ),
    "give to": MenuKind("menu.give_to", lambda state, given: names_menu(given.kind, may_own_throw(state), GiveThrow)),
    "leaves": MenuKind(
        "menu.who_leaves",
        lambda state, given: names_menu(given.kind, may_leave(state), lambda player: Confirm(CarryOut(Leave(player)))),
    ),
    "sound": MenuKind("menu.sound_at", lambda state, _: sound_menu(state), stays=True),
    "next starter": MenuKind(
        "menu.next_starter_is",
        lambda _, given: Menu(
            given.kind, (*[entry(name, ChooseNextStarter(begins)) for name, begins in STARTERS.items()], CLOSES)
        ),
    ),
}
"""Each kind of menu."""


def menu_kind(state: TableState, kind: str) -> MenuKind:
    """Return the kind of menu of this name: the table's, or one of a feature."""
    menus = dict(MENUS)
    for feature in features_of(state):
        menus |= feature.menus
    return menus[kind]


HANDLERS: Handlers = {
    OpenMenu: lambda state, given, _: _open(state, menu_kind(state, given.kind).opened(state, given)),
    ChangeAmount: lambda state, given, _: change_amount(state, given.steps),
    Pause: lambda state, given, _: pause(state, given.origin),
}
