"""The pause menu and the menus behind its items: ROLL moves on, BANK does the item, KEEP goes on with the game."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Literal

from companion.errors import RefusedError
from companion.table.asking.house import sound_menu
from companion.table.asking.manual_entry import points_a_step
from companion.table.feature import Item, MenuKind, features_of
from companion.table.lobby.evening import closed_by
from companion.table.lobby.form import checked_name
from companion.table.state.acts import Handlers, Step, act, carry_out, say
from companion.table.state.bots import seated_bots
from companion.table.state.cues import Cue, CueKind
from companion.table.state.draft import free_name
from companion.table.state.events import BotSeated, StartToBeThrown, Undone
from companion.table.state.inputs import (
    ChooseNextStarter,
    CloseEvening,
    Input,
    JoinGame,
    OpenDoor,
    Origin,
    Pause,
)
from companion.table.state.menus import (
    CLOSES,
    AdjustScore,
    AskForNext,
    ChangeAmount,
    ChooseThrows,
    Confirm,
    CountByHand,
    EndGame,
    Entry,
    ForgetPhones,
    GiveThrow,
    LeaveGame,
    Menu,
    OpenMenu,
    ReadAgain,
    SayAddress,
    SelfTest,
    SixOnes,
    SkipTurn,
    StartAgain,
    SwitchOff,
    entry,
)
from companion.table.state.questions import find_option
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState
from companion.table.state.text import in_plain_words
from companion.table.throws.throws import with_throw_seen
from companion.words import Message, in_form, joined, message
from farkle.errors import FarkleError
from farkle.game.commands import Adjust, GiveTurn, Join, Leave, Roll, Skip
from farkle.game.events import DiceKept, DiceRolled, TurnBanked
from farkle.game.machine import can, course_of, decide
from farkle.game.names import name_key
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase

DO_IT = "do_it"
"""The name of the entry that adjusts a score."""

SIX_ONES = Roll((1,) * 6)
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


def open_menu(state: TableState, given: OpenMenu) -> Step:
    """Open a menu of the kind."""
    return _open(state, menu_kind(state, given.kind).opened(state, given))


def _open(state: TableState, menu: Menu) -> Step:
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, menu_message(state, menu).spoken),))


def _adjustment(state: TableState, side: int, amount: int) -> Menu:
    steps = [Entry(f"{by:+}", f"{by:+}", ChangeAmount(by)) for by in STEPS]
    may = [entry(DO_IT, AdjustScore(side, amount))] if can(state.current.game, Adjust(side, amount)) else []
    return Menu("adjust", (*steps, *may, CLOSES), side=side, amount=amount)


def names_menu(kind: str, players: Iterable[tuple[int, str]], gives: Callable[[int], Input]) -> Menu:
    """Return a menu of players or sides, by their index and name."""
    return Menu(kind, (*[Entry(f"player {index + 1}", name, gives(index)) for index, name in players], CLOSES))


def give_throw(state: TableState, player: int, now: float) -> Step:
    """Give the last throw to a player, or the next turn if the newest act is not a throw.

    Raises:
        RefusedError: if the rules refuse it.
    """
    before = _game_before_throw(state)
    last = state.current.newest
    faces = next((event.faces for event in last.events if isinstance(event, DiceRolled)), None)
    if faces is None:
        return carry_out(state, GiveTurn(player), now)
    try:
        events = course_of(before, GiveTurn(player), Roll(faces)).events
    except FarkleError as error:
        raise RefusedError(in_plain_words(error)) from error
    return act(state, (Undone(last.number), *with_throw_seen(state, events)), now)


MENUS: Mapping[str, MenuKind] = {
    "pause": MenuKind("menu.pause", lambda state, _: _pause_menu(state, Origin.TABLE)),
    "adjust": MenuKind(
        "menu.adjust",
        lambda state, given: _adjustment(state, given.side, state.current.game.sides[given.side].score),
        stays=True,
    ),
    "whose score": MenuKind(
        "menu.whose_score",
        lambda state, given: names_menu(given.kind, _adjustable(state), lambda side: OpenMenu("adjust", side)),
    ),
    "give to": MenuKind("menu.give_to", lambda state, given: names_menu(given.kind, _may_own_throw(state), GiveThrow)),
    "leaves": MenuKind(
        "menu.who_leaves",
        lambda state, given: names_menu(given.kind, _may_leave(state), lambda player: Confirm(LeaveGame(player))),
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


def _may(asked: Callable[[GameState], bool]) -> Callable[[TableState], bool]:
    return lambda state: state.under_way and asked(state.current.game)


Named = list[tuple[int, str]]
"""Players or sides, by their index and name."""


def _list(kind: str, named: Callable[[TableState], Named]) -> Item:
    """Return the entry that opens a menu of names; it is offered while there are names."""
    return Item(lambda state: state.under_way and bool(named(state)), lambda _: OpenMenu(kind))


def _game_before_throw(state: TableState) -> GameState:
    """Return the game before its last throw if that began a turn, else the game as it is."""
    play = state.current
    last = play.newest
    began = last.rolls and not any(isinstance(event, DiceKept | TurnBanked) for event in last.events)
    return play.history[-2].game if began else play.game


def _may_own_throw(state: TableState) -> Named:
    """Return the players to whom the last throw may be given."""
    before = _game_before_throw(state)
    return [(player, name) for player, name in enumerate(before.players) if can(before, GiveTurn(player))]


def _may_leave(state: TableState) -> Named:
    game = state.current.game
    return [(player, name) for player, name in enumerate(game.players) if can(game, Leave(player))]


def _adjustable(state: TableState) -> Named:
    game = state.current.game
    if game.phase is not Phase.TO_THROW or game.turn.begun:
        return []
    return [(index, side_name(game, index)) for index, side in enumerate(game.sides) if not side.out]


def join_game(state: TableState, name: str, now: float) -> Step:
    """Let a player of this name join the game.

    Raises:
        RefusedError: if no game is under way, nobody may join it, or the name is not allowed.
    """
    game = state.current.game
    if not state.under_way:
        raise RefusedError(message("refused.no_game"))
    bots = seated_bots((*game.players, name), state.bots)
    joins = decide(game, Join(checked_name(bots.players[-1].strip())))
    seated = [BotSeated(len(game.players), kind.name, kind.parameters) for kind in bots.kinds.values()]
    return act(state, (*joins, *seated), now)


def _may_throw_for_start(state: TableState) -> bool:
    play = state.current
    game = play.game
    return game.phase is Phase.TO_THROW and not game.begun and play.start_thrower is None and len(game.playing()) > 1


def _may_enter_six_ones(state: TableState) -> bool:
    """Return whether players who count their points may say that they threw six 1s, which win the game."""
    counting = state.under_way and state.manual is ManualEntry.COUNTING
    return counting and state.current.game.rules.wins_at_once(SIX_ONES.faces) and can(state.current.game, SIX_ONES)


def _newcomer(game: GameState) -> str:
    return free_name(len(game.players) + 1, set(map(name_key, game.players)))


def self_test(state: TableState) -> Step:
    """Say what is wrong with the table's parts."""
    faults = joined(*(text for _, text in state.faults))
    said = message("said.self_test", faults=faults) if faults else message("said.self_test_well")
    return say(state, said, CueKind.SELF_TEST)


ITEMS: Mapping[str, Item] = {
    "count_points": Item(
        lambda state: state.under_way and state.manual is ManualEntry.NO,
        lambda _: CountByHand(),
    ),
    "read_again": Item(
        lambda state: state.under_way and state.manual is not ManualEntry.NO,
        lambda _: ReadAgain(),
    ),
    "six_ones": Item(_may_enter_six_ones, lambda _: SixOnes()),
    "give_throw": _list("give to", _may_own_throw),
    "skip": Item(_may(lambda game: can(game, Skip(game.to_move)) and len(game.playing()) > 1), lambda _: SkipTurn()),
    "throw_for_start": Item(lambda state: state.under_way and _may_throw_for_start(state), lambda _: ChooseThrows()),
    "join": Item(
        _may(lambda game: can(game, Join(_newcomer(game)))), lambda state: JoinGame(_newcomer(state.current.game))
    ),
    "leave": _list("leaves", _may_leave),
    "adjust_score": _list("whose score", _adjustable),
    "rematch": Item(
        lambda state: state.play is not None,
        lambda state: Confirm(StartAgain()) if state.under_way else AskForNext(),
    ),
    "end_game": Item(lambda state: state.under_way, lambda _: Confirm(EndGame())),
    "sound": Item(lambda state: state.sound is not None, lambda _: OpenMenu("sound")),
    "self_test": Item(lambda _: True, lambda _: SelfTest()),
    "let_in": Item(lambda state: state.lets_in, lambda _: OpenDoor()),
    "forget_phones": Item(lambda state: state.lets_in, lambda _: Confirm(ForgetPhones())),
    "address": Item(lambda _: True, lambda _: SayAddress()),
    "next_starter": Item(
        lambda state: state.play is not None and state.play.game.over and len(state.play.game.players) > 1,
        lambda _: OpenMenu("next starter"),
    ),
    "close_evening": Item(
        lambda state: state.play is not None and state.play.game.over and closed_by(state.play) is None,
        lambda _: CloseEvening(),
    ),
}
"""What the pause menu offers, by the name of each entry, in this order; the entries of features come after these."""

SWITCH_OFF = {
    "power_off": Item(
        lambda _: True,
        lambda _: Confirm(SwitchOff()),
        lambda state: "power_off" if state.switches_off else "end_table",
    )
}
"""The last entry of the pause menu."""


HANDLERS: Handlers = {
    OpenMenu: lambda state, given, _: open_menu(state, given),
    ChangeAmount: lambda state, given, _: change_amount(state, given.steps),
    AdjustScore: lambda state, given, now: carry_out(state, Adjust(given.side, given.amount), now),
    SixOnes: lambda state, _, now: carry_out(state, SIX_ONES, now),
    GiveThrow: lambda state, given, now: give_throw(state, given.player, now),
    SkipTurn: lambda state, _, now: carry_out(state, Skip(state.current.game.to_move), now),
    ChooseThrows: lambda state, _, now: act(state, (StartToBeThrown(),), now),
    SelfTest: lambda state, _given, _now: self_test(state),
    Pause: lambda state, given, _: pause(state, given.origin),
    JoinGame: lambda state, given, now: join_game(state, given.name, now),
}
