"""The time at which a tray counts as still, and its reading, on scripted frames."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from films import DIE, A, B, C, D, Film, read, tray

from dicereader.data.frame import Frame
from dicereader.live.settle import Settled, SettleEvent, Settler
from dicereader.live.timing import SettleTiming
from dicereader.reading import Box, DiceReading, Doubt, Fate, Motion, ReadDie, Zone
from dicereader.sources.synthetic.source import SyntheticSource


def kinds(events: list[SettleEvent]) -> list[type | Motion]:
    return [Settled if isinstance(event, Settled) else event.motion for event in events]


def test_the_first_settled_picture_is_a_first_one_and_no_throw():
    film = Film()
    film.show(tray([A, B]), 1.0)
    (first,) = film.told()
    assert first.number == 1
    assert first.reading.faces == (1, 2)
    assert first.episode.first
    assert first.episode.thrown() == ()


def test_nothing_is_read_before_five_frames_and_350_ms():
    film = Film()
    assert kinds(film.show(tray([A]), 0.34)) == []
    assert kinds(film.show(tray([A]), 0.10)) == [Settled, Motion.STILL]


@pytest.mark.parametrize(("step_s", "frames"), [(0.1, 5), (0.25, 4), (0.4, 3), (1.0, 3)])
def test_at_a_low_frame_rate_fewer_frames_are_enough_over_twice_the_time(step_s, frames):
    film = Film(step_s=step_s)
    assert film.show(tray([A]), (frames - 1) * step_s) == []
    assert kinds(film.show(tray([A]))) == [Settled, Motion.STILL]


def test_an_unchanged_tray_is_observed_once():
    film = Film()
    film.show(tray([A]), 5.0)
    assert len(film.told()) == 1


def test_a_die_that_rolls_by_itself_was_thrown():
    film = Film()
    film.show(tray([A, C]), 0.5)
    film.slide(A, B, others=[C])
    film.show(tray([B, C]), 0.5)
    thrown = film.told()[1]
    assert thrown.reading.faces == (2, 3)
    assert thrown.episode.fates == (Fate.THROWN, Fate.STAYED)
    assert not thrown.episode.hand


def test_motion_is_reported_once_and_ends_with_still():
    film = Film()
    film.show(tray([A]), 0.5)
    film.events.clear()
    film.slide(A, B)
    film.show(tray([B]), 0.5)
    assert kinds(film.events) == [Motion.MOVING, Settled, Motion.STILL]


def test_a_die_that_a_hand_puts_down_was_placed():
    film = Film()
    film.show(tray([A]), 0.5)
    for reach in (40, 100, 180):
        film.show(tray([A], hand=reach), 0.1)
    for reach in (180, 100, 40):
        film.show(tray([A, D], hand=reach), 0.1)
    film.show(tray([A, D]), 0.6)
    placed = film.told()[1]
    assert placed.episode.hand
    assert placed.episode.fates == (Fate.STAYED, Fate.PLACED)


def test_a_die_that_rolls_on_after_the_hand_has_gone_was_thrown():
    film = Film()
    film.show(tray([A]), 0.5)
    film.show(tray([A], hand=180), 0.3)
    film.show(tray([A, (200, 200, 3)]), 0.1)
    film.slide((200, 200, 3), C, others=[A])
    film.show(tray([A, C]), 0.5)
    thrown = film.told()[1]
    assert thrown.episode.hand
    assert thrown.episode.fates == (Fate.STAYED, Fate.THROWN)


def test_dice_that_came_to_lie_while_no_frames_came_are_a_first_picture():
    film = Film()
    film.settler.expect((2,))
    film.show(tray([]), 0.5)
    film.show(tray([], hand=240, hand_x=30), 0.3)  # over the place of A
    film.now += 1.5
    film.show(tray([A, B], hand=140, hand_x=120), 0.1)
    film.show(tray([A, B]), 0.6)
    assert [seen.episode.first for seen in film.told()] == [True, True]


def test_a_die_that_a_hand_moved_while_no_frames_came_was_placed():
    film = Film()
    film.settler.expect((2,))
    film.show(tray([A, B]), 0.5)
    film.show(tray([A, B], hand=180), 0.3)
    film.now += 1.5
    film.show(tray([A, D], hand=180), 0.1)
    film.show(tray([A, D]), 0.6)
    moved = film.told()[1]
    assert not moved.episode.first
    assert moved.episode.thrown() == ()


def shelved(pixels: np.ndarray) -> DiceReading:
    """Read dice of which those in the upper half lie on the shelf."""
    dice = (replace(die, zone=Zone.SHELF if die.box.y < 120 else Zone.THROW) for die in read(pixels).dice)
    return DiceReading(tuple(dice), True)


@pytest.mark.parametrize(("step_s", "fate"), [(1 / 30, Fate.THROWN), (0.2, Fate.PLACED)])
def test_in_slow_frames_a_die_that_appears_on_the_shelf_was_laid_there(step_s, fate):
    film = Film(reader=shelved, step_s=step_s)
    low = (40, 180, 1)
    film.show(tray([low]), 1.0)
    film.now += 0.2  # the last frame of the tray at rest is older: a phone sends few until something moves
    film.show(tray([low], hand=100, hand_x=20), 0.6)
    film.show(tray([C], hand=100, hand_x=20), 0.6)  # the hand is back where it was
    film.show(tray([C]), 1.0)
    assert film.told()[1].episode.fates == (fate,)


def test_nothing_is_read_while_a_hand_is_in_the_tray_however_still():
    reads = []
    film = Film(reader=lambda pixels: reads.append(1) or read(pixels))
    film.show(tray([A]), 0.5)
    reads.clear()
    events = film.show(tray([A], hand=150), 4.0)
    assert kinds(events) == [Motion.HAND]
    assert reads == []


def test_a_hand_that_changed_nothing_is_reported():
    film = Film()
    film.show(tray([A]), 0.5)
    film.show(tray([A], hand=90), 0.3)
    film.show(tray([A]), 0.6)
    again = film.told()[1]
    assert again.episode.hand
    assert again.episode.fates == (Fate.STAYED,)


def test_a_still_object_over_the_border_is_no_hand():
    film = Film()
    film.show(tray([A]), 0.5)
    film.show(tray([A], hand=90), 6.0)
    assert len(film.told()) == 2


def reaching(picture: np.ndarray, wide_px: int, far_px: int) -> np.ndarray:
    """Return the picture with a hand that reaches in this far from the near border."""
    picture = picture.copy()
    picture[picture.shape[0] - far_px :, 450 : 450 + wide_px] = (130, 160, 200)
    return picture


@pytest.mark.parametrize("waited_s", [0.0, 2.0, pytest.param(8.0, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("shown_s", [0.1, 0.4])
def test_after_a_finger_over_the_wall_no_hand_is_left(waited_s, shown_s):
    source = SyntheticSource(lambda: 0.0, seed=5)
    known, empty = source.camera, source.empty_picture()
    film = Film(lambda _: DiceReading((), True))
    film.settler = Settler(film.reader, known)
    film.show(empty, 0.6 + waited_s)
    film.show(reaching(empty, 50, 60), shown_s)  # outside the tray, where motion is not searched
    assert kinds(film.show(reaching(empty, 120, 400), 0.3)) == [Motion.HAND]
    assert kinds(film.show(empty, 0.1)) == [Motion.MOVING]
    assert kinds(film.show(empty, 0.6)) == [Settled, Motion.STILL]


def test_dice_near_the_border_are_no_hand():
    film = Film()
    film.show(tray([A]), 0.5)
    events = film.show(tray([A, (150, 222, 2)]), 0.6)
    assert Motion.HAND not in kinds(events)


def edged(picture: np.ndarray, pushed_px: float) -> np.ndarray:
    """Return a tray's picture with a bright board along its near border, pushed aside by a part of a pixel."""
    picture = picture.copy()
    picture[235:, :100] = picture[235:, 220:] = 220
    push = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, pushed_px]])
    return cv2.warpAffine(picture, push, (320, 240), borderMode=cv2.BORDER_REPLICATE)


def test_a_tray_that_moved_slowly_is_not_taken_for_a_hand():
    film = Film(lambda pixels: read(pixels[:220]))
    film.show(edged(tray([A, B]), 0.0), 0.6)
    for step in range(100):
        film.show(edged(tray([A, B]), 0.008 * step))
    film.show(edged(tray([A, B], hand=80), 0.8), 0.3)
    film.show(edged(tray([A, C]), 0.8), 0.6)
    assert [die.face for die in film.told()[-1].reading.dice] == [1, 3]


def test_a_tray_that_a_hand_pushed_a_little_is_not_taken_for_a_hand():
    film = Film(lambda pixels: read(pixels[:220]))
    film.show(edged(tray([A, B]), 0.0), 0.6)
    film.show(edged(tray([A, B], hand=80), 0.0), 0.3)
    film.show(edged(tray([A, C]), 0.8), 0.6)
    assert [die.face for die in film.told()[-1].reading.dice] == [1, 3]


def test_a_lamp_that_dims_is_no_hand():
    film = Film()
    film.show(tray([A]), 0.5)
    events = film.show(tray([A], light=0.6), 1.0)
    assert Motion.HAND not in kinds(events)


def test_noise_is_no_motion():
    known = DiceReading((ReadDie(1, Box(40, 40, DIE, DIE), 0.99),), True)
    film = Film(reader=lambda _: known)
    film.show(tray([A]), 2.0, noise=4.0)
    assert kinds(film.events) == [Settled, Motion.STILL]


def test_a_slow_turn_on_the_corner_is_motion():
    film = Film()
    film.show(tray([A]), 0.5)
    film.events.clear()
    for n in range(60):
        picture = tray([])
        box = cv2.boxPoints(((200.0, 100.0), (DIE, DIE), 2.0 * n))
        cv2.fillConvexPoly(picture, np.round(box * 16).astype(np.int32), (180, 180, 180), cv2.LINE_AA, 4)
        film.show(picture)
    assert kinds(film.events) == [Motion.MOVING]


def test_forget_makes_the_next_settled_picture_a_first_one():
    film = Film()
    film.show(tray([A]), 0.5)
    film.settler.forget()
    film.show(tray([A]), 0.5)
    assert [seen.episode.first for seen in film.told()] == [True, True]


def test_frames_of_another_size_begin_again_with_a_first_picture():
    film = Film()
    film.show(tray([A, B]), 1.0)
    film.show(cv2.resize(tray([A, B]), (640, 480), interpolation=cv2.INTER_NEAREST), 1.0)
    first, second = film.told()
    assert (first.size, second.size) == ((320, 240), (640, 480))
    assert second.episode.first
    assert kinds(film.events)[-2:] == [Settled, Motion.STILL]
    film.show(tray([A, B], hand=120), 0.5)
    film.show(tray([A]), 1.0)
    assert [observation.size for observation in film.told()[2:]] == [(320, 240)]


def test_a_die_that_disappears_is_observed():
    film = Film()
    film.show(tray([A, B]), 0.5)
    film.show(tray([A], hand=190), 0.2)
    film.show(tray([A]), 0.6)
    assert film.told()[1].reading.faces == (1,)


def die(face: int, at: tuple[int, int, int]) -> ReadDie:
    return ReadDie(face, Box(*at[:2], DIE, DIE), 0.9)


class Votes:
    """A reader that returns these faces one after the other for any picture, and repeats the last ones."""

    def __init__(self, *faces: int) -> None:
        self.left = list(faces)
        self.asked = 0

    def __call__(self, pixels: np.ndarray) -> DiceReading:
        self.asked += 1
        face = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        return DiceReading((ReadDie(face, Box(40, 40, DIE, DIE), 0.9),), True)


def test_three_votes_that_agree_are_enough():
    votes = Votes(5)
    film = Film(reader=votes)
    film.show(tray([A]), 1.0)
    assert film.told()[0].reading.faces == (5,)
    assert votes.asked == 3


@pytest.mark.parametrize("rate", [30, 15, 8])
def test_frames_are_read_as_they_come_so_that_one_reading_is_left_at_the_end(rate):
    reads = []
    film = Film(reader=lambda pixels: reads.append(1) or read(pixels), step_s=1 / rate)
    film.show(tray([A]), 1.0)
    film.slide(A, B, frames=2)
    reads.clear()
    before = 0
    while not film.show(tray([B])):
        before = len(reads)
    assert (before, len(reads)) == (2, 3)


def test_one_dissenting_vote_is_overruled():
    film = Film(reader=Votes(5, 4, 5))
    film.show(tray([A]), 1.0)
    assert film.told()[0].reading.faces == (5,)
    assert film.told()[0].reading.sure


def test_a_dispute_adds_five_votes():
    votes = Votes(5, 4, 4, 5, 3, 5)
    film = Film(reader=votes)
    film.show(tray([A]), 0.45)
    assert film.told() == []
    film.show(tray([A]), 0.3)
    (seen,) = film.told()
    assert (seen.reading.faces, seen.reading.sure, votes.asked) == ((5,), True, 10)


def test_a_dispute_that_goes_on_is_a_doubt():
    film = Film(reader=Votes(5, 4, 4, 5, 3, 5, 4, 5, 4, 3))
    film.show(tray([A]), 1.0)
    (seen,) = film.told()
    assert not seen.reading.sure
    assert seen.reading.dice[0].doubts == (Doubt.FACE,)


def test_only_the_dice_that_the_votes_differ_about_are_in_doubt():
    votes = [DiceReading((die(6, A), die(face, B)), True) for face in (5, 4, 3, 5, 4, 3, 5, 4, 3, 2)]
    film = Film(reader=lambda _: votes.pop(0))
    film.show(tray([A, B]), 1.0)
    (seen,) = film.told()
    assert not seen.reading.sure
    assert [one.doubts for one in seen.reading.dice] == [(), (Doubt.FACE,)]
    assert seen.reading.doubts == ()


def test_votes_with_different_numbers_of_dice_put_the_count_in_doubt():
    votes = [DiceReading((die(6, A), die(5, B))[: 1 + n % 2], True) for n in range(10)]
    film = Film(reader=lambda _: votes.pop(0))
    film.show(tray([A, B]), 1.0)
    (seen,) = film.told()
    assert not seen.reading.sure
    assert seen.reading.doubts == (Doubt.COUNT,)


def test_votes_are_lost_when_something_moves():
    votes = Votes(5, 4, 4, 5, 3, 5)
    film = Film(reader=votes)
    film.show(tray([A]), 0.45)
    film.slide(A, B)
    film.show(tray([B]), 0.5)
    assert film.told()[0].reading.sure
    assert votes.asked == 10  # five, two that were read ahead, three


def test_a_reading_is_sure_if_most_of_the_agreeing_votes_are():
    doubtful = DiceReading((ReadDie(5, Box(40, 40, DIE, DIE), 0.6),), False, (Doubt.DARK,))
    film = Film(reader=lambda _: doubtful)
    film.show(tray([A]), 1.0)
    assert not film.told()[0].reading.sure


def test_a_face_that_changes_without_motion_is_a_doubt():
    votes = Votes(5, 5, 5, 2)
    film = Film(reader=votes)
    film.show(tray([A, C]), 0.5)
    film.slide(C, B, others=[A])
    film.show(tray([A, B]), 0.5)
    seen = film.told()[1]
    assert seen.episode.fates == (Fate.STAYED,)
    assert not seen.reading.sure
    assert seen.reading.dice[0].doubts == (Doubt.FACE,)


def test_each_photograph_is_a_throw():
    settler = Settler(read)
    events = settler.feed(Frame(tray([A, B]), 1.0, 0, still=True, name="a.jpg"))
    events += settler.feed(Frame(tray([A, B]), 2.0, 1, still=True, name="b.jpg"))
    seen = [event.observation for event in events if isinstance(event, Settled)]
    assert [(one.name, one.still, one.number) for one in seen] == [("a.jpg", True, 1), ("b.jpg", True, 2)]
    assert seen[1].episode.fates == (Fate.THROWN, Fate.THROWN)
    assert not seen[0].episode.first


class Turning:
    """A reader that sees one outlined die. Between readings the die turns and moves by a fixed amount."""

    def __init__(self, degrees: float, px: float = 0.0, times: int = 1000) -> None:
        self.degrees, self.px, self.left, self.asked = degrees, px, times, 0

    def __call__(self, pixels: np.ndarray) -> DiceReading:
        self.asked += 1
        self.left -= 1
        n = min(self.asked, self.asked + self.left)
        middle = (200.0 - self.px * n, 100.0)
        corners = cv2.boxPoints((middle, (20.0, 20.0), -self.degrees * n))  # newest frames are read first
        outline = tuple((float(u), float(v)) for u, v in corners)
        return DiceReading((ReadDie(5, Box(190, 90, 20, 20), 0.99, outline=outline),), True)


def test_a_die_that_turns_from_vote_to_vote_is_moving_though_the_picture_is_still():
    film = Film(reader=Turning(12.0, times=6))
    film.show(tray([A]), 0.6)
    assert film.told() == []
    film.show(tray([A]), 1.0)
    assert [seen.reading.sure for seen in film.told()] == [True]


def test_a_die_that_drifts_by_more_than_a_fiftieth_is_moving():
    film = Film(reader=Turning(0.0, px=0.5, times=3))
    film.show(tray([A]), 0.6)
    assert film.told() == []
    assert Film(reader=Turning(0.0, px=0.3)).show(tray([A]), 0.6) != []


def test_a_die_that_never_stops_turning_is_observed_and_not_sure():
    film = Film(reader=Turning(12.0))
    film.show(tray([A]), 5.0)
    (seen,) = film.told()
    assert not seen.reading.sure


def test_one_turn_that_is_misread_is_no_spin():
    film = Film(reader=Turning(0.0))
    turns = iter((0.0, 22.0, 0.0))
    real = film.reader

    def misread(pixels: np.ndarray) -> DiceReading:
        real.degrees, real.asked = next(turns, 0.0), 0
        return real(pixels)

    film.reader = misread
    film.show(tray([A]), 0.6)
    assert len(film.told()) == 1


def disc(degrees: float, face: int = 6) -> np.ndarray:
    """Return a round die that spins on its place: a disc with six pips, turned by an angle."""
    picture = tray([])
    cv2.circle(picture, (160 * 16, 120 * 16), 9 * 16, (200, 200, 200), -1, cv2.LINE_AA, 4)
    for x in (-3.5, 3.5):
        for y in (-5.0, 0.0, 5.0):
            c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
            at = round((160 + c * x - s * y) * 16), round((120 + s * x + c * y) * 16)
            cv2.circle(picture, at, 20, (30, 30, 30), -1, cv2.LINE_AA, 4)
    return picture


def test_a_round_die_that_spins_on_its_place_is_moving():
    six = DiceReading((ReadDie(6, Box(151, 111, 18, 18), 0.99),), True)
    film = Film(reader=lambda _: six)
    film.show(tray([A]), 0.5)
    film.events.clear()
    for n in range(60):
        film.show(disc(5.0 * n), noise=1.0)
    assert kinds(film.events) == [Motion.MOVING]
    film.show(disc(300.0), 0.6, noise=1.0)
    assert kinds(film.events) == [Motion.MOVING, Motion.STILL]


# --- expected counts -------------------------------------------------------------------------------------------


def test_fewer_dice_than_may_be_thrown_are_waited_for():
    film = Film()
    film.settler.expect((2,))
    film.show(tray([]), 0.5)
    film.slide((160, 200, 1), A)
    film.show(tray([A]), 1.5)
    assert len(film.told()) == 1
    film.slide((160, 200, 2), B, others=[A])
    film.show(tray([A, B]), 0.6)
    (_, seen) = film.told()
    assert seen.episode.fates == (Fate.THROWN, Fate.THROWN)


def test_fewer_dice_than_may_be_thrown_are_observed_after_three_seconds():
    film = Film()
    film.settler.expect((2,))
    film.show(tray([]), 0.5)
    film.slide((160, 200, 1), A)
    film.show(tray([A]), 2.9)
    assert len(film.told()) == 1
    film.show(tray([A]), 0.3)
    assert film.told()[1].episode.fates == (Fate.THROWN,)


def test_a_reading_that_waits_is_not_repeated():
    reads = []
    film = Film(reader=lambda pixels: reads.append(1) or read(pixels))
    film.settler.expect((2,))
    film.show(tray([]), 0.5)
    film.slide((160, 200, 1), A)
    film.show(tray([A]), 3.2)
    assert len(reads) == 6


@pytest.mark.parametrize(("grave", "reads_wanted"), [(((1, 2),), 8), (((2, 2),), 3), ((), 3)])
def test_a_high_stakes_roll_gets_five_more_votes(grave, reads_wanted):
    reads = []
    film = Film(reader=lambda pixels: reads.append(1) or read(pixels))
    film.settler.expect((2,), grave)
    film.show(tray([]), 0.5)
    reads.clear()
    film.slide((160, 200, 2), B)
    film.slide((160, 200, 1), A, others=[B])
    film.show(tray([A, B]), 1.0)
    assert (len(reads), film.told()[-1].reading.sure) == (reads_wanted, True)


def test_a_high_stakes_roll_whose_last_votes_differ_is_a_doubt():
    misread = iter([True] * 3)
    film = Film(reader=lambda pixels: read(pixels))
    film.settler.expect((1,), [(2,)])
    film.show(tray([]), 0.5)
    film.reader = lambda pixels: read(tray([(*A[:2], 2)]) if next(misread, False) else pixels)
    film.slide((160, 200, 1), A)
    film.show(tray([A]), 1.0)
    assert [die.face for die in film.told()[-1].reading.dice] == [1]


def test_more_dice_than_may_be_thrown_get_five_more_votes_and_are_observed():
    reads = []
    film = Film(reader=lambda pixels: reads.append(1) or read(pixels))
    film.settler.expect((1,))
    film.show(tray([]), 0.5)
    reads.clear()
    film.slide((160, 200, 1), A)
    film.slide((160, 200, 2), B, others=[A])
    film.show(tray([A, B]), 0.45)
    assert len(film.told()) == 1
    film.show(tray([A, B]), 0.3)
    assert film.told()[1].episode.fates == (Fate.THROWN, Fate.THROWN)
    assert len(reads) == 8


# --- other times ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("timing", "waits_s"), [(SettleTiming(still_s=0.9), 0.9), (SettleTiming(still_frames=20), 0.633)]
)
def test_the_time_and_frames_of_stillness_can_be_set(timing, waits_s):
    film = Film(timing=timing)
    assert kinds(film.show(tray([A]), waits_s - 0.03)) == []
    assert kinds(film.show(tray([A]), 0.1)) == [Settled, Motion.STILL]


def test_the_wait_for_missing_dice_can_be_set():
    film = Film(timing=SettleTiming(missing_s=1.0))
    film.settler.expect((2,))
    film.show(tray([]), 0.5)
    film.slide((160, 200, 1), A)
    film.show(tray([A]), 0.9)
    assert len(film.told()) == 1
    film.show(tray([A]), 0.3)
    assert len(film.told()) == 2


def test_the_time_after_which_a_still_object_is_no_hand_can_be_set():
    film = Film(timing=SettleTiming(dead_still_s=1.0))
    film.show(tray([A]), 0.5)
    film.show(tray([A], hand=90), 0.9)
    assert len(film.told()) == 1
    film.show(tray([A], hand=90), 0.7)
    assert len(film.told()) == 2


@pytest.mark.parametrize(("hand_gone_s", "fate"), [(0.07, Fate.THROWN), (1.0, Fate.PLACED)])
def test_the_time_of_a_hands_last_shadow_can_be_set(hand_gone_s, fate):
    film = Film(timing=SettleTiming(hand_gone_s=hand_gone_s))
    film.show(tray([A]), 0.5)
    film.show(tray([A], hand=180), 0.3)
    film.show(tray([A, (200, 200, 3)]), 0.1)
    film.slide((200, 200, 3), C, others=[A])
    film.show(tray([A, C]), 0.5)
    assert film.told()[1].episode.fates == (Fate.STAYED, fate)
