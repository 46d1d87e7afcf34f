"""The fate of each die, found from scripted frames, and from readings alone."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import pytest
from films import A, B, C, D, Film, Place, read, settled

from dicereader.errors import DiceReaderError
from dicereader.live.episode import episode_between, without_shelf_doubts
from dicereader.live.timing import SettleTiming
from dicereader.reading import Box, DiceReading, Doubt, Episode, Fate, ReadDie, Zone, match_places, same_dice

STAYED, THROWN, PLACED, NUDGED = Fate.STAYED, Fate.THROWN, Fate.PLACED, Fate.NUDGED
EDGE = (160, 200, 3)  # at the players' edge
ASIDE, BESIDE = (150, 120, 3), (160, 110, 3)  # of D


def lie(*dice: tuple[int, int, int], seconds: float = 0.2, **tray_as: Any) -> Callable[[Film], object]:
    return lambda film: film.lay(dice, seconds, **tray_as)


def roll(*given: Any, **named: Any) -> Callable[[Film], object]:
    return lambda film: film.slide(*given, **named)


Act = Callable[[Film], object]
FILMS: dict[str, tuple[list[Place], list[Act], list[Place], bool, tuple[Fate, ...]]] = {
    "a die that rolls by itself was thrown": ([A, C], [roll(A, B, [C])], [B, C], False, (THROWN, STAYED)),
    "a die that a hand puts down was placed": (
        *([A], [*(lie(A, hand=at) for at in (40, 100, 180)), *(lie(A, D, hand=at) for at in (180, 100, 40))], [A, D]),
        *(True, (STAYED, PLACED)),
    ),
    "a die that a hand takes is gone": ([A, B], [lie(A, hand=190)], [A], True, (STAYED,)),
    "a hand that changed nothing is reported": ([A], [lie(A, hand=90)], [A], True, (STAYED,)),
    "a die that comes to rest while a hand lingers at the edge was thrown": (
        *([A], [lie(A, hand=30), roll((160, 160, 3), C, [A], hand=30), lie(A, C, seconds=1.0, hand=30)], [A, C]),
        *(True, (STAYED, THROWN)),
    ),
    "a thrown die stays thrown after a hand passes over it": (
        *([A], [roll(EDGE, D, [A]), *(lie(A, D, seconds=0.1, hand=at) for at in (60, 120, 180, 120, 60))], [A, D]),
        *(True, (STAYED, THROWN)),
    ),
    "a thrown die that a hand moves before it was read was placed": (
        *([A], [roll(EDGE, D, [A]), lie(A, D, hand=180), lie(A, ASIDE, hand=180)], [A, ASIDE]),
        *(True, (STAYED, PLACED)),
    ),
    "a hand's soft shadow on a die that was put down is no throw": (
        [A],
        [lie(A, D, hand=180), *(lie(A, D, seconds=1 / 30, hand=40, light=at) for at in (0.7, 0.8, 0.9, 1.0))],
        *([A, D], True, (STAYED, PLACED)),
    ),
    "a die that a hand pushes a little was nudged and is the same die": (
        *([A, D], [lie(A, D, hand=180), lie(A, BESIDE, hand=180)], [A, BESIDE]),
        *(True, (STAYED, NUDGED)),
    ),
}


@pytest.mark.parametrize("name", FILMS)
def test_the_fate_of_each_die_is_seen_in_a_film(name: str) -> None:
    start, acts, end, hand, fates = FILMS[name]
    film = settled(start)
    for act in acts:
        act(film)
    film.lay(end, 0.6)
    episode = film.told()[1].episode
    assert (episode.hand, episode.fates) == (hand, fates)


@pytest.mark.parametrize(("hand_gone_s", "fate"), [(0.07, THROWN), (1.0, PLACED)])
def test_a_die_that_rolls_on_after_the_hand_and_its_last_shadow_have_gone_was_thrown(hand_gone_s, fate):
    film = settled([A], timing=SettleTiming(hand_gone_s=hand_gone_s))
    film.lay([A], 0.3, hand=180)
    film.lay([A, (200, 200, 3)], 0.1)
    film.slide((200, 200, 3), C, others=[A])
    film.lay([A, C], 0.5)
    assert (film.told()[1].episode.hand, film.told()[1].episode.fates) == (True, (STAYED, fate))


@pytest.mark.parametrize(("face", "sure"), [(1, True), (4, False)])
def test_a_die_that_another_strikes_was_nudged_and_is_in_doubt_if_it_was_turned_over(face, sure):
    film = settled([A, D])
    film.lay([A], 0.2, hand=180)  # D goes into the hand
    film.lay([A], 0.1)
    film.slide((160, 200, 5), (52, 56, 5), others=[A])
    film.slide(A, (30, 30, face), others=[(52, 56, 5)], frames=3)
    film.lay([(30, 30, face), (52, 56, 5)], 0.6)
    seen = film.told()[1]
    assert (seen.reading.faces, seen.episode.fates) == ((face, 5), (NUDGED, THROWN))
    assert (seen.reading.sure, seen.reading.dice[0].doubts) == (sure, () if sure else (Doubt.FACE,))


def shelved(pixels: np.ndarray) -> DiceReading:
    """Read dice of which those in the upper half lie on the shelf."""
    dice = (replace(die, zone=Zone.SHELF if die.box.y < 120 else Zone.THROW) for die in read(pixels).dice)
    return DiceReading(tuple(dice), True)


@pytest.mark.parametrize(("step_s", "fate"), [(1 / 30, THROWN), (0.2, PLACED)])
def test_in_slow_frames_a_die_that_appears_on_the_shelf_was_laid_there(step_s, fate):
    low = (40, 180, 1)
    film = settled([low], 1.0, reader=shelved, step_s=step_s)
    film.now += 0.2  # the last frame of the tray at rest is older: a phone sends few until something moves
    film.lay([low], 0.6, hand=100, hand_x=20)
    film.lay([C], 0.6, hand=100, hand_x=20)  # the hand is back where it was
    film.lay([C], 1.0)
    assert film.told()[1].episode.fates == (fate,)


# --- readings alone --------------------------------------------------------------------------------------------------


@dataclass
class Traced:
    """Traces with the same share of motion everywhere, or only in some boxes.

    Hands took the dice in the boxes `taken_at`, or all if None.
    """

    share: float
    taken_at: Sequence[Box] | None = None
    moved_at: Sequence[Box] | None = None

    def traced(self, box: Box) -> float:
        return self.share if self.moved_at is None or box in self.moved_at else 0.0

    def taken(self, box: Box) -> bool:
        return self.taken_at is None or box in self.taken_at


def die(x: int, y: int, face: int = 1, zone: Zone | None = None) -> ReadDie:
    return ReadDie(face, Box(x, y, 20, 20), 0.9, zone)


def reading(*dice: ReadDie) -> DiceReading:
    return DiceReading(dice, True)


@pytest.mark.parametrize(("places", "matched"), [((105,), [0]), ((106,), [None]), ((100, 103), [None, 0])])
def test_a_die_that_moved_by_at_most_a_quarter_of_its_edge_is_matched_with_one_of_before(places, matched):
    assert match_places([die(x, 50) for x in places], [die(102 if len(places) > 1 else 100, 50)]) == matched


def test_the_order_of_dice_does_not_matter():
    one = reading(die(0, 0, 3), die(90, 0, 4))
    assert same_dice(one, reading(die(90, 0, 4), die(0, 0, 3)))
    assert not same_dice(one, reading(die(0, 0, 3)))


@pytest.mark.parametrize(("share", "fate", "in_doubt"), [(0.5, THROWN, ()), (0.08, THROWN, ()), (0.07, STAYED, (0,))])
def test_a_die_that_comes_to_the_same_place_with_another_face_was_thrown_if_it_moved(share, fate, in_doubt):
    episode, doubtful = episode_between(reading(die(0, 0, 3)), reading(die(0, 0, 5)), False, Traced(share))
    assert (episode.fates, doubtful) == ((fate,), in_doubt)


def turned(x: int, degrees: float) -> ReadDie:
    corners = cv2.boxPoints(((float(x), 50.0), (20.0, 20.0), degrees))
    outline = tuple((float(u), float(v)) for u, v in corners)
    return ReadDie(1, Box(x - 10, 40, 20, 20), 0.9, outline=outline)


@pytest.mark.parametrize(
    ("now", "fate"),
    [
        (turned(101, 33.0), STAYED),  # a neighbour rolled past
        (turned(104, 30.0), THROWN),
        (turned(100, 60.0), THROWN),
        (turned(100, 119.0), STAYED),  # a square turned by a quarter is the same square
    ],
)
def test_near_motion_only_a_die_in_exactly_the_same_pose_has_stayed(now, fate):
    episode, _ = episode_between(reading(turned(100, 30.0)), reading(now), True, Traced(0.6))
    assert episode.fates == (fate,)


LYING, SCOOPED = die(100, 50, 1), die(200, 50, 2)


@pytest.mark.parametrize(
    ("struck", "hand", "expected", "fates"),
    [
        *((die(130, 60, 1), True, expected, (NUDGED, THROWN)) for expected in ((), (1, 2), (4,))),
        (die(130, 60, 1), True, (2,), (THROWN, THROWN)),  # the expected count
        (die(300, 60, 1), True, (), (THROWN, THROWN)),  # far away
        (die(130, 60, 1), False, (), (THROWN, THROWN)),  # no hand threw another one
    ],
)
def test_a_die_near_its_place_was_struck_unless_that_makes_an_expected_count_wrong(struck, hand, expected, fates):
    traces, now = Traced(0.6, [SCOOPED.box]), reading(struck, die(300, 90, 5))
    assert episode_between(reading(LYING, SCOOPED), now, hand, traces, expected=expected)[0].fates == fates


@pytest.mark.parametrize(
    ("more", "found", "fate"),
    [
        (True, die(104, 58, 3), PLACED),
        (True, die(160, 120, 3), THROWN),  # at another place: it was thrown from beside the tray
        (False, die(104, 58, 3), THROWN),  # as many dice as before
    ],
)
def test_a_die_that_lay_under_one_that_a_hand_takes_was_not_thrown(more, found, fate):
    top, other, aside = die(100, 50, 6), die(200, 50, 2), die(40, 200, 6, Zone.SHELF)
    before = reading(top, other) if more else reading(top, other, die(300, 90, 3))
    episode, _ = episode_between(before, reading(found, other, aside), True, Traced(0.6, [top.box], [found.box]))
    assert episode.fates == (fate, STAYED, PLACED)


def test_a_die_that_comes_onto_the_shelf_by_itself_has_hopped_until_a_hand_touches_it():
    on_shelf = die(100, 200, 4, Zone.SHELF)
    first, _ = episode_between(reading(), reading(on_shelf), True, Traced(0.6))
    assert (first.fates, first.hopped) == ((THROWN,), (0,))
    later, _ = episode_between(reading(on_shelf), reading(die(20, 20), on_shelf), True, Traced(0.0), first.hopped)
    assert (later.fates, later.hopped) == ((PLACED, STAYED), (1,))
    touched, _ = episode_between(reading(on_shelf), reading(die(112, 205, 4, Zone.SHELF)), True, Traced(0.0), (0,))
    assert (touched.fates, touched.hopped) == ((NUDGED,), ())


@pytest.mark.parametrize(
    ("zone", "taken", "fate"),
    [
        (Zone.SHELF, False, STAYED),
        (Zone.SHELF, True, THROWN),  # scooped up, it hopped back to its old place
        (Zone.THROW, True, THROWN),
    ],
)
def test_a_die_on_the_shelf_that_seems_to_move_a_little_has_stayed(zone: Zone, taken: bool, fate: Fate):
    old = die(100, 200, 4, zone)
    now = reading(die(104, 200, 4, zone), die(20, 20, 5))
    traces = Traced(0.6, [old.box] if taken else [])
    episode, _ = episode_between(reading(old), now, True, traces, (0,), expected=(1, 2))
    assert (episode.fates, episode.hopped) == ((fate, THROWN), (0,) if zone is Zone.SHELF else ())


def test_a_die_set_aside_from_near_the_rail_was_placed_and_not_nudged():
    before, now = reading(die(100, 150, 4, Zone.THROW)), reading(die(100, 200, 4, Zone.SHELF))
    assert episode_between(before, now, True, Traced(0.0))[0].fates == (PLACED,)


def test_the_index_of_a_hopped_die_must_be_in_the_reading():
    with pytest.raises(DiceReaderError, match="indices of 1 dice that hopped"):
        Episode(False, False, (THROWN,), hopped=(1,))


FACES = (3, 3, 4, 2, 6, 3)
ALL_MOVED = Traced(1.0, [])


def lying_as_one(push: tuple[float, float] = (0, 0), turn: float = 0) -> DiceReading:
    """Return dice on a tray that was pushed by some pixels and turned by some degrees about its middle."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    places = zip((-150, -40, 10, 80, 130, 160), (-60, 90, -110, 30, -20, 110), strict=True)
    middles = [(480 + cos * x - sin * y + push[0], 360 + sin * x + cos * y + push[1]) for x, y in places]
    boxes = [Box(round(u - 18), round(v - 18), 36, 36) for u, v in middles]
    return reading(*(ReadDie(face, box, 0.99, Zone.THROW) for face, box in zip(FACES, boxes, strict=True)))


@pytest.mark.parametrize(("push", "turn"), [((16.0, 9.0), 2.0), ((-30.0, 4.0), -4.0), ((5.0, 60.0), 0.0)])
@pytest.mark.parametrize("hand", [False, True])
def test_dice_that_all_moved_as_one_mean_a_bumped_tray(push, turn, hand):
    shuffled = reading(*reversed(lying_as_one(push, turn).dice))
    episode, doubtful = episode_between(lying_as_one(), shuffled, hand, ALL_MOVED, expected=(6,))
    assert episode.thrown() == doubtful == ()
    assert set(episode.fates) == {NUDGED}


def test_dice_that_did_not_all_move_as_one_were_thrown():
    first, *others = lying_as_one((16, 9), 2).dice
    for odd in (replace(first, face=5), replace(first, box=replace(first.box, x=first.box.x + 20))):
        episode, _ = episode_between(lying_as_one(), reading(odd, *others), False, ALL_MOVED, expected=(6,))
        assert len(episode.thrown()) == 6


@pytest.mark.parametrize(
    ("zone", "confidence", "fate", "hopped", "sure"),
    [
        (Zone.SHELF, 1.0, PLACED, (), True),
        (Zone.THROW, 1.0, STAYED, (), False),
        (Zone.SHELF, 1.0, THROWN, (0,), False),
        (Zone.SHELF, 1.0, STAYED, (0,), False),
        (Zone.SHELF, 0.7, STAYED, (), False),
    ],
    ids=["set aside by a hand", "in the throw area", "thrown there", "thrown there earlier", "of an unsure face"],
)
def test_only_a_die_that_a_hand_set_aside_may_lean(zone, confidence, fate, hopped, sure):
    leaning = replace(die(10, 10, 4, zone), confidence=confidence, doubts=(Doubt.COCKED,))
    episode = Episode(first=False, hand=True, fates=(fate, THROWN), hopped=hopped)
    seen = without_shelf_doubts(DiceReading((leaning, replace(die(90, 10), confidence=1.0)), False), episode)
    assert (seen.sure, seen.dice[0].doubts) == (sure, () if sure else (Doubt.COCKED,))
