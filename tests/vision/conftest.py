"""A fixture for the tests of the reader."""

import pytest

from dicereader.sources.synthetic import camera


@pytest.fixture
def fewer_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let simulated cameras take pictures of 480 x 360 pixels, which take a quarter of the time to draw."""
    monkeypatch.setattr(camera, "WIDTH_PX", 480)
    monkeypatch.setattr(camera, "HEIGHT_PX", 360)
