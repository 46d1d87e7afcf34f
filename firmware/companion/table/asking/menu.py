"""The pause menu and the menus behind its items: ROLL moves on, BANK does the item, KEEP goes on with the game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.asking.address import say_address
from companion.table.asking.coach import coach_menu, switch_part
from companion.table.asking.door import let_in
from companion.table.asking.losses import ask_first, carry_out
from companion.table.asking.manual_entry import choose_counting, points_a_step, see_again
from companion.table.asking.sound import change_sound, sound_menu
from companion.table.lobby.evening import close_evening, closed_by
from companion.table.lobby.lobby import ask_for_next, checked_name, with_draft
from companion.table.lobby.next_starter import choose_next_starter
from companion.table.lobby.tournament import end_tournament, going_on, leave_tournament, may_go_on
from companion.table.state.acts import GivenAnswer, Handlers, Step, act, say
from companion.table.state.bots import seated_bots
from companion.table.state.cues import Cue, CueKind
from companion.table.state.draft import free_name
from companion.table.state.events import BotSeated, StartToBeThrown, Undone
from companion.table.state.inputs import JoinGame, Origin, Pause
from companion.table.state.questions import GO_ON, Option, find_option, menu_option
from companion.table.state.state import ManualEntry, Menu, TableState
from companion.table.state.text import in_plain_words
from companion.table.state.tournament import Form
from companion.table.throws.throws import with_throw_seen
from companion.words import Message, in_form, joined, message
from farkle.errors import FarkleError
from farkle.game.commands import Adjust, GiveTurn, Join, Leave, Roll, Skip
from farkle.game.events import DiceKept, DiceRolled, TurnBanked
from farkle.game.machine import can, course_of, decide
from farkle.game.names import name_key
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase

DO_IT = menu_option("do_it")
ONE_GAME = "one_game"
SIX_ONES = Roll((1,) * 6)
STARTERS: Mapping[str, str] = {"begins_by_seat": "seat", "begins_loser": "loser", "begins_winner": "winner"}
"""Who begins a rematch, by the item of its menu."""
STEPS = tuple(Option(by, by) for by in ("+1", "+10", "-1", "-10"))


@dataclass(frozen=True)
class Item:
    """One item of the pause menu: whether it is offered now, and what it does.

    `key` returns the key of its words now if that is not its name.
    """

    offered: Callable[[TableState], bool]
    do: Callable[[GivenAnswer[Menu]], Step]
    key: Callable[[TableState], str] = lambda _: ""


@dataclass(frozen=True)
class MenuKind:
    """One kind of menu: the key of its words, and what an item does."""

    key: str
    do: Callable[[GivenAnswer[Menu]], Step]


def pause(state: TableState, origin: Origin) -> Step:
    """Open the pause menu, or close it. A menu has no item that nobody could confirm where it was opened."""
    if state.menu is not None:
        return close(state)
    away = origin is Origin.NETWORK and not state.real_buttons
    offered = {name: item for name, item in ITEMS.items() if not (away and name == "power_off")}
    items = (GO_ON, *(menu_option(name, item.key(state)) for name, item in offered.items() if item.offered(state)))
    if state.asks:  # letting it in is what the menu was opened for
        items = tuple(sorted(items, key=lambda item: item.id != "let_in"))
    return _open(state, Menu("pause", items))


def close(state: TableState) -> Step:
    """Close the menu and do nothing."""
    return Step(replace(state, menu=None))


def menu_message(state: TableState, menu: Menu) -> Message:
    """Return what an open menu says."""
    key = MENUS[menu.kind].key
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


def do_item(state: TableState, menu: Menu, now: float) -> Step:
    """Do the present item of the menu."""
    return choose_item(state, menu, (DO_IT if menu.kind == "adjust" else menu.items[menu.place]).id, now)


def change_amount(state: TableState, menu: Menu, by: str) -> Step:
    """Change the score that is being adjusted by one of `STEPS`."""
    menu = _adjustment(state, menu.side, menu.amount + int(by) * points_a_step(state))
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, menu_message(state, menu).short),))


def choose_item(state: TableState, menu: Menu, item: str, now: float) -> Step:
    """Do one item of the open menu, by its id or in its English words.

    Raises:
        RefusedError: if the menu has no such item, or the rules refuse it.
    """
    option = find_option(menu.items, item)
    if option is None:
        raise RefusedError(message("refused.not_an_item"))
    closed = replace(state, menu=None)
    return Step(closed) if option == GO_ON else MENUS[menu.kind].do(GivenAnswer(closed, menu, option, now))


def _open(state: TableState, menu: Menu) -> Step:
    return Step(replace(state, menu=menu), cues=(Cue(CueKind.QUESTION, menu_message(state, menu).spoken),))


def _pause_item(given: GivenAnswer[Menu]) -> Step:
    return ITEMS[given.answer.id].do(given)


def _adjustment(state: TableState, side: int, amount: int) -> Menu:
    may = (DO_IT,) if can(state.current.game, Adjust(side, amount)) else ()
    return Menu("adjust", (*STEPS, *may, GO_ON), side=side, amount=amount)


def _adjust(given: GivenAnswer[Menu]) -> Step:
    menu = given.question
    if given.answer in STEPS:
        return change_amount(given.state, menu, given.answer.id)
    return carry_out(given, Adjust(menu.side, menu.amount))


def _adjust_score_of(given: GivenAnswer[Menu]) -> Step:
    game = given.state.current.game
    side = _numbered(given)
    return _open(given.state, _adjustment(given.state, side, game.sides[side].score))


def _leave(given: GivenAnswer[Menu]) -> Step:
    return ask_first(given.state, "leave", _numbered(given))


def _change_sound(given: GivenAnswer[Menu]) -> Step:
    """Change the sound; the menu stays open."""
    menu = replace(given.question, place=given.question.items.index(given.answer))
    return change_sound(replace(given.state, menu=menu), given.answer)


def _choose_next_starter(given: GivenAnswer[Menu]) -> Step:
    return choose_next_starter(given.state, STARTERS[given.answer.id])


def _give_throw(given: GivenAnswer[Menu]) -> Step:
    """Give the last throw to a player, or the next turn if the newest act is not a throw.

    Raises:
        RefusedError: if the rules refuse it.
    """
    state = given.state
    before = _game_before_throw(state)
    player = _numbered(given)
    last = state.current.newest
    faces = next((event.faces for event in last.events if isinstance(event, DiceRolled)), None)
    if faces is None:
        return carry_out(given, GiveTurn(player))
    try:
        events = course_of(before, GiveTurn(player), Roll(faces)).events
    except FarkleError as error:
        raise RefusedError(in_plain_words(error)) from error
    return act(state, (Undone(last.number), *with_throw_seen(state, events)), given.now)


def _choose_tournament(given: GivenAnswer[Menu]) -> Step:
    """Let the lobby's players play a tournament of this form, or one game."""
    form = "" if given.answer.id == ONE_GAME else given.answer.id
    drafted = with_draft(given.state, replace(given.state.lobby.draft, plays=form))
    return say(drafted, message("said.plays", form=given.answer.words))


def _leave_tournament(given: GivenAnswer[Menu]) -> Step:
    tournament = going_on(given.state.play)
    return (
        Step(given.state) if tournament is None else leave_tournament(given.state, tournament.players[_numbered(given)])
    )


MENUS: Mapping[str, MenuKind] = {
    "pause": MenuKind("menu.pause", _pause_item),
    "adjust": MenuKind("menu.adjust", _adjust),
    "whose score": MenuKind("menu.whose_score", _adjust_score_of),
    "give to": MenuKind("menu.give_to", _give_throw),
    "leaves": MenuKind("menu.who_leaves", _leave),
    "sound": MenuKind("menu.sound_at", _change_sound),
    "tournament": MenuKind("menu.which_tournament", _choose_tournament),
    "leaves tournament": MenuKind("menu.leaves_tournament", _leave_tournament),
    "next starter": MenuKind("menu.next_starter_is", _choose_next_starter),
    "coach": MenuKind("menu.coach_is", lambda given: switch_part(given.state, given.answer)),
}
"""Each kind of menu."""


def _may(asked: Callable[[GameState], bool]) -> Callable[[TableState], bool]:
    return lambda state: state.under_way and asked(state.current.game)


def _list(kind: str, named: Callable[[TableState], tuple[Option, ...]]) -> Item:
    """Return the item that opens a menu of names; it is offered while there are names."""
    return Item(
        lambda state: state.under_way and bool(named(state)),
        lambda given: _open(given.state, Menu(kind, (*named(given.state), GO_ON))),
    )


def _name(number: int, name: str) -> Option:
    """Return the item for the player or side at this index."""
    return Option(f"player {number + 1}", name)


def _numbered(given: GivenAnswer[Menu]) -> int:
    """Return the index of the player or side that an item of a menu of names is for."""
    return int(given.answer.id.removeprefix("player ")) - 1


def _game_before_throw(state: TableState) -> GameState:
    """Return the game before its last throw if that began a turn, else the game as it is."""
    play = state.current
    last = play.newest
    began = last.rolls and not any(isinstance(event, DiceKept | TurnBanked) for event in last.events)
    return play.history[-2].game if began else play.game


def _may_own_throw(state: TableState) -> tuple[Option, ...]:
    """Return the players to whom the last throw may be given."""
    before = _game_before_throw(state)
    return tuple(_name(player, name) for player, name in enumerate(before.players) if can(before, GiveTurn(player)))


def _may_leave(state: TableState) -> tuple[Option, ...]:
    game = state.current.game
    return tuple(_name(player, name) for player, name in enumerate(game.players) if can(game, Leave(player)))


def _adjustable(state: TableState) -> tuple[Option, ...]:
    game = state.current.game
    if game.phase is not Phase.TO_THROW or game.turn.begun:
        return ()
    return tuple(_name(index, side_name(game, index)) for index, side in enumerate(game.sides) if not side.out)


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


def _newcomer(game: GameState) -> Join:
    return Join(free_name(len(game.players) + 1, set(map(name_key, game.players))))


def _self_test(given: GivenAnswer[Menu]) -> Step:
    faults = joined(*(text for _, text in given.state.faults))
    said = message("said.self_test", faults=faults) if faults else message("said.self_test_well")
    return say(given.state, said, CueKind.SELF_TEST)


def _rematch(given: GivenAnswer[Menu]) -> Step:
    return ask_first(given.state, "rematch") if given.state.under_way else ask_for_next(given.state)


def _in_tournament(state: TableState) -> tuple[Option, ...]:
    """Return the players who are in the tournament that goes on."""
    tournament = going_on(state.play)
    gone = dict(tournament.left) if tournament is not None else {}
    names = tournament.players if tournament is not None else ()
    return tuple(_name(player, name) for player, name in enumerate(names) if player not in gone)


ITEMS: Mapping[str, Item] = {
    "count_points": Item(
        lambda state: state.under_way and state.manual is ManualEntry.NO,
        lambda given: choose_counting(given.state, given.now),
    ),
    "read_again": Item(
        lambda state: state.under_way and state.manual is not ManualEntry.NO,
        lambda given: see_again(given.state, given.now),
    ),
    "six_ones": Item(_may_enter_six_ones, lambda given: carry_out(given, SIX_ONES)),
    "give_throw": _list("give to", _may_own_throw),
    "skip": Item(
        _may(lambda game: can(game, Skip(game.to_move)) and len(game.playing()) > 1),
        lambda given: carry_out(given, Skip(given.state.current.game.to_move)),
    ),
    "throw_for_start": Item(
        lambda state: state.under_way and _may_throw_for_start(state),
        lambda given: act(given.state, (StartToBeThrown(),), given.now),
    ),
    "join": Item(
        _may(lambda game: can(game, _newcomer(game))),
        lambda given: carry_out(given, _newcomer(given.state.current.game)),
    ),
    "leave": _list("leaves", _may_leave),
    "adjust_score": _list("whose score", _adjustable),
    "rematch": Item(lambda state: state.play is not None, _rematch),
    "end_game": Item(lambda state: state.under_way, lambda given: ask_first(given.state, "end game")),
    "sound": Item(lambda state: state.sound is not None, lambda given: _open(given.state, sound_menu(given.state))),
    "coach": Item(lambda state: state.play is not None, lambda given: _open(given.state, coach_menu(given.state))),
    "self_test": Item(lambda _: True, _self_test),
    "let_in": Item(lambda state: state.lets_in, lambda given: let_in(given.state)),
    "forget_phones": Item(
        lambda state: state.lets_in,
        lambda given: ask_first(given.state, "forget phones"),
    ),
    "address": Item(lambda _: True, lambda given: say_address(given.state)),
    "next_starter": Item(
        lambda state: state.play is not None and state.play.game.over and len(state.play.game.players) > 1,
        lambda given: _open(given.state, Menu("next starter", (*map(menu_option, STARTERS), GO_ON))),
    ),
    "close_evening": Item(
        lambda state: state.play is not None and state.play.game.over and closed_by(state.play) is None,
        lambda given: close_evening(given.state),
    ),
    "tournament": Item(
        lambda state: state.in_lobby,
        lambda given: _open(given.state, Menu("tournament", (*map(menu_option, (ONE_GAME, *Form)), GO_ON))),
    ),
    "leave_tournament": Item(
        lambda state: bool(_in_tournament(state)),
        lambda given: _open(given.state, Menu("leaves tournament", (*_in_tournament(given.state), GO_ON))),
    ),
    "end_tournament": Item(
        lambda state: going_on(state.play) is not None,
        lambda given: end_tournament(given.state),
    ),
    "go_on_tournament": Item(
        lambda state: may_go_on(state.play),
        lambda given: end_tournament(given.state, ended=False),
    ),
    "power_off": Item(
        lambda _: True,
        lambda given: ask_first(given.state, "power off" if given.state.switches_off else "end table"),
        lambda state: "power_off" if state.switches_off else "end_table",
    ),
}
"""What the pause menu offers, by the name of each item, in this order."""


HANDLERS: Handlers = {
    Pause: lambda state, given, _: pause(state, given.origin),
    JoinGame: lambda state, given, now: join_game(state, given.name, now),
}
