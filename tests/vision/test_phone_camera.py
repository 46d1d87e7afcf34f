"""Pictures that a phone sends: the newest one counts, and odd ones are refused or left out."""

import numpy as np
import pytest
from network_cameras import jpeg

from dicereader.errors import PictureError, SourceError
from dicereader.sources import open_source
from dicereader.sources.camera_thread import DAMAGED
from dicereader.sources.phone import PhoneCamera


@pytest.fixture
def phone() -> PhoneCamera:
    source = open_source("phone", "", lambda: 7.0)
    assert isinstance(source, PhoneCamera)
    return source


def test_the_newest_picture_is_given_once(phone: PhoneCamera) -> None:
    assert phone.next(60.0) is None
    phone.give(jpeg(grey=60))
    phone.give(jpeg(grey=160))
    frame = phone.next(60.0)
    assert (frame.at_s, frame.number, round(float(frame.pixels.mean()))) == (7.0, 0, 160)
    assert phone.next(60.0) is None
    phone.give(jpeg(grey=160))
    assert phone.next(60.0) is None, "it was sent again"
    with pytest.raises(SourceError, match="expected phone without a colon, got 'phone:0'"):
        open_source("phone", "0", lambda: 7.0)


def test_a_picture_with_too_many_pixels_is_refused_before_it_is_decoded(phone: PhoneCamera) -> None:
    phone.give(jpeg(4000, 3000))
    with pytest.raises(PictureError, match="expected at most 4,000,000 pixels from the phone, got 4000 x 3000"):
        phone.next(60.0)


def test_a_damaged_picture_is_left_out_and_many_are_a_fault(phone: PhoneCamera) -> None:
    noise = np.random.default_rng(1)
    for _ in range(DAMAGED - 1):
        phone.give(jpeg()[:-200] + noise.bytes(100))
        assert phone.next(60.0) is None
    phone.give(jpeg()[:-200])
    with pytest.raises(PictureError):
        phone.next(60.0)
