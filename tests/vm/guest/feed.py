"""Feed a v4l2loopback camera with one of the pictures (YUYV) of a file: the one whose number is in /run/frame."""

import fcntl
import struct
import sys
import time
from pathlib import Path

VIDIOC_S_FMT = 0xC0D05605
OUTPUT, FIELD_NONE, SRGB = 2, 1, 8
YUYV = 0x56595559

width, height = int(sys.argv[2]), int(sys.argv[3])
size = 2 * width * height
form = struct.pack("I4xIIIIIIII", OUTPUT, width, height, YUYV, FIELD_NONE, 2 * width, size, SRGB, 0).ljust(208, b"\0")
with open("/dev/video0", "wb", buffering=0) as camera, open(sys.argv[1], "rb") as pictures:
    fcntl.ioctl(camera, VIDIOC_S_FMT, form)
    while True:
        pictures.seek(int(Path("/run/frame").read_text() or 0) * size)
        camera.write(pictures.read(size))
        time.sleep(0.1)
