"""The overlay: the reading, drawn over its picture."""

import numpy as np
import pytest

from dicereader.overlay import DOUBTFUL_LINE, SURE_LINE, draw
from dicereader.reading import Box, DiceReading, Doubt, ReadDie

FELT = np.full((480, 640, 3), (48, 70, 40), np.uint8)


def reading(*doubts: Doubt, sure: bool = True) -> DiceReading:
    die = ReadDie(5, Box(200, 160, 60, 60), 0.99, None, doubts)
    return DiceReading((die,), sure=sure)


def along_the_top(picture: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """Return where the upper side of the die's box is coloured, without the corners."""
    row = picture[160, 208:252].astype(int)
    return np.abs(row - colour).max(1) < 40


def test_a_sure_die_has_a_solid_outline_and_a_doubtful_one_a_dashed_one_in_a_copy_of_the_picture() -> None:
    before = FELT.copy()
    assert along_the_top(draw(before, reading()), SURE_LINE).all()
    assert (before == FELT).all()
    line = along_the_top(draw(FELT, reading(Doubt.FACE, sure=False)), DOUBTFUL_LINE)
    assert np.count_nonzero(np.diff(line.astype(int))) >= 4


def test_outlines_hide_no_small_die_of_a_large_picture() -> None:
    drawn = draw(np.full((3024, 4032, 3), FELT[0, 0], np.uint8), reading())
    assert (drawn[160 + 6 : 220 - 6, 200 + 6 : 260 - 6] == FELT[0, 0]).all()


@pytest.mark.parametrize("at", [(0, 0), (580, 0), (0, 420), (580, 420)])
def test_the_text_of_a_die_at_the_edge_is_as_complete_as_in_the_middle(at: tuple[int, int]) -> None:
    def ink(place: tuple[int, int]) -> int:
        die = ReadDie(5, Box(*place, 60, 60), 0.6, None, (Doubt.FACE, Doubt.TOUCHING))
        return np.count_nonzero((draw(FELT, DiceReading((die,), sure=False)) > 150).all(2))

    assert ink(at) == ink((200, 200)) > 100


def test_a_picture_without_dice_says_so() -> None:
    drawn = draw(FELT, DiceReading((), sure=True))
    assert (drawn[:400] == FELT[:400]).all()
    assert not (drawn[400:] == FELT[400:]).all()
