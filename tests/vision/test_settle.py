"""The time at which a tray counts as still, and its reading, on scripted frames."""

import cv2
import numpy as np
import pytest
from films import DIE, A, B, C, D, Film, read, settled, tray

from dicereader.data.frame import Frame
from dicereader.live.settle import Settled, SettleEvent, Settler
from dicereader.live.timing import SettleTiming
from dicereader.live.votes import best
from dicereader.reading import Box, DiceReading, Doubt, Fate, Motion, ReadDie
from dicereader.sources.synthetic.source import SyntheticSource


def kinds(events: list[SettleEvent]) -> list[type | Motion]:
    return [Settled if isinstance(event, Settled) else event for event in events]


class Reads:
    """A reader of films that counts its readings."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, pixels: np.ndarray) -> DiceReading:
        self.count += 1
        return read(pixels)


def test_the_first_settled_picture_is_a_first_one_and_no_throw_and_is_observed_once():
    (first,) = settled([A, B], 5.0).told()
    assert first.reading.faces == (1, 2)
    assert (first.episode.first, first.episode.thrown()) == (True, ())


@pytest.mark.parametrize(
    ("timing", "waits_s"),
    [(SettleTiming(), 0.37), (SettleTiming(still_s=0.9), 0.9), (SettleTiming(still_frames=20), 0.633)],
)
def test_nothing_is_read_before_the_frames_and_the_time_of_stillness(timing, waits_s):
    film = Film(timing=timing)
    assert kinds(film.lay([A], waits_s - 0.03)) == []
    assert kinds(film.lay([A], 0.1)) == [Settled, Motion.STILL]


@pytest.mark.parametrize(("step_s", "frames"), [(0.1, 5), (0.25, 4), (0.4, 3), (1.0, 3)])
def test_at_a_low_frame_rate_fewer_frames_are_enough_over_twice_the_time(step_s, frames):
    film = Film(step_s=step_s)
    assert film.lay([A], (frames - 1) * step_s) == []
    assert kinds(film.lay([A])) == [Settled, Motion.STILL]


def test_motion_is_reported_once_and_ends_with_still():
    film = settled([A])
    film.events.clear()
    film.slide(A, B)
    film.lay([B], 0.5)
    assert kinds(film.events) == [Motion.MOVING, Settled, Motion.STILL]


def test_dice_that_came_to_lie_while_no_frames_came_are_a_first_picture():
    film = settled(expect=(2,))
    film.lay([], 0.3, hand=240, hand_x=30)  # over the place of A
    film.now += 1.5
    film.lay([A, B], 0.1, hand=140, hand_x=120)
    film.lay([A, B], 0.6)
    assert [seen.episode.first for seen in film.told()] == [True, True]


def test_a_die_that_a_hand_moved_while_no_frames_came_was_placed():
    film = settled([A, B], expect=(2,))
    film.lay([A, B], 0.3, hand=180)
    film.now += 1.5
    film.lay([A, D], 0.1, hand=180)
    film.lay([A, D], 0.6)
    moved = film.told()[1]
    assert (moved.episode.first, moved.episode.thrown()) == (False, ())


def test_nothing_is_read_while_a_hand_is_in_the_tray_however_still():
    film = settled([A], reader=Reads())
    before = film.reader.count
    assert kinds(film.lay([A], 2.0, hand=150)) == [Motion.HAND]
    assert film.reader.count == before


def test_an_object_over_the_border_that_stays_still_for_long_is_no_hand():
    film = settled([A], timing=SettleTiming(dead_still_s=1.0))
    film.lay([A], 0.9, hand=90)
    assert len(film.told()) == 1
    film.lay([A], 0.7, hand=90)
    assert len(film.told()) == 2


def reaching(picture: np.ndarray, wide_px: int, far_px: int) -> np.ndarray:
    """Return the picture with a hand that reaches in this far from the near border."""
    picture = picture.copy()
    picture[picture.shape[0] - far_px :, 450 : 450 + wide_px] = (130, 160, 200)
    return picture


@pytest.mark.parametrize("waited_s", [2.0, *(pytest.param(s, marks=pytest.mark.exhaustive) for s in (0.0, 8.0))])
@pytest.mark.parametrize("shown_s", [0.1, pytest.param(0.4, marks=pytest.mark.exhaustive)])
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


@pytest.mark.parametrize(
    "picture", [tray([A, (150, 222, 2)]), tray([A], light=0.6)], ids=["a die near the border", "a lamp that dims"]
)
def test_dice_and_lamps_are_no_hand(picture):
    assert Motion.HAND not in kinds(settled([A]).show(picture, 1.0))


def edged(picture: np.ndarray, pushed_px: float) -> np.ndarray:
    """Return a tray's picture with a bright board along its near border, pushed aside by a part of a pixel."""
    picture = picture.copy()
    picture[235:, :100] = picture[235:, 220:] = 220
    push = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, pushed_px]])
    return cv2.warpAffine(picture, push, (320, 240), borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize("slowly", [True, False], ids=["slowly", "by a hand"])
def test_a_tray_that_was_pushed_a_little_is_not_taken_for_a_hand(slowly):
    film = Film(lambda pixels: read(pixels[:220]))
    film.show(edged(tray([A, B]), 0.0), 0.6)
    for step in range(100 if slowly else 0):
        film.show(edged(tray([A, B]), 0.008 * step))
    film.show(edged(tray([A, B], hand=80), 0.8 if slowly else 0.0), 0.3)
    film.show(edged(tray([A, C]), 0.8), 0.6)
    assert [die.face for die in film.told()[-1].reading.dice] == [1, 3]


def test_noise_is_no_motion():
    film = Film(reader=Votes(1))
    film.show(tray([A]), 1.0, noise=4.0)
    assert kinds(film.events) == [Settled, Motion.STILL]


def turned_square(degrees: float) -> np.ndarray:
    picture = tray([])
    box = cv2.boxPoints(((200.0, 100.0), (DIE, DIE), 0.4 * degrees))
    cv2.fillConvexPoly(picture, np.round(box * 16).astype(np.int32), (180, 180, 180), cv2.LINE_AA, 4)
    return picture


def turned_disc(degrees: float) -> np.ndarray:
    """Return a round die on its place: a disc with six pips, turned by an angle."""
    picture = tray([])
    cv2.circle(picture, (160 * 16, 120 * 16), 9 * 16, (200, 200, 200), -1, cv2.LINE_AA, 4)
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    for x, y in ((x, y) for x in (-3.5, 3.5) for y in (-5.0, 0.0, 5.0)):
        at = round((160 + c * x - s * y) * 16), round((120 + s * x + c * y) * 16)
        cv2.circle(picture, at, 20, (30, 30, 30), -1, cv2.LINE_AA, 4)
    return picture


@pytest.mark.parametrize("turned", [turned_square, turned_disc])
def test_a_die_that_turns_on_its_place_is_moving(turned):
    film = settled([A], reader=Votes(6))
    film.events.clear()
    for n in range(30):
        film.show(turned(5.0 * n), noise=1.0)
    assert kinds(film.events) == [Motion.MOVING]
    film.show(turned(150.0), 0.6, noise=1.0)
    assert kinds(film.events) == [Motion.MOVING, Motion.STILL]


def test_forget_makes_the_next_settled_picture_a_first_one():
    film = settled([A])
    film.settler.forget()
    film.lay([A], 0.5)
    assert [seen.episode.first for seen in film.told()] == [True, True]


class Votes:
    """A reader that returns these faces one after the other for any picture, and repeats the last ones."""

    def __init__(self, *faces: int, sure: bool = True) -> None:
        self.left, self.sure, self.asked = list(faces), sure, 0

    def __call__(self, pixels: np.ndarray) -> DiceReading:
        self.asked += 1
        face = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        return DiceReading((ReadDie(face, Box(40, 40, DIE, DIE), 0.9),), self.sure)


@pytest.mark.parametrize(
    ("votes", "asked", "sure", "doubts"),
    [
        (Votes(5), 3, True, ()),
        (Votes(5, 4, 5), 4, True, ()),
        (Votes(5, 4, 4, 5, 3, 5), 10, True, ()),
        (Votes(5, 4, 4, 5, 3, 5, 4, 5, 4, 3), 10, False, (Doubt.FACE,)),
        (Votes(5, 5, 4, 4, 5, 4, 5, 4, 5, 4), 10, False, (Doubt.FACE,)),
        (Votes(5, sure=False), 3, False, ()),
    ],
    ids=["three agree", "one dissents", "a dispute", "a dispute that goes on", "five against five", "unsure ones"],
)
def test_three_votes_that_agree_are_enough_and_a_dispute_adds_five(votes, asked, sure, doubts):
    (seen,) = settled([A], 1.0, reader=votes).told()
    assert (seen.reading.faces[0] == 5 or not sure, seen.reading.sure, votes.asked) == (True, sure, asked)
    assert seen.reading.dice[0].doubts == doubts


@pytest.mark.parametrize(
    ("surely", "sure"), [((True, True, False), True), ((True, False, False), False), ((True, False), False)]
)
def test_a_group_is_as_sure_as_most_of_its_votes(surely, sure):
    _, reading = best([(None, DiceReading((), each)) for each in surely])
    assert reading.sure is sure


@pytest.mark.parametrize("rate", [30, 15, 8])
def test_frames_are_read_as_they_come_so_that_one_reading_is_left_at_the_end(rate):
    film = settled([A], 1.0, reader=Reads(), step_s=1 / rate)
    film.slide(A, B, frames=2)
    began = before = film.reader.count
    while not film.lay([B]):
        before = film.reader.count
    assert (before - began, film.reader.count - began) == (2, 3)


@pytest.mark.parametrize(
    ("votes", "whole", "dice"),
    [
        ([(6, face) for face in (5, 4, 3, 5, 4, 3, 5, 4, 3, 2)], (), [(), (Doubt.FACE,)]),
        ([(6, 5)[: 1 + n % 2] for n in range(10)], (Doubt.COUNT,), [()]),
    ],
    ids=["in faces", "in the number of dice"],
)
def test_what_the_votes_differ_about_is_in_doubt(votes, whole, dice):
    boxes = [Box(*at[:2], DIE, DIE) for at in (A, B)]
    readings = [[ReadDie(face, box, 0.9) for face, box in zip(faces, boxes, strict=False)] for faces in votes]
    (seen,) = settled([A, B], 1.0, reader=lambda _: DiceReading(tuple(readings.pop(0)), True)).told()
    assert [one.doubts for one in seen.reading.dice] == dice
    assert (seen.reading.sure, seen.reading.doubts) == (False, whole)


def test_votes_are_lost_when_something_moves():
    votes = Votes(5, 4, 4, 5, 3, 5)
    film = settled([A], 0.45, reader=votes)
    film.slide(A, B)
    film.lay([B], 0.5)
    assert film.told()[0].reading.sure
    assert votes.asked == 10  # five, two that were read ahead, three


def test_a_face_that_changes_without_motion_is_a_doubt():
    film = settled([A, C], reader=Votes(5, 5, 5, 2))
    film.slide(C, B, others=[A])
    film.lay([A, B], 0.5)
    seen = film.told()[1]
    assert seen.episode.fates == (Fate.STAYED,)
    assert (seen.reading.sure, seen.reading.dice[0].doubts) == (False, (Doubt.FACE,))


def test_each_photograph_is_a_throw():
    settler = Settler(read)
    events = settler.feed(Frame(tray([A, B]), 1.0, still=True, name="a.jpg"))
    events += settler.feed(Frame(tray([A, B]), 2.0, still=True, name="b.jpg"))
    seen = [event.observation for event in events if isinstance(event, Settled)]
    assert [(one.name, one.still) for one in seen] == [("a.jpg", True), ("b.jpg", True)]
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
    film = settled([A], 0.6, reader=Turning(12.0, times=6))
    assert film.told() == []
    film.lay([A], 1.0)
    assert [seen.reading.sure for seen in film.told()] == [True]


def test_a_die_that_drifts_by_more_than_a_fiftieth_is_moving():
    assert settled([A], 0.6, reader=Turning(0.0, px=0.5, times=3)).told() == []
    assert settled([A], 0.6, reader=Turning(0.0, px=0.3)).told() != []


def test_a_die_that_never_stops_turning_is_observed_and_not_sure():
    (seen,) = settled([A], 5.0, reader=Turning(12.0)).told()
    assert not seen.reading.sure


def test_one_turn_that_is_misread_is_no_spin():
    turns, real = iter((0.0, 22.0, 0.0)), Turning(0.0)

    def misread(pixels: np.ndarray) -> DiceReading:
        real.degrees, real.asked = next(turns, 0.0), 0
        return real(pixels)

    assert len(settled([A], 0.6, reader=misread).told()) == 1


def test_fewer_dice_than_may_be_thrown_are_waited_for():
    film = settled(expect=(2,))
    film.slide((160, 200, 1), A)
    film.lay([A], 1.5)
    assert len(film.told()) == 1
    film.slide((160, 200, 2), B, others=[A])
    film.lay([A, B], 0.6)
    (_, seen) = film.told()
    assert seen.episode.fates == (Fate.THROWN, Fate.THROWN)


@pytest.mark.parametrize("missing_s", [3.0, 1.0])
def test_fewer_dice_than_may_be_thrown_are_observed_after_a_time_and_read_once(missing_s):
    film = settled(expect=(2,), reader=Reads(), timing=SettleTiming(missing_s=missing_s))
    film.slide((160, 200, 1), A)
    film.lay([A], missing_s - 0.1)
    assert len(film.told()) == 1
    film.lay([A], 0.3)
    assert film.told()[1].episode.fates == (Fate.THROWN,)
    assert film.reader.count == 6


@pytest.mark.parametrize(("grave", "reads"), [(((1, 2),), 8), (((2, 2),), 3), ((), 3)])
def test_a_high_stakes_roll_gets_five_more_votes(grave, reads):
    film = settled(reader=Reads())
    film.settler.expect((2,), grave)
    before = film.reader.count
    film.slide((160, 200, 2), B)
    film.slide((160, 200, 1), A, others=[B])
    film.lay([A, B], 1.0)
    assert (film.reader.count - before, film.told()[-1].reading.sure) == (reads, True)


def test_a_high_stakes_roll_whose_last_votes_differ_is_a_doubt():
    misread = iter([True] * 3)
    film = settled(reader=lambda pixels: read(pixels))
    film.settler.expect((1,), [(2,)])
    film.reader = lambda pixels: read(tray([(*A[:2], 2)]) if next(misread, False) else pixels)
    film.slide((160, 200, 1), A)
    film.lay([A], 1.0)
    assert [die.face for die in film.told()[-1].reading.dice] == [1]


def test_more_dice_than_may_be_thrown_get_five_more_votes_and_are_observed():
    film = settled(expect=(1,), reader=Reads())
    before = film.reader.count
    film.slide((160, 200, 1), A)
    film.slide((160, 200, 2), B, others=[A])
    film.lay([A, B], 0.45)
    assert len(film.told()) == 1
    film.lay([A, B], 0.3)
    assert film.told()[1].episode.fates == (Fate.THROWN, Fate.THROWN)
    assert film.reader.count - before == 8
