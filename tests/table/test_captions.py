"""Captions, the next step and moments: each button does what its caption says, in all kinds of states."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from tables import Table, game, paused

from companion.errors import RefusedError
from companion.table.state.inputs import Button, Fault, Gesture, MotionReported, Origin, Press, Tick
from companion.table.state.questions import AreYouSure
from companion.table.state.state import TableState
from companion.table.step import step
from companion.table.view import View
from dicereader.reading import Motion
from farkle.game.events import TurnBanked
from pegboard.pegs import IdleStage


def moving(table: Table, motion: Motion = Motion.MOVING) -> Table:
    table.take(MotionReported(motion))
    return table


def blind(table: Table, *, false_alarm: bool = False) -> Table:
    table.take(Fault("camera", "The camera is dark.", false_alarm))
    table.now = 100.0
    table.take(Tick())
    return table


def over() -> Table:
    return game(target=5).throws("111346").taps("bank").throws("334466")


def bomb() -> Table:
    table = game("farkle-cribbage-advanced").throws("233346").taps("bank").throws("111346").taps("bank")
    return table.throws("444444")


def piggyback() -> Table:
    return game("classic", piggyback=True).throws("111346").chooses("111").taps("bank")


def idle(table: Table, stage: IdleStage) -> Table:
    table.state = replace(table.state, idle=stage)
    return table


STATES: dict[str, Callable[[], Table]] = {
    "lobby": Table,
    "lobby of one": lambda: Table().holds("keep"),
    "full lobby": lambda: [table := Table(), *(table.taps("keep") for _ in range(10))][0],
    "lobby after a game": lambda: over().taps("bank").taps("roll"),
    "throw for who begins?": lambda: Table().taps("bank"),
    "throwing for who begins": lambda: Table().taps("bank").taps("keep"),
    "one has thrown for who begins": lambda: Table().taps("bank").taps("keep").throws("3"),
    "begins with these?": lambda: Table().taps("bank").taps("keep").throws("123346"),
    "to throw": game,
    "alone": lambda: game("farkle-cribbage", "Ann"),
    "rolling": lambda: moving(game()),
    "rolling the rest": lambda: moving(game().throws("233346").chooses("333")),
    "hand in the tray": lambda: moving(game().throws("233346"), Motion.HAND),
    "choosing": lambda: game().throws("233346"),
    "choosing with one choice": lambda: game().throws("334463").chooses("333"),
    "one choice of one": lambda: game().throws("133466").chooses("1"),
    "last choice": lambda: game().throws("233346").chooses("2"),
    "dice set aside": lambda: game().throws("233346").sets_aside("333", "246"),
    "a die aside that does not count": lambda: game().throws("133346").sets_aside("4", "13336"),
    "second throw": lambda: game().throws("233346").chooses("333").throws("146", shelf="333"),
    "hot dice": lambda: game().throws("111222").throws("123466"),
    "opening not reached": lambda: game("classic", opening_min=500).throws("111346").chooses("111"),
    "paid by nobody loses": lambda: game("free-the-dice", nobody_loses=True).throws("233446"),
    "overshot": lambda: game("free-the-dice", charity=True, target=100).throws("112346").chooses("11"),
    "farkled": lambda: game().throws("334466"),
    "after a bank": lambda: game().throws("233346").taps("bank"),
    "after an undo": lambda: game().throws("233346").taps("bank").undoes(),
    "after an undo, as it lies": lambda: game().throws("233346").chooses("333").undoes(),
    "die missing, to be thrown again": lambda: game().throws("23334"),
    "in doubt about one die": lambda: game().throws("133346", sure=False),
    "which were set aside?": lambda: game().throws("122346").throws("14466"),
    "silent bank?": lambda: game().throws("233346").throws("123466"),
    "just thrown?": lambda: game().throws("133446").throws("22466", first=True),
    "misread?": lambda: game().throws("233346").holds("keep"),
    "misread after the turn?": lambda: game().throws("334466").holds("keep"),
    "bomb": bomb,
    "bomb swapped": lambda: bomb().taps("roll"),
    "six ones": lambda: (
        game("classic", vant_hof_6=True).throws("113346").chooses("11").throws("1112").chooses("111").throws("1")
    ),
    "piggyback": piggyback,
    "taken over": lambda: piggyback().taps("keep"),
    "rematch?": lambda: over().taps("bank"),
    "over": over,
    "over, called off": lambda: paused(game(), "end game").taps("roll"),
    "end the game?": lambda: paused(game(), "end game"),
    "start again?": lambda: paused(game(), "rematch"),
    "Ben leaves?": lambda: paused(game(), "a player leaves", "Ben"),
    "end the game, over a question?": lambda: paused(game().throws("133346", sure=False), "end game"),
    "menu": lambda: paused(game()),
    "menu in the lobby": lambda: paused(Table()),
    "menu over a question": lambda: paused(game().throws("133346", sure=False)),
    "whose throw?": lambda: paused(game(), "give this throw to another"),
    "who leaves?": lambda: paused(game(), "a player leaves"),
    "switch off?": lambda: paused(game(), "power off"),
    "whose score?": lambda: paused(game(), "adjust a score"),
    "adjust": lambda: paused(game(), "adjust a score", "Ann"),
    "adjust in hundreds": lambda: paused(game("classic"), "adjust a score", "Ann", "+10"),
    "points mode": lambda: paused(game(), "count points ourselves"),
    "points counted": lambda: paused(game(), "count points ourselves").taps("keep"),
    "points counted, too few": lambda: paused(game("classic", opening_min=500), "count points ourselves").taps("keep"),
    "points mode in hundreds": lambda: paused(game("classic"), "count points ourselves").holds("keep"),
    "points mode from dice": lambda: paused(game().throws("233346").chooses("333"), "count points ourselves"),
    "points mode for who begins": lambda: paused(
        Table().taps("bank").taps("keep").throws("3"), "count points ourselves"
    ),
    "blind": lambda: blind(game()),
    "blind, maybe a false alarm": lambda: blind(game(), false_alarm=True),
    "faces by hand": lambda: blind(game()).taps("roll"),
    "faces by hand, waiting": lambda: blind(game()).taps("roll").answers("wait"),
    "faces by hand, second die": lambda: blind(game()).taps("roll").taps("keep"),
    "faces by hand, choosing": lambda: blind(game().throws("233346")).taps("roll"),
    "faces by hand, chosen": lambda: blind(game().throws("233346").chooses("333")).taps("roll").answers("wait"),
    "asleep": lambda: idle(game().throws("233346"), IdleStage.ASLEEP),
    "asleep over": lambda: idle(over(), IdleStage.DIM),
    "lobby, dim": lambda: idle(Table(), IdleStage.DIM),
    "waiting": lambda: idle(game(), IdleStage.DIM),
}


@cache
def built(name: str) -> tuple[TableState, float]:
    """Return a state by its name, and its time. Each state is built once, because states are frozen."""
    table = STATES[name]()
    return table.state, table.now


def table_in(name: str) -> Table:
    """Return a table in the state of this name."""
    return Table(*built(name))


PRESSES = [(button, gesture) for button in Button for gesture in (Gesture.TAP, Gesture.HOLD)]


def caption(view: View, button: Button, gesture: Gesture) -> str:
    return getattr(view.captions[button.value], gesture.value)


@pytest.mark.parametrize("name", STATES)
def test_exactly_the_buttons_that_do_something_have_captions_and_the_next_step_is_the_next_answer(name: str) -> None:
    table = table_in(name)
    view = table.view
    for button, gesture in PRESSES:
        press = Press(button, gesture, Origin.TABLE)
        if caption(view, button, gesture) or caption(view, Button.ROLL, Gesture.TAP) == "wake the table":
            made = step(table.state, press, table.now)
            assert made.events or made.cues or made.state != table.state, press
        else:
            with pytest.raises(RefusedError):
                step(table.state, press, table.now)
    assert view.next != "throw" or view.dice_to_throw > 0
    assert view.next in ("throw", "wait") or view.captions[view.next].tap
    if view.question is not None and view.next in ("keep", "roll", "bank") and view.rest is not IdleStage.ASLEEP:
        pressed = step(table.state, Press(Button(view.next)), table.now)
        assert pressed == table.take_answer(view.question.answers[view.question.next])


@pytest.mark.parametrize("name", STATES)
def test_a_caption_says_what_the_press_does(name: str) -> None:
    view = table_in(name).view
    for button, gesture in PRESSES:
        if said := caption(view, button, gesture):
            check_caption(name, view, said, Press(button, gesture, Origin.TABLE))


def check_caption(name: str, view: View, said: str, press: Press) -> None:
    """Press a button in the state of this name, and check that it does what its caption said."""
    assert len(said) <= 24
    table = table_in(name)
    before = table.state
    after = step(before, press, table.now)
    table.state = after.state
    new = table.view
    match said.split():
        case ["wake", *_]:
            assert (new.rest, after.state.acts) == (IdleStage.AWAKE, before.acts)
        case ["undo"]:
            assert after.state.effective == before.effective[:-1]
        case ["bank", points]:
            assert [event.points for event in after.events if isinstance(event, TurnBanked)] == [int(points)]
        case ["end", "the", "turn"]:
            assert [event.points for event in after.events if isinstance(event, TurnBanked)] == [0]
        case ["most", "points"]:
            assert new.chosen == view.selections[0]
        case ["next", "best"]:
            assert new.chosen not in (None, view.chosen)
            assert new.chosen.points <= view.chosen.points
        case ["say", *_] | ["how", *_]:
            assert after.cues
            assert not after.events
        case ["the", "dice", "lie", "right"]:
            assert view.out_of_step
            assert not new.out_of_step
        case ["that's", "wrong"]:
            assert new.question.kind == "fix"
        case ["enter", *_]:
            assert new.question.kind == "enter"
        case [number] if number[0] in "+-" and before.menu is None:
            assert new.turn_points - view.turn_points - (view.chosen.points if view.chosen else 0) == int(number)
        case [number] if number[0] in "+-":
            assert after.state.menu.amount - before.menu.amount == int(number)
        case ["farkle?"]:
            assert new.question.kind == "farkle"
        case ["next"] if before.menu is not None:
            assert after.state.menu.place == (before.menu.place + 1) % len(before.menu.items)
        case ["go", "on"]:
            asked = before.question.covered if before.menu is None else before.question
            quiet = replace(before, menu=None, question=asked)
            assert after.state == replace(quiet, idle=after.state.idle, active_s=after.state.active_s)
        case ["do", "it"]:
            item = "do_it" if before.menu.kind == "adjust" else before.menu.items[before.menu.place].id
            assert after == table_in(name).take_answer(item)
        case ["close"]:
            asked = before.question.covered if isinstance(before.question, AreYouSure) else None
            assert (after.state.question, after.state.acts) == (asked, before.acts)
        case ["not", "counted"]:
            assert (new.question, new.out_of_step, after.state.acts) == (None, True, before.acts)
        case ["back", *_]:
            assert view.phase == "lobby"
            assert new.phase == "over"
        case ["one", "more", _]:
            assert new.lobby.players == view.lobby.players + 1
        case ["one", "fewer"]:
            assert new.lobby.players == view.lobby.players - 1
        case ["other", "rules"]:
            assert new.lobby.rules != view.lobby.rules
        case ["start"]:
            assert new.phase == "to_throw" or (new.question and new.question.kind == "starts")
        case ["another", "game"]:
            assert new.question.kind == "rematch"
        case _:
            answer = next(each for each in view.question.answers if said in (each, each[:23] + "…"))
            assert after == table_in(name).take_answer(answer)


def last_turn(thrown: str, kept: str, target: int = 20) -> Table:
    """Return the last turn of a game in which Ann has 20 points."""
    return game(target=target).throws("111346").taps("bank").throws(thrown).chooses(kept)


@pytest.mark.parametrize(
    ("state", "following", "glows"),
    [
        ("lobby", "bank", "bank"),
        ("to throw", "throw", "roll"),
        ("throwing for who begins", "throw", "roll"),
        ("rolling", "wait", ""),
        ("hand in the tray", "wait", ""),
        ("choosing", "keep", "keep bank"),
        ("choosing with one choice", "throw", "roll bank"),
        ("dice set aside", "throw", "roll bank"),
        ("last choice", "throw", "roll bank"),
        ("opening not reached", "throw", "roll"),
        ("farkled", "throw", "roll"),
        ("die missing, to be thrown again", "throw", "roll"),
        ("bomb", "keep", "keep roll"),
        ("piggyback", "keep", "keep roll"),
        ("misread?", "keep", "keep roll bank"),
        ("menu", "keep", "keep roll bank"),
        ("adjust in hundreds", "bank", "keep roll bank"),
        ("points mode", "keep", "keep roll"),
        ("points counted", "bank", "keep roll bank"),
        ("points counted, too few", "keep", "keep roll"),
        ("faces by hand, waiting", "roll", "roll"),
        ("faces by hand, choosing", "keep", "keep bank"),
        ("over", "bank", "bank"),
        ("asleep", "roll", "roll"),
        (lambda: game().throws("111346").chooses("111"), "throw", "roll bank"),  # three dice left
        (lambda: game().throws("111126").chooses("1111"), "bank", "roll bank"),  # two
        (lambda: game().throws("111222").chooses("111222"), "throw", "roll bank"),  # hot dice
        (lambda: last_turn("133466", "1"), "throw", "roll"),  # a bank would lose, and be skunked
        (lambda: last_turn("334666", "666"), "throw", "roll bank"),  # it saves from a skunk
        (lambda: last_turn("111226", "1112"), "bank", "bank"),  # it wins
    ],
)
def test_the_next_step_is_obvious_and_the_sensible_presses_glow_alike(
    state: str | Callable[[], Table], following: str, glows: str
) -> None:
    view = (table_in(state) if isinstance(state, str) else state()).view
    assert (view.next, " ".join(view.glows)) == (following, glows)


def test_moments_name_the_results_of_the_newest_act() -> None:
    def kinds(table: Table) -> list[str]:
        return [each.kind for each in table.view.moments]

    assert kinds(game()) == []
    assert kinds(game().throws("334466")) == ["farkle"]
    assert kinds(game().throws("334466").undoes()) == []
    assert kinds(game().throws("233346").taps("bank")) == ["bank"]
    assert kinds(game().throws("111222").chooses("111222").throws("123466")) == ["hot dice"]
    assert kinds(game(target=5).throws("233346").taps("bank")) == ["bank", "final round", "last throw"]
    assert kinds(game(target=5).throws("233346").taps("bank").throws("334466")) == ["farkle", "win", "skunk"]
    bumped = game("farkle-cribbage", one_peg_per_hole="1").throws("133466").taps("bank").throws("133466").taps("bank")
    assert kinds(bumped) == ["bank", "bump"]


def test_the_first_turn_is_that_of_the_first_game() -> None:
    assert game().throws("233346").chooses("333").view.first_turn
    assert not game().throws("233346").taps("bank").view.first_turn
    assert not over().taps("bank").taps("keep").view.first_turn


def test_a_selection_says_why_it_counts() -> None:
    assert [each.why for each in game().throws("113146").view.selections] == [
        "three of a kind",
        "two single ones",
        "single one",
    ]
    assert game().throws("333146").view.selections[0].why == "three of a kind, single one"
