"""When the tray is at rest and what moved, on scripted frames: grey ground, a square a die, a bar for the hand."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from dicereader.episode import episode_between, matched, same_dice
from dicereader.frame import Frame
from dicereader.reading import Box, DiceReading, Doubt, Fate, Observation, ReadDie
from dicereader.settle import Event, HandIn, Moving, Patience, Settled, Settler, StillNow

STEP_S = 1 / 30
DIE = 16

Place = tuple[int, int, int]  # x, y, face


def tray(dice: Iterable[Place], hand: int | None = None, light: float = 1.0) -> np.ndarray:
    """A picture of 320 x 240: each die a square whose brightness is its face; `hand` is how far a hand reaches in."""
    picture = np.full((240, 320, 3), 60, np.uint8)
    for x, y, face in dice:
        picture[y : y + DIE, x : x + DIE] = 120 + 20 * face
    if hand is not None:
        picture[240 - hand :, 130:190] = 100
    return np.clip(picture * light, 0, 255).astype(np.uint8)


def read(pixels: np.ndarray) -> DiceReading:
    dice = []
    for face in range(1, 7):
        n, _, stats, _ = cv2.connectedComponentsWithStats((pixels[..., 0] == 120 + 20 * face).astype(np.uint8))
        dice += [ReadDie(face, Box(*(int(v) for v in stats[i, :4])), 0.99) for i in range(1, n)]
    return DiceReading(tuple(dice), True)


@dataclass
class Film:
    """Feeds frames to a settler at 30 a second and keeps what it says."""

    reader: Callable[[np.ndarray], DiceReading] = read
    patience: Patience = field(default_factory=Patience)
    step_s: float = STEP_S

    def __post_init__(self) -> None:
        self.settler = Settler(self.reader, patience=self.patience)
        self.now = 10.0
        self.number = 0
        self.events: list[Event] = []
        self.rng = np.random.default_rng(1)

    def show(self, picture: np.ndarray, seconds: float = STEP_S, noise: float = 0.0) -> list[Event]:
        events = []
        for _ in range(max(1, round(seconds / self.step_s))):
            seen = picture
            if noise:
                seen = np.clip(picture + self.rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)
            events += self.settler.feed(Frame(seen, self.now, self.number))
            self.now += self.step_s
            self.number += 1
        self.events += events
        return events

    def told(self) -> list[Observation]:
        return [event.observation for event in self.events if isinstance(event, Settled)]

    def slide(self, before: Place, after: Place, others: Iterable[Place] = (), frames: int = 8) -> None:
        for i in range(1, frames + 1):
            x, y = (round(a + (b - a) * i / frames) for a, b in zip(before[:2], after[:2], strict=True))
            self.show(tray([*others, (x, y, after[2])]))


A, B, C = (40, 40, 1), (120, 60, 2), (200, 100, 3)


def kinds(events: list[Event]) -> list[type]:
    return [type(event) for event in events]


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
    assert kinds(film.show(tray([A]), 0.10)) == [Settled, StillNow]


def test_few_frames_a_second_are_waited_for():
    film = Film(step_s=0.3)
    assert film.show(tray([A]), 1.2) == []
    assert kinds(film.show(tray([A]), 0.9)) == [Settled, StillNow]


def test_an_unchanged_tray_is_told_once():
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
    assert thrown.episode.was == (None, 1)
    assert not thrown.episode.hand


def test_moving_is_said_once_and_ends_with_still():
    film = Film()
    film.show(tray([A]), 0.5)
    film.events.clear()
    film.slide(A, B)
    film.show(tray([B]), 0.5)
    assert kinds(film.events) == [Moving, Settled, StillNow]


def test_a_die_that_a_hand_puts_down_was_placed():
    film = Film()
    film.show(tray([A]), 0.5)
    for reach in (40, 100, 180):
        film.show(tray([A], hand=reach), 0.1)
    for reach in (180, 100, 40):
        film.show(tray([A, C], hand=reach), 0.1)
    film.show(tray([A, C]), 0.6)
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


def test_nothing_is_read_while_a_hand_is_in_the_tray_however_still():
    reads = []
    film = Film(reader=lambda pixels: reads.append(1) or read(pixels))
    film.show(tray([A]), 0.5)
    reads.clear()
    events = film.show(tray([A], hand=150), 4.0)
    assert kinds(events) == [HandIn]
    assert reads == []


def test_a_hand_that_came_and_changed_nothing_is_told():
    film = Film()
    film.show(tray([A]), 0.5)
    film.show(tray([A], hand=90), 0.3)
    film.show(tray([A]), 0.6)
    again = film.told()[1]
    assert again.episode.hand
    assert again.episode.fates == (Fate.STAYED,)


def test_what_lies_over_the_border_and_never_stirs_is_no_hand():
    film = Film()
    film.show(tray([A]), 0.5)
    film.show(tray([A], hand=90), 6.0)
    assert len(film.told()) == 2
    film.slide(A, C)
    film.show(tray([C], hand=90), 0.1)


def test_dice_near_the_border_are_no_hand():
    film = Film()
    film.show(tray([A]), 0.5)
    events = film.show(tray([A, (150, 222, 2)]), 0.6)
    assert HandIn not in kinds(events)


def test_a_lamp_that_dims_is_no_hand():
    film = Film()
    film.show(tray([A]), 0.5)
    events = film.show(tray([A], light=0.6), 1.0)
    assert HandIn not in kinds(events)


def test_noise_is_no_motion():
    known = DiceReading((ReadDie(1, Box(40, 40, DIE, DIE), 0.99),), True)
    film = Film(reader=lambda _: known)
    film.show(tray([A]), 2.0, noise=4.0)
    assert kinds(film.events) == [Settled, StillNow]


def test_a_slow_turn_on_the_corner_is_motion():
    film = Film()
    film.show(tray([A]), 0.5)
    film.events.clear()
    for n in range(60):
        picture = tray([])
        box = cv2.boxPoints(((200.0, 100.0), (DIE, DIE), 2.0 * n))
        cv2.fillConvexPoly(picture, np.round(box * 16).astype(np.int32), (180, 180, 180), cv2.LINE_AA, 4)
        film.show(picture)
    assert kinds(film.events) == [Moving]


def test_forget_makes_the_next_settled_picture_a_first_one():
    film = Film()
    film.show(tray([A]), 0.5)
    film.settler.forget()
    film.show(tray([A]), 0.5)
    assert [seen.episode.first for seen in film.told()] == [True, True]


def test_a_die_that_vanishes_is_told():
    film = Film()
    film.show(tray([A, B]), 0.5)
    film.show(tray([A], hand=190), 0.2)
    film.show(tray([A]), 0.6)
    assert film.told()[1].reading.faces == (1,)


class Votes:
    """A reader that gives these faces one after the other, whatever it is shown; the last one for ever."""

    def __init__(self, *faces: int) -> None:
        self.left = list(faces)
        self.asked = 0

    def __call__(self, pixels: np.ndarray) -> DiceReading:
        self.asked += 1
        face = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        return DiceReading((ReadDie(face, Box(40, 40, DIE, DIE), 0.9),), True)


def test_three_that_agree_are_enough():
    votes = Votes(5)
    film = Film(reader=votes)
    film.show(tray([A]), 1.0)
    assert film.told()[0].reading.faces == (5,)
    assert votes.asked == 3


def test_one_that_dissents_is_outvoted():
    film = Film(reader=Votes(5, 4, 5))
    film.show(tray([A]), 1.0)
    assert film.told()[0].reading.faces == (5,)
    assert film.told()[0].reading.sure


def test_a_dispute_asks_for_five_more():
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
    assert Doubt.FACE in seen.reading.doubts


def test_votes_are_lost_when_something_moves():
    votes = Votes(5, 4, 4, 5, 3, 5)
    film = Film(reader=votes)
    film.show(tray([A]), 0.45)
    film.slide(A, B)
    film.show(tray([B]), 0.5)
    assert film.told()[0].reading.sure
    assert votes.asked == 8


def test_most_of_those_who_agree_say_whether_it_is_sure():
    doubtful = DiceReading((ReadDie(5, Box(40, 40, DIE, DIE), 0.6),), False, (Doubt.DARK,))
    film = Film(reader=lambda _: doubtful)
    film.show(tray([A]), 1.0)
    assert not film.told()[0].reading.sure


def test_a_face_that_changes_though_nothing_moved_is_a_doubt():
    votes = Votes(5, 5, 5, 2)
    film = Film(reader=votes)
    film.show(tray([A, C]), 0.5)
    film.slide(C, B, others=[A])
    film.show(tray([A, B]), 0.5)
    seen = film.told()[1]
    assert seen.episode.fates == (Fate.STAYED,)
    assert not seen.reading.sure
    assert seen.reading.dice[0].doubts == (Doubt.FACE,)


def test_a_photograph_is_a_throw_by_itself():
    settler = Settler(read)
    events = settler.feed(Frame(tray([A, B]), 1.0, 0, still=True, name="a.jpg"))
    events += settler.feed(Frame(tray([A, B]), 2.0, 1, still=True, name="b.jpg"))
    seen = [event.observation for event in events if isinstance(event, Settled)]
    assert [(one.name, one.still, one.number) for one in seen] == [("a.jpg", True, 1), ("b.jpg", True, 2)]
    assert seen[1].episode.fates == (Fate.THROWN, Fate.THROWN)
    assert not seen[0].episode.first


def die(x: int, y: int, face: int = 1) -> ReadDie:
    return ReadDie(face, Box(x, y, 20, 20), 0.9)


@pytest.mark.parametrize(("x", "same"), [(104, True), (106, False)])
def test_a_quarter_of_a_die_is_the_same_place(x, same):
    assert (matched([die(x, 50)], [die(100, 50)]) == [0]) is same


def test_each_die_of_before_is_matched_once():
    assert matched([die(100, 50), die(103, 50)], [die(102, 50)]) == [None, 0]


def test_the_order_of_dice_is_no_difference():
    one = DiceReading((die(0, 0, 3), die(90, 0, 4)), True)
    other = DiceReading((die(90, 0, 4), die(0, 0, 3)), True)
    assert same_dice(one, other)
    assert not same_dice(one, DiceReading((die(0, 0, 3),), True))


def test_a_die_that_comes_to_the_same_place_with_another_face_was_thrown():
    before, now = DiceReading((die(0, 0, 3),), True), DiceReading((die(0, 0, 5),), True)
    episode, disputed = episode_between(before, now, hand=False, traced=lambda _: 0.5)
    assert episode.fates == (Fate.THROWN,)
    assert disputed == ()


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
def test_where_something_moved_only_a_die_that_lies_exactly_as_before_has_stayed(now, fate):
    before = DiceReading((turned(100, 30.0),), True)
    episode, _ = episode_between(before, DiceReading((now,), True), hand=True, traced=lambda _: 0.6)
    assert episode.fates == (fate,)
