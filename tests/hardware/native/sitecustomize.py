"""Make Adafruit's detection see the Pi with the revision code `PEGBOARD_REVISION`. Python runs this file first."""

import os

if "PEGBOARD_REVISION" in os.environ:
    from adafruit_platformdetect.board import Board

    Board._pi_rev_code = lambda self: os.environ["PEGBOARD_REVISION"]  # noqa: SLF001 - where /proc says it on a Pi
