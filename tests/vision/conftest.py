"""Fixtures for the tests of the reader."""

import pytest
from drawn_table import Table, calibrated, drawn_table

from dicereader.sources.synthetic import camera
from dicereader.tray.calibration import Calibration


@pytest.fixture
def fewer_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let simulated cameras take pictures of 480 x 360 pixels, which take a quarter of the time to draw."""
    monkeypatch.setattr(camera, "WIDTH_PX", 480)
    monkeypatch.setattr(camera, "HEIGHT_PX", 360)


@pytest.fixture(scope="module")
def table() -> Table:
    """Return a simulated table with a tray and dice."""
    return drawn_table(3)


@pytest.fixture(scope="module")
def known(table: Table) -> Calibration:
    """Return the calibration of that table."""
    return calibrated(table)
