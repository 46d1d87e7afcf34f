"""Read as many of feed.py's pictures as the argument says, by the program's own camera and reader."""

import sys
import time
from pathlib import Path

from dicereader import read
from dicereader.sources.usb_camera import open_usb

camera = open_usb("0", time.monotonic)
for number in range(int(sys.argv[1])):
    Path("/run/frame").write_text(str(number))
    time.sleep(4)  # frames of the previous picture are still on their way
    frame = None
    while frame is None or frame.number < 2 * number + 1:
        frame = camera.next(20)
    began = time.monotonic()
    reading = read(frame.pixels)
    print(*sorted(reading.faces), reading.sure, frame.pixels.shape, round(time.monotonic() - began, 1))
camera.close()
