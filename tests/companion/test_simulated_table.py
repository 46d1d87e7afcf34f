"""The simulated table: hands that throw and shelve dice as the view requires, one act at a time, seen by an eye."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count

import pytest
from clumsy_hands import PLAIN, ClumsyHands, Manner
from hosted import ToldClock
from hypothesis import given
from hypothesis import strategies as st
from tables import Table, faces

from companion.errors import BusyError, RefusedError
from companion.runtime.feed import Feed
from companion.simulation import simulated_table as desk_module
from companion.simulation.hands import SimulatedHands
from companion.simulation.simulated_table import SEEN_S, SimulatedTable
from companion.table.state.inputs import Input, NewGame, ReadingSettled
from companion.table.view import View
from dicereader.reading import Box, DiceReading, Episode, Fate, Observation, ReadDie, Zone
from dicereader.sources.synthetic.world import World


class Eyed:
    """A desk whose eye sees every World as soon as the hands set it, unless the eye is `blind`."""

    def __init__(self, *players: str, seed: int = 1, started: bool = True, hands: SimulatedHands | None = None) -> None:
        self.table = Table().start(*players) if started else Table()
        self.feed = Feed(self.table.view)
        self.hands = hands or SimulatedHands(seed)
        self.clock = ToldClock()
        self.worlds: list[World] = []
        self.blind = False
        self.hopped: set[int] = set()
        self.then: Callable[[], object] = bool
        self._numbers = count(1)
        self.desk = SimulatedTable(self.hands, self.lay, self.feed, self.clock.clock, random.Random(seed))

    def lay(self, world: World) -> None:
        self.worlds.append(world)
        self.then()
        if not self.blind:
            self.take(ReadingSettled(self.sees(world), "synthetic"))

    def sees(self, world: World) -> Observation:
        """Report the World's dice: moved dice in the throw area were thrown, and those on the shelf hopped there.

        If all moved dice lie on the shelf, a player placed them.
        """
        moved = {i for i, path in enumerate(world.dice) if len(path.keys) > 1}
        shelved = set(self.hands.shelved)
        thrown = bool(moved - shelved)
        self.hopped = self.hopped - moved | (moved & shelved if thrown else set())
        dice, fates = [], []
        for i, face in enumerate(self.hands.faces):
            zone = Zone.SHELF if i in shelved else Zone.THROW
            dice.append(ReadDie(face, Box(60 * i, 0, 50, 50), 0.999, zone))
            fates.append(Fate.STAYED if i not in moved else Fate.THROWN if thrown else Fate.PLACED)
        episode = Episode(first=not moved, hand=True, fates=tuple(fates), hopped=tuple(sorted(self.hopped)))
        return Observation(DiceReading(tuple(dice), sure=True), episode, number=next(self._numbers))

    def take(self, given: Input) -> None:
        self.table.take(given)
        self.feed.publish(self.table.view, tuple(self.table.cues))

    def chooses(self, dice: str) -> "Eyed":
        self.table.chooses(dice)
        self.feed.publish(self.table.view)
        return self

    def throws(self, thrown: str) -> "Eyed":
        self.desk.throw(faces(thrown))
        return self

    @property
    def view(self) -> View:
        return self.table.view


class Hopping(ClumsyHands):
    """Simulated hands whose first die always hops onto the shelf."""

    def throw(self, faces: Sequence[int], dice: Sequence[int] | None = None, manner: Manner = PLAIN) -> World:
        return super().throw(faces, dice, replace(manner, hops=1))


def test_the_faces_asked_for_are_the_roll() -> None:
    assert Eyed().throws("233346").view.roll == faces("233346")


def in_second_turn(*thrown: str) -> Eyed:
    """Return a table after its first turn, in which throws are quick."""
    eyed = Eyed("Ann", "Ben").throws("344662")
    eyed.table.taps("bank")
    eyed.feed.publish(eyed.view)
    assert not eyed.view.first_turn
    eyed.worlds.clear()
    for faces_thrown in thrown:
        eyed.throws(faces_thrown)
    return eyed


def test_after_the_first_turn_one_movement_puts_the_chosen_dice_aside_and_throws_the_others() -> None:
    eyed = in_second_turn("233346").chooses("333").throws("146")
    assert (len(eyed.worlds), eyed.view.locked, eyed.view.turn_points) == (2, (3, 3, 3), 6)
    assert sorted(eyed.view.roll) == [1, 4, 6]
    assert sorted(eyed.hands.faces[die] for die in eyed.hands.shelved) == [3, 3, 3]


def test_a_throw_is_whole_in_the_first_turn_and_quick_after_it_unless_it_is_asked_for() -> None:
    whole, quick = in_second_turn(), Eyed()
    whole.desk.throw(faces("233346"), whole=True)
    quick.desk.throw(faces("233346"), whole=False)
    assert whole.worlds[0].length_s > 1.0 > quick.worlds[0].length_s
    assert Eyed().throws("233346").worlds[0].length_s > 1.0 > in_second_turn("233346").worlds[0].length_s


def test_dice_on_the_shelf_are_not_moved_again() -> None:
    eyed = Eyed().throws("233346")
    eyed.desk.shelve((1, 2, 3))
    eyed.throws("146")
    assert (len(eyed.worlds), eyed.view.turn_points) == (3, 6)


def test_dice_are_shelved_by_their_place_in_the_throw() -> None:
    eyed = Eyed().throws("233346")
    eyed.desk.shelve((0,))
    assert eyed.view.shelf == (2,)
    assert eyed.view.chosen.points == 2


def test_a_corrected_die_is_set_aside_although_it_shows_its_old_face() -> None:
    eyed = Eyed().throws("112346")
    eyed.table.corrects("111346")
    eyed.chooses("111").throws("222")
    assert (eyed.view.locked, eyed.view.roll) == ((1, 1, 1), (2, 2, 2))
    assert sorted(eyed.hands.faces[die] for die in eyed.hands.shelved) == [1, 1, 2]


def test_a_hopped_die_that_was_chosen_is_kept_where_it_lies() -> None:
    eyed = Eyed(hands=Hopping(1)).throws("123346").chooses("12").throws("2346")
    assert (sorted(eyed.view.locked), eyed.view.turn_points, sorted(eyed.view.roll)) == ([1, 2], 3, [2, 3, 4, 6])


def test_a_hopped_die_that_was_not_chosen_is_thrown_with_the_others() -> None:
    eyed = Eyed(hands=Hopping(1)).throws("123346").chooses("2").throws("12346")
    assert (eyed.view.locked, sorted(eyed.view.roll)) == ((2,), [1, 2, 3, 4, 6])


def test_after_hot_dice_all_six_are_thrown() -> None:
    eyed = Eyed().throws("111222").chooses("111222").throws("233346")
    assert (eyed.view.shelf, eyed.view.turn_points, eyed.view.dice_to_throw) == ((), 26, 6)


@pytest.mark.parametrize(
    ("thrown", "words"),
    [
        ("233", "this throw has six dice"),
        ("2333461", "this throw has six dice"),
        ("233347", "a die shows one to six"),
    ],
)
def test_faces_that_cannot_be_thrown_are_refused_before_a_die_moves(thrown: str, words: str) -> None:
    eyed = Eyed()
    with pytest.raises(RefusedError, match=words):
        eyed.throws(thrown)
    assert eyed.worlds == []


@pytest.mark.parametrize("dice", [(), (6,), (-1,), (0, 0)])
def test_dice_that_are_not_there_cannot_be_shelved(dice: tuple[int, ...]) -> None:
    eyed = Eyed().throws("233346")
    with pytest.raises(RefusedError, match="there is no such die"):
        eyed.desk.shelve(dice)
    assert len(eyed.worlds) == 1


@pytest.mark.parametrize(
    ("changes", "throwing", "shelving"),
    [
        ({"phase": "lobby"}, "start a game first", "throw first"),
        ({"phase": "to_throw", "dice_to_throw": 0}, "one throw in the last turn", "throw first"),
        ({"phase": "asking"}, "answer the question first", "throw first"),
        ({"phase": "over"}, "the game is over", "throw first"),
        ({"phase": "rolling"}, "the dice are moving", "the dice are moving"),
        ({}, "keep a die first", None),
    ],
)
def test_an_act_is_refused_while_it_cannot_be_done(changes: dict, throwing: str, shelving: str | None) -> None:
    eyed = Eyed().throws("233346")
    eyed.feed.publish(replace(eyed.view, **changes))
    with pytest.raises((RefusedError, BusyError), match=throwing):
        eyed.desk.throw(None)
    if shelving is not None:
        with pytest.raises((RefusedError, BusyError), match=shelving):
            eyed.desk.shelve((0,))
    assert len(eyed.worlds) == 1


def test_dice_that_the_tray_lacks_cannot_be_set_aside() -> None:
    eyed = Eyed().throws("233346").chooses("333")
    eyed.hands.lay_out(faces("22"))
    with pytest.raises(RefusedError, match="cannot be moved"):
        eyed.throws("146")
    assert len(eyed.worlds) == 1


def test_until_the_eye_has_seen_a_throw_the_hands_wait() -> None:
    eyed = Eyed()
    eyed.blind = True
    eyed.throws("233346")
    with pytest.raises(BusyError, match="the dice are moving"):
        eyed.throws("233346")
    assert len(eyed.worlds) == 1


def test_hands_wait_for_a_limited_time_for_an_eye_that_sees_nothing() -> None:
    eyed = Eyed()
    eyed.blind = True
    eyed.throws("233346")
    eyed.clock.now += eyed.worlds[0].length_s + SEEN_S + 0.1
    eyed.blind = False
    assert eyed.throws("111222").view.roll == faces("111222")


def test_two_acts_at_once_are_one_act_and_a_refusal() -> None:
    eyed = Eyed()
    refusals: list[str] = []

    def meanwhile() -> None:
        for act in (lambda: eyed.desk.throw(None), lambda: eyed.desk.shelve((0,))):
            with pytest.raises(BusyError) as caught:
                act()
            refusals.append(str(caught.value))

    eyed.then = meanwhile
    eyed.throws("233346")
    assert refusals == ["the hands are at work; try again when the dice lie"] * 2
    assert eyed.view.roll == faces("233346")


def test_after_an_undo_the_eye_looks_before_anything_is_thrown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "HOLD_BACK_S", 0.0)
    eyed = Eyed().throws("233346")
    eyed.table.undoes()
    eyed.feed.publish(eyed.view, tuple(eyed.table.cues))
    with pytest.raises(BusyError):
        eyed.desk.throw(None)
    eyed.take(ReadingSettled(eyed.sees(eyed.hands.still()), "synthetic"))
    assert eyed.throws("111222").view.roll == faces("111222")


def test_after_a_restart_all_dice_are_there_for_the_next_game() -> None:
    eyed = Eyed("Ann")
    eyed.table.start("Ann", settings={"target": 5}).throws("111346").taps("bank")
    assert (eyed.table.view.phase, eyed.table.view.locked) == ("over", (1, 1, 1))
    again = Eyed(started=False)
    again.table.state = eyed.table.state
    again.feed.publish(again.table.view)
    again.desk.start()
    assert len(again.hands.faces) == 6
    again.take(NewGame("farkle-cribbage", ("Ann",)))
    again.take(ReadingSettled(again.sees(again.hands.still()), "synthetic"))
    again.desk.throw(None)
    assert len(again.table.view.roll) == 6


def test_after_a_restart_the_dice_lie_as_the_journal_left_them() -> None:
    before = Eyed().throws("233346").chooses("333").throws("146")
    again = Eyed(seed=2)
    again.table.state = before.table.state
    again.feed.publish(again.view)
    again.desk.start()
    assert sorted(again.hands.faces[i] for i in again.hands.rolled) == [1, 4, 6]
    assert sorted(again.hands.faces[i] for i in again.hands.shelved) == [3, 3, 3]


def test_at_the_start_of_a_turn_the_dice_lie_on_the_shelf() -> None:
    eyed = Eyed()
    eyed.desk.start()
    assert (len(eyed.hands.shelved), eyed.view.phase, eyed.view.throw_seq) == (6, "to_throw", 0)


def test_a_closed_desk_ignores_undo(monkeypatch: pytest.MonkeyPatch) -> None:
    eyed = Eyed().throws("233346")
    eyed.desk.close()
    eyed.table.undoes()
    eyed.feed.publish(eyed.view, tuple(eyed.table.cues))
    assert eyed.throws("111222").view.throw_seq == 1


@given(st.integers(0, 999), st.randoms(use_true_random=False))
def test_the_games_roll_is_always_the_one_that_the_hands_threw(seed: int, chance: random.Random) -> None:
    eyed = Eyed("Ann", "Ben", seed=seed)
    for _ in range(4):
        view = eyed.view
        if view.phase == "choosing" and view.chosen is None:
            eyed.chooses("".join(map(str, chance.choice(view.selections).dice)))
        before = eyed.view
        eyed.desk.throw(None)
        assert eyed.view.throw_seq == before.throw_seq + 1
        assert eyed.view.phase in {"choosing", "farkled"}
        lying = sorted(eyed.hands.faces[i] for i in eyed.hands.rolled)
        assert sorted(eyed.view.roll) == lying
        assert len(lying) == before.dice_to_throw


def test_before_the_first_look_of_the_eye_the_hands_refuse_to_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "FIRST_HOLD_BACK_S", 0.0)
    eyed = Eyed("Ann", "Ben")
    eyed.blind = True
    eyed.desk.start()
    with pytest.raises(BusyError, match="the camera is still waking up"):
        eyed.desk.throw(None)
