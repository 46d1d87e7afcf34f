"""What the tests of the reader share."""

import pytest

from dicereader.sources.synthetic import camera


@pytest.fixture
def fewer_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let simulated cameras take pictures of 480 x 360 pixels, which are drawn in a quarter of the time."""
    monkeypatch.setattr(camera, "WIDTH_PX", 480)
    monkeypatch.setattr(camera, "HEIGHT_PX", 360)
