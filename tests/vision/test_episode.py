"""The fate of each die, found from scripted frames, and from readings alone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import pytest
from films import A, C, D, Film, tray

from dicereader.errors import DiceReaderError
from dicereader.live.episode import episode_between, without_shelf_doubts
from dicereader.reading import Box, DiceReading, Doubt, Episode, Fate, ReadDie, Zone, match_places, same_dice

OUT = (160, 222, 3)  # at the players' edge, under a hand that reaches in a little


def test_dice_that_come_to_rest_while_a_hand_lingers_at_the_edge_were_thrown():
    film = Film()
    film.show(tray([A]), 0.5)
    film.show(tray([A], hand=30), 0.2)
    film.slide((160, 160, 3), C, others=[A], hand=30)
    film.show(tray([A, C], hand=30), 1.0)
    film.show(tray([A, C]), 0.6)
    assert film.told()[1].episode.fates == (Fate.STAYED, Fate.THROWN)


def test_a_thrown_die_stays_thrown_after_a_hand_passes_over_it():
    film = Film()
    film.show(tray([A]), 0.5)
    film.slide((160, 200, 3), D, others=[A])
    for reach in (60, 120, 180, 120, 60):
        film.show(tray([A, D], hand=reach), 0.1)
    film.show(tray([A, D]), 0.6)
    seen = film.told()[1]
    assert seen.episode.fates == (Fate.STAYED, Fate.THROWN)


def test_a_thrown_die_that_a_hand_moves_before_it_was_read_was_placed():
    film = Film()
    film.show(tray([A]), 0.5)
    film.slide((160, 200, 3), D, others=[A])
    film.show(tray([A, D], hand=180), 0.2)
    film.show(tray([A, (150, 120, 3)], hand=180), 0.2)
    film.show(tray([A, (150, 120, 3)]), 0.6)
    assert film.told()[1].episode.fates == (Fate.STAYED, Fate.PLACED)


def test_a_hand_s_soft_shadow_on_a_die_that_was_put_down_is_no_throw():
    film = Film()
    film.show(tray([A]), 0.5)
    film.show(tray([A, D], hand=180), 0.2)
    for light in (0.7, 0.8, 0.9, 1.0):
        film.show(tray([A, D], hand=40, light=light))
    film.show(tray([A, D]), 0.6)
    assert film.told()[1].episode.fates == (Fate.STAYED, Fate.PLACED)


def test_a_die_that_a_hand_pushes_a_little_was_nudged_and_is_the_same_die():
    film = Film()
    film.show(tray([A, D]), 0.5)
    film.show(tray([A, D], hand=180), 0.2)
    film.show(tray([A, (160, 110, 3)], hand=180), 0.2)
    film.show(tray([A, (160, 110, 3)]), 0.6)
    seen = film.told()[1]
    assert seen.episode.fates == (Fate.STAYED, Fate.NUDGED)


def test_a_die_that_another_strikes_was_nudged_and_not_thrown():
    film = Film()
    film.show(tray([A, D]), 0.5)
    film.show(tray([A], hand=180), 0.2)  # D goes into the hand
    film.show(tray([A]), 0.1)
    film.slide((160, 200, 5), (52, 56, 5), others=[A])
    film.slide(A, (30, 30, 1), others=[(52, 56, 5)], frames=3)
    film.show(tray([(30, 30, 1), (52, 56, 5)]), 0.6)
    seen = film.told()[1]
    assert seen.reading.faces == (1, 5)
    assert seen.episode.fates == (Fate.NUDGED, Fate.THROWN)
    assert seen.reading.sure


# --- readings alone --------------------------------------------------------------------------------------------------


@dataclass
class Traced:
    """Traces with the same share of motion everywhere. Hands took the dice in the boxes `taken_at`, or all if None."""

    share: float
    taken_at: Sequence[Box] | None = field(default=None)

    def traced(self, box: Box) -> float:
        return self.share

    def taken(self, box: Box) -> bool:
        return self.taken_at is None or box in self.taken_at


def die(x: int, y: int, face: int = 1, zone: Zone | None = None) -> ReadDie:
    return ReadDie(face, Box(x, y, 20, 20), 0.9, zone)


def reading(*dice: ReadDie) -> DiceReading:
    return DiceReading(dice, True)


@pytest.mark.parametrize(("x", "same"), [(104, True), (106, False)])
def test_a_die_moved_by_less_than_a_quarter_of_its_edge_is_at_the_same_place(x, same):
    assert (match_places([die(x, 50)], [die(100, 50)]) == [0]) is same


def test_each_die_of_before_is_matched_once():
    assert match_places([die(100, 50), die(103, 50)], [die(102, 50)]) == [None, 0]


def test_the_centre_of_each_place_is_computed_once(monkeypatch):
    asked = []
    centre = Box.centre.fget
    monkeypatch.setattr(Box, "centre", property(lambda box: asked.append(box) or centre(box)))
    match_places([die(30 * i, 50) for i in range(6)], [die(30 * i, 52) for i in range(6)])
    assert len(asked) == 12


def test_the_order_of_dice_does_not_matter():
    one = reading(die(0, 0, 3), die(90, 0, 4))
    assert same_dice(one, reading(die(90, 0, 4), die(0, 0, 3)))
    assert not same_dice(one, reading(die(0, 0, 3)))


def test_a_die_that_comes_to_the_same_place_with_another_face_was_thrown():
    episode, doubtful = episode_between(reading(die(0, 0, 3)), reading(die(0, 0, 5)), False, Traced(0.5))
    assert episode.fates == (Fate.THROWN,)
    assert doubtful == ()


def turned(x: int, degrees: float) -> ReadDie:
    corners = cv2.boxPoints(((float(x), 50.0), (20.0, 20.0), degrees))
    outline = tuple((float(u), float(v)) for u, v in corners)
    return ReadDie(1, Box(x - 10, 40, 20, 20), 0.9, outline=outline)


@pytest.mark.parametrize(
    ("now", "fate"),
    [
        (turned(101, 33.0), Fate.STAYED),  # a neighbour rolled past
        (turned(104, 30.0), Fate.THROWN),
        (turned(100, 60.0), Fate.THROWN),
        (turned(100, 119.0), Fate.STAYED),  # a square turned by a quarter is the same square
    ],
)
def test_near_motion_only_a_die_in_exactly_the_same_pose_has_stayed(now, fate):
    episode, _ = episode_between(reading(turned(100, 30.0)), reading(now), True, Traced(0.6))
    assert episode.fates == (fate,)


LYING, SCOOPED = die(100, 50, 1), die(200, 50, 2)
BEFORE = reading(LYING, SCOOPED)
ONLY_SCOOPED = Traced(0.6, [SCOOPED.box])


def test_a_struck_die_that_was_turned_over_is_in_doubt():
    now = reading(die(130, 60, 4), die(300, 90, 5))
    episode, doubtful = episode_between(BEFORE, now, True, ONLY_SCOOPED)
    assert (episode.fates, doubtful) == ((Fate.NUDGED, Fate.THROWN), (0,))


def test_a_die_far_away_was_not_struck():
    now = reading(die(300, 60, 1), die(300, 90, 5))
    assert episode_between(BEFORE, now, True, ONLY_SCOOPED)[0].fates == (Fate.THROWN, Fate.THROWN)


@pytest.mark.parametrize(
    ("expected", "fates"),
    [
        ((), (Fate.NUDGED, Fate.THROWN)),
        ((1, 2), (Fate.NUDGED, Fate.THROWN)),
        ((2,), (Fate.THROWN, Fate.THROWN)),
        ((4,), (Fate.NUDGED, Fate.THROWN)),
    ],
)
def test_no_die_counts_as_struck_if_that_makes_an_expected_count_wrong(expected, fates):
    now = reading(die(130, 60, 1), die(300, 90, 5))
    assert episode_between(BEFORE, now, True, ONLY_SCOOPED, expected=expected)[0].fates == fates


def test_without_a_hand_no_die_was_struck():
    now = reading(die(130, 60, 1), die(300, 90, 5))
    assert episode_between(BEFORE, now, False, Traced(0.6, []))[0].fates == (Fate.THROWN, Fate.THROWN)


@dataclass
class MovedAt:
    """Traces in which something moved by itself at some boxes only, and a hand has taken some dice."""

    moved: Sequence[Box]
    hands: Sequence[Box]

    def traced(self, box: Box) -> float:
        return 0.6 if box in self.moved else 0.0

    def taken(self, box: Box) -> bool:
        return box in self.hands


@pytest.mark.parametrize(
    ("more", "found", "fate"),
    [
        (True, die(104, 58, 3), Fate.PLACED),
        (True, die(160, 120, 3), Fate.THROWN),  # at another place: it was thrown from beside the tray
        (False, die(104, 58, 3), Fate.THROWN),  # as many dice as before
    ],
)
def test_a_die_that_lay_under_one_that_a_hand_takes_was_not_thrown(more, found, fate):
    top, other, aside = die(100, 50, 6), die(200, 50, 2), die(40, 200, 6, Zone.SHELF)
    before = reading(top, other) if more else reading(top, other, die(300, 90, 3))
    episode, _ = episode_between(before, reading(found, other, aside), True, MovedAt([found.box], [top.box]))
    assert episode.fates == (fate, Fate.STAYED, Fate.PLACED)


def test_a_die_that_comes_onto_the_shelf_by_itself_has_hopped_until_a_hand_touches_it():
    on_shelf = die(100, 200, 4, Zone.SHELF)
    first, _ = episode_between(reading(), reading(on_shelf), True, Traced(0.6))
    assert (first.fates, first.hopped) == ((Fate.THROWN,), (0,))
    later, _ = episode_between(reading(on_shelf), reading(die(20, 20), on_shelf), True, Traced(0.0), first.hopped)
    assert (later.fates, later.hopped) == ((Fate.PLACED, Fate.STAYED), (1,))
    touched, _ = episode_between(reading(on_shelf), reading(die(112, 205, 4, Zone.SHELF)), True, Traced(0.0), (0,))
    assert (touched.fates, touched.hopped) == ((Fate.NUDGED,), ())


@pytest.mark.parametrize(
    ("zone", "taken", "fate"),
    [
        (Zone.SHELF, False, Fate.STAYED),
        (Zone.SHELF, True, Fate.THROWN),  # scooped up, it hopped back to its old place
        (Zone.THROW, True, Fate.THROWN),
    ],
)
def test_a_die_on_the_shelf_that_seems_to_move_a_little_has_stayed(zone: Zone, taken: bool, fate: Fate):
    old = die(100, 200, 4, zone)
    now = reading(die(104, 200, 4, zone), die(20, 20, 5))
    traces = Traced(0.6, [old.box] if taken else [])
    episode, _ = episode_between(reading(old), now, True, traces, (0,), expected=(1, 2))
    assert (episode.fates, episode.hopped) == ((fate, Fate.THROWN), (0,) if zone is Zone.SHELF else ())


def test_a_die_set_aside_from_near_the_rail_was_placed_and_not_nudged():
    before, now = reading(die(100, 150, 4, Zone.THROW)), reading(die(100, 200, 4, Zone.SHELF))
    assert episode_between(before, now, True, Traced(0.0))[0].fates == (Fate.PLACED,)


def test_the_index_of_a_hopped_die_must_be_in_the_reading():
    with pytest.raises(DiceReaderError, match="indices of 1 dice that hopped"):
        Episode(False, False, (Fate.THROWN,), hopped=(1,))


def test_a_doubtful_die_makes_the_observation_unsure():
    film = Film()
    film.show(tray([A, D]), 0.5)
    film.show(tray([A], hand=180), 0.2)
    film.show(tray([A]), 0.1)
    film.slide((160, 200, 5), (52, 56, 5), others=[A])
    film.slide(A, (30, 30, 4), others=[(52, 56, 5)], frames=3)
    film.show(tray([(30, 30, 4), (52, 56, 5)]), 0.6)
    seen = film.told()[1]
    assert not seen.reading.sure
    assert Doubt.FACE in seen.reading.dice[seen.episode.fates.index(Fate.NUDGED)].doubts


def lying_as_one(push: tuple[float, float], turn: float, faces: Sequence[int]) -> DiceReading:
    """Return dice on a tray that was pushed by some pixels and turned by some degrees about its middle."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    dice = []
    for n, face in enumerate(faces):
        x, y = (-150, -40, 10, 80, 130, 160)[n], (-60, 90, -110, 30, -20, 110)[n]
        u, v = 480 + cos * x - sin * y + push[0], 360 + sin * x + cos * y + push[1]
        dice.append(ReadDie(face, Box(round(u - 18), round(v - 18), 36, 36), 0.99, Zone.THROW))
    return DiceReading(tuple(dice), True)


class AllMoved:
    def traced(self, box: Box) -> float:
        return 1.0

    def taken(self, box: Box) -> bool:
        return False


@pytest.mark.parametrize(("push", "turn"), [((16.0, 9.0), 2.0), ((-30.0, 4.0), -4.0), ((5.0, 60.0), 0.0)])
@pytest.mark.parametrize("hand", [False, True])
def test_dice_that_all_moved_as_one_mean_a_bumped_tray(push, turn, hand):
    before, now = lying_as_one((0, 0), 0, (3, 3, 4, 2, 6, 3)), lying_as_one(push, turn, (3, 3, 4, 2, 6, 3))
    shuffled = DiceReading(tuple(reversed(now.dice)), True)
    episode, doubtful = episode_between(before, shuffled, hand, AllMoved(), expected=(6,))
    assert episode.thrown() == doubtful == ()
    assert set(episode.fates) == {Fate.NUDGED}


@pytest.mark.parametrize("change", ["a face", "a place"])
def test_dice_that_did_not_all_move_as_one_were_thrown(change):
    before, now = lying_as_one((0, 0), 0, (3, 3, 4, 2, 6, 3)), lying_as_one((16, 9), 2, (3, 3, 4, 2, 6, 3))
    first = now.dice[0]
    box = Box(first.box.x + 20, first.box.y, 36, 36) if change == "a place" else first.box
    other = ReadDie(5 if change == "a face" else first.face, box, 0.99, Zone.THROW)
    episode, _ = episode_between(before, DiceReading((other, *now.dice[1:]), True), False, AllMoved(), expected=(6,))
    assert len(episode.thrown()) == 6


def leaning(x: int, zone: Zone, confidence: float = 1.0) -> ReadDie:
    return replace(die(x, 10, 4, zone), confidence=confidence, doubts=(Doubt.COCKED,))


def told(one: ReadDie, fate: Fate, hopped: tuple[int, ...] = ()) -> DiceReading:
    episode = Episode(first=False, hand=True, fates=(fate, Fate.THROWN), hopped=hopped)
    return without_shelf_doubts(DiceReading((one, replace(die(90, 10), confidence=1.0)), False), episode)


def test_a_die_that_a_hand_set_aside_may_lean():
    seen = told(leaning(10, Zone.SHELF), Fate.PLACED)
    assert seen.sure
    assert seen.dice[0].doubts == ()


@pytest.mark.parametrize(
    ("one", "fate", "hopped"),
    [
        (leaning(10, Zone.THROW), Fate.STAYED, ()),
        (leaning(10, Zone.SHELF), Fate.THROWN, (0,)),
        (leaning(10, Zone.SHELF), Fate.STAYED, (0,)),
        (leaning(10, Zone.SHELF, confidence=0.7), Fate.STAYED, ()),
    ],
    ids=["in the throw area", "thrown onto the shelf", "thrown there earlier", "of an unsure face"],
)
def test_any_other_die_that_leans_stays_in_doubt(one: ReadDie, fate: Fate, hopped: tuple[int, ...]):
    seen = told(one, fate, hopped)
    assert not seen.sure
    assert seen.dice[0].doubts == (Doubt.COCKED,)
