"""Players' marks and LED frames."""

import pytest

from pegboard.errors import FrameError, ViewError
from pegboard.ledframe import LedFrame, dark, duty, screen_colour
from pegboard.palette import COLOURS, mark, nearest_colour


def test_twelve_players_have_twelve_marks_and_the_first_six_differ_in_colour_and_in_shape():
    marks = [mark(player) for player in range(12)]
    assert len(set(marks)) == 12
    assert len({one.colour for one in marks[:6]}) == len({one.shape for one in marks[:6]}) == 6
    with pytest.raises(ViewError, match="from 0 to 11"):
        mark(12)


def test_a_screen_colour_survives_the_way_over_the_wire_and_a_dim_light_still_tells_its_colour():
    for colour in COLOURS:
        assert screen_colour(duty(colour.rgb, 1.0)) == pytest.approx(colour.rgb, abs=6)
        assert nearest_colour(screen_colour(duty(colour.rgb, 0.5))) == colour
    assert max(abs(duty(screen_colour((value,) * 3), 1.0)[0] - value) for value in range(256)) == 1
    with pytest.raises(ViewError, match="some light"):
        nearest_colour((0, 0, 0))


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: LedFrame(b"ab"), "three bytes for each LED, got 2"),
        (lambda: dark(3)[3], "an LED from 0 to 2, got 3"),
        (lambda: dark(3)[-1], "an LED from 0 to 2, got -1"),
        (lambda: duty((1, 2, 3), 1.01), "a level from 0 to 1, got 1.01"),
    ],
)
def test_what_no_frame_has_is_refused(made, says):
    with pytest.raises(FrameError, match=f"expected {says}"):
        made()


def test_a_frame_knows_which_leds_are_lit():
    frame = LedFrame(bytes([0, 0, 0, 0, 1, 0]))
    assert frame.lit() == (1,)
    assert frame[1] == (0, 1, 0)
    assert dark(3).lit() == ()
