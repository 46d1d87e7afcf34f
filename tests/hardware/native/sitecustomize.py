"""Makes Adafruit's detection see the Pi that `PEGBOARD_REVISION` names by its revision code. Python runs this first."""

import os

if "PEGBOARD_REVISION" in os.environ:
    from adafruit_platformdetect.board import Board

    Board._pi_rev_code = lambda self: os.environ["PEGBOARD_REVISION"]  # noqa: SLF001 - where /proc says it on a Pi
