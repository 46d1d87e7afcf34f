"""LEDs on an Arduino that speaks Adalight, at a serial port: --leds docs/examples/drivers/own_leds.py:/dev/ttyUSB0"""

import os

from pegboard import Layout, LedFrame, check_frame, dark


class AdalightStrip:
    def __init__(self, port: str, layout: Layout) -> None:
        self.leds, self.closed = layout.leds, False
        self.wire = os.open(port, os.O_WRONLY | os.O_NOCTTY)

    def show(self, frame: LedFrame) -> None:
        check_frame(frame, self.leds, self.closed, "Adalight")
        high, low = divmod(self.leds - 1, 256)
        os.write(self.wire, b"Ada" + bytes((high, low, high ^ low ^ 0x55)) + frame.data)

    def close(self) -> None:
        if not self.closed:
            self.show(dark(self.leds))
            self.closed = True
            os.close(self.wire)


open_leds = AdalightStrip
